/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The runs of the session's threads, each from a switch onto a CPU to the switch off it, and what ran on the CPU since the
 * thread's last run.
 */
#ifndef ANNOT_SWITCH_RUNS_H
#define ANNOT_SWITCH_RUNS_H

#include "model/model.h"

enum switch_after {
	AFTER_SAME, /* the same CPU; no other thread has run in between */
	AFTER_OTHER, /* the same CPU; another thread has run in between */
	AFTER_MIGRATION,
	NR_SWITCH_AFTER,
};

struct switch_run {
	uint64_t left_ns; /* the end of the run before */
	uint64_t start_ns;
	uint64_t end_ns;
	uint32_t thread;
	uint32_t task; /* name of the work span that takes most of it; TRACE_NO_STRING: none */
	uint32_t
		by; /* AFTER_OTHER: of the last few threads there, the one that ran longest; else MODEL_NO_THREAD */
	int16_t cpu;
	uint8_t after; /* enum switch_after */
	bool preempted; /* it was preempted: it did not leave to wait */
};

struct switch_runs {
	size_t nr;
	struct switch_run *rows; /* thread by thread, in time order */
};

/*
 * Leaves out first runs, and runs before which the CPU of the thread is unknown. If the thread has work spans, it also
 * leaves out runs outside them: a program differs there from its tasks. Cost: a search for each run, near to the one
 * before, and a walk through the spans. switch_runs_free() frees them.
 */
struct switch_runs switch_runs_compute(const struct model *model);
void switch_runs_free(struct switch_runs *runs);

/* "same", "other program", "migration". */
const char *switch_after_name(enum switch_after after);

#endif /* ANNOT_SWITCH_RUNS_H */
