/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The checks of what a recording needs. annot record prints their verdicts when it fails.
 */
#ifndef ANNOT_DOCTOR_CHECKS_H
#define ANNOT_DOCTOR_CHECKS_H

#include <stdbool.h>

#include "doctor/machine.h"
#include "doctor/verdict.h"

/* In the order in which they are printed. */
enum doctor_check {
	CHECK_TRACEFS,
	CHECK_ACCESS,
	CHECK_TRACE_CLOCK,
	CHECK_SWITCHES,
	CHECK_MEMORY,
	CHECK_MODULE,
	CHECK_SIGNING,
	CHECK_LOCKDOWN,
	CHECK_DEVICES,
	CHECK_MEMLOCK,
	CHECK_CLOCKSOURCE,
	CHECK_PERF,
	CHECK_PMU,
	CHECK_WATCHDOG,
	CHECK_VIRTUAL,
	CHECK_CONTAINER,
	CHECK_SECCOMP,
	CHECK_SYSFS,
	NR_CHECKS,
};

const char *doctor_check_name(enum doctor_check check);

void doctor_check_run(enum doctor_check check, const struct machine *machine,
		      struct verdict *verdict);

/*
 * If the verdict of @check on this machine is at least as bad as @least, prints it with its cure in
 * one line, as an error of @command, and returns -1. Otherwise returns 0.
 */
int doctor_check_report(const char *command, enum doctor_check check, enum severity least);

#endif /* ANNOT_DOCTOR_CHECKS_H */
