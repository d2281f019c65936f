/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The clock that the kernel goes by, and the clock of traces. Each function fills a @verdict that was empty.
 */
#ifndef ANNOT_DOCTOR_CHECK_CLOCK_H
#define ANNOT_DOCTOR_CHECK_CLOCK_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_clocksource(const struct machine *machine, struct verdict *verdict);
void doctor_check_trace_clock(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_CLOCK_H */
