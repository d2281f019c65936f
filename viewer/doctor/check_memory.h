/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the memory for the kernel's trace buffers. Fills in an empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_MEMORY_H
#define ANNOT_DOCTOR_CHECK_MEMORY_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_memory(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_MEMORY_H */
