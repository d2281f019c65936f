/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks whether the kernel records each task switch. Fills in an empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_SWITCHES_H
#define ANNOT_DOCTOR_CHECK_SWITCHES_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_switches(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_SWITCHES_H */
