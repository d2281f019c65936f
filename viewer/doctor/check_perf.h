/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Checks perf events: permission, the PMU, and the watchdog, which uses one of its counters. Each
 * function fills in an empty @verdict.
 */
#ifndef ANNOT_DOCTOR_CHECK_PERF_H
#define ANNOT_DOCTOR_CHECK_PERF_H

#include "doctor/machine.h"
#include "doctor/verdict.h"

void doctor_check_perf(const struct machine *machine, struct verdict *verdict);
void doctor_check_pmu(const struct machine *machine, struct verdict *verdict);
void doctor_check_watchdog(const struct machine *machine, struct verdict *verdict);

#endif /* ANNOT_DOCTOR_CHECK_PERF_H */
