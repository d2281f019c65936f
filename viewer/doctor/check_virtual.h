/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks whether this is a virtual machine. Fills in an empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_VIRTUAL_H
#define ANNOT_DOCTOR_CHECK_VIRTUAL_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_virtual(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_VIRTUAL_H */
