/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the module's devices, and how much memory their users may lock. Each function fills in an
 * empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_DEVICES_H
#define ANNOT_DOCTOR_CHECK_DEVICES_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_devices(const struct machine *machine, struct verdict *verdict);
void doctor_check_memlock(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_DEVICES_H */
