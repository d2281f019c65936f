/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What is recorded and where to: a buffer of ftrace, a file for each CPU, and the trace.dat that is
 * made of them. Two processes have it by fork(), and one of them finishes it.
 */
#ifndef ANNOT_RECORD_RECORDING_H
#define ANNOT_RECORD_RECORDING_H

#include <stdint.h>

#include "dat/dat.h"
#include "record/buffer/claim.h"
#include "record/readers/cpu_files.h"
#include "record/buffer/events.h"
#include "record/buffer/outside.h"

struct recording_plan {
	const char *output;
	const char *clock;
	const char *compression; /* as in dat/plan.h */
	int version; /* of the file: 7, or 6 */
	long buffer_kb; /* per CPU; 0: as memory allows */
	enum events_annot annot;
	bool samples; /* of the PMU; not with EVENTS_ANNOT_NONE or _ALL */
	bool counts;
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
 * Has all ready, with events enabled and tracing off. Returns 0, or -1 after one line on stderr:
 * then nothing is left, and what was in the output's place is there unless it is the disk that is
 * full.
 */
int recording_open(struct recording *recording, const struct recording_plan *plan);

void recording_begin(struct recording *recording);

/* Ends it: the figures are then final. May be said more than once. */
void recording_stop(const struct recording *recording);

/*
 * Once it has stopped, and all is read: makes the trace, puts ftrace back, and closes. Returns 0, or
 * -1 after one line on stderr. Of what the kernel lost, it tells the number.
 */
int recording_finish(struct recording *recording, uint64_t *lost_events);

/* Removes everything: it has not begun. */
void recording_abandon(struct recording *recording);

/* Puts ftrace back, if the process that should have did not live to. */
void recording_give_buffer_back(struct recording *recording);

/* Frees what another process has finished. */
void recording_leave(struct recording *recording);

#endif /* ANNOT_RECORD_RECORDING_H */
