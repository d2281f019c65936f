/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where threads of a program meet, who came last, and by how much the meeting was late for what kept
 * them from running: delays.h says what that is.
 */
#ifndef ANNOT_ANALYSIS_SCHED_SYNC_POINTS_H
#define ANNOT_ANALYSIS_SCHED_SYNC_POINTS_H

#include "analysis/sched/delays.h"

struct sync_point {
	uint32_t program;
	bool is_end; /* the program's end */
	size_t nr_threads;
	uint32_t last; /* the thread that came last ... */
	uint64_t at_ns; /* ... and when */
	uint64_t since_ns; /* its meeting before */
	uint64_t late_ns[NR_DELAY_CAUSES]; /* elapsed, by which it was later */
	uint64_t waited_ns[NR_DELAY_CAUSES]; /* of all who were there before, in wait spans */
};

/* By thread: whether it comes to any meeting. free() it. */
bool *sync_points_threads(const struct model *model, const struct programs *programs);

/* All meetings, in order of time. Cost: O(n log n) over spans and delays. */
void sync_points_each(const struct model *model, const struct programs *programs,
		      const struct delays *delays,
		      void (*take)(void *context, const struct sync_point *point), void *context);

#endif /* ANNOT_ANALYSIS_SCHED_SYNC_POINTS_H */
