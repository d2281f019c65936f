/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks whether the kernel's tracing directory is mounted, and whether this process may use it.
 * Each function fills in an empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_TRACEFS_H
#define ANNOT_DOCTOR_CHECK_TRACEFS_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_tracefs(const struct machine *machine, struct verdict *verdict);
void doctor_check_access(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_TRACEFS_H */
