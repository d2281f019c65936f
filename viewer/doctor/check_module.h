/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks whether annot.ko is loaded, installed and loadable, and whether the kernel requires a
 * signature. Each function fills in an empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_MODULE_H
#define ANNOT_DOCTOR_CHECK_MODULE_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_module(const struct machine *machine, struct verdict *verdict);
void doctor_check_signing(const struct machine *machine, struct verdict *verdict);
void doctor_check_lockdown(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_MODULE_H */
