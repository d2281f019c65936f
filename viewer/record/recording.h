/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The resources of a recording: a buffer of ftrace, a file for each CPU, and the trace.dat that is
 * made of them. Two processes share it by fork(), and one of them finishes it.
 */
#ifndef ANNOT_RECORD_RECORDING_H
#define ANNOT_RECORD_RECORDING_H

#include <stdint.h>

#include "dat/dat.h"
#include "record/buffer/claim.h"
#include "record/readers/cpu_files.h"
#include "record/buffer/events.h"
#include "record/buffer/outside.h"
#include "record/buffer/stack_trigger.h"

struct recording_plan {
	const char *output;
	const char *clock;
	const char *compression; /* as in dat/plan.h */
	int version; /* of the file: 7, or 6 */
	long buffer_kb; /* per CPU; 0: as memory allows */
	enum events_annot annot;
	bool samples; /* samples of the PMU; not with EVENTS_ANNOT_NONE or _ALL */
	bool counts;
	bool call_stacks; /* of samples, and of threads that fall asleep */
	bool wakers; /* where threads are that wake up others; with call_stacks */
	bool blocked; /* what threads wait for that fall asleep, as the module tells */
	enum stack_trigger stacks;
	const char *const *extra_events; /* as -e takes them; NULL: end */
};

struct recording {
	const char *output;
	struct claim claim;
	struct outside outside;
	struct cpu_files files;
	struct dat_file *dat; /* NULL: none yet */
};

#define RECORDING_NONE ((struct recording){ .claim = CLAIM_NONE })

/*
 * Prepares all, with events enabled and tracing off. Returns 0, or -1 after one line on stderr. On
 * failure nothing is left behind, and the previous output file is kept unless the disk is full.
 */
int recording_open(struct recording *recording, const struct recording_plan *plan);

void recording_begin(struct recording *recording);

/* Ends the recording. The figures are final then. May be called more than once. */
void recording_stop(const struct recording *recording);

/*
 * Writes the trace, restores ftrace and closes. Call after recording_stop(), when all is read.
 * Returns 0, or -1 after one line on stderr. @lost_events: the number that the kernel lost.
 */
int recording_finish(struct recording *recording, uint64_t *lost_events);

/* Removes everything. Call before recording_begin() only. */
void recording_abandon(struct recording *recording);

/* Restores ftrace, if the process that should have done so was killed. */
void recording_give_buffer_back(struct recording *recording);

/* Frees the memory of a recording that another process finished. */
void recording_leave(struct recording *recording);

#endif /* ANNOT_RECORD_RECORDING_H */
