/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of a recording.
 */
#ifndef ANNOT_RECORD_SESSION_PLAN_H
#define ANNOT_RECORD_SESSION_PLAN_H

#include <stdbool.h>
#include <sys/types.h>

#include "attach/environment.h"
#include "record/measure.h"

struct session_plan {
	const char *output;
	const char *clock;
	const char *compression; /* of the output: "none", "zstd", "zlib" */
	int version; /* of the output: 7, or 6 */
	long buffer_kb; /* per CPU; 0: as memory allows */
	double duration_s; /* 0: as long as the command */
	bool quiet;
	pid_t pid; /* 0, or a process to follow until it ends, instead of a command */
	struct measure_plan measure;
	struct pmu_requests uncore; /* events that the CPUs of a socket share */
	struct pmu_requests groups; /* events that annot counts itself, not the module */
	bool readable; /* record each annotation as its own event, without batches */
	bool why; /* the kernel's stack of each thread that falls asleep */
	const char **extra_events; /* as -e takes them; NULL: end */
	const struct attach_environment *attach; /* for the command alone; NULL: none */
	char **command; /* NULL: none, record until ^C, or the end of pid */
};

#endif /* ANNOT_RECORD_SESSION_PLAN_H */
