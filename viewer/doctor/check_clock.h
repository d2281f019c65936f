/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks the kernel's clock source and the clock of traces. Each function fills in an empty
 * @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_CLOCK_H
#define ANNOT_DOCTOR_CHECK_CLOCK_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_clocksource(const struct machine *machine, struct verdict *verdict);
void doctor_check_trace_clock(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_CLOCK_H */
