/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that were woken while another program ran on their CPU, on the critical path of the session: its segments in
 * which a thread is woken and does not run yet, by the program that ran there meanwhile.
 *
 * A request and its answer are no barrier. So delays.h does not see their cost, but the path does. If the path goes
 * through a sleep that no thread of the session ended, such as a sleep until a fixed time, that sleep may have become
 * shorter by the time that was lost before it. This time does not count as lost. Of a path with many segments, only the
 * longest are known. So the figures are lower bounds.
 */
#ifndef ANNOT_LATE_WAKEUPS_H
#define ANNOT_LATE_WAKEUPS_H

#include "analysis/regions/critical_path.h"
#include "analysis/base/programs.h"

struct late_wakeups_row {
	uint32_t victim; /* programs */
	uint32_t by;
	uint64_t times;
	uint64_t waited_ns;
	uint64_t lost_ns;
	uint64_t worst_ns; /* of one wakeup; its time and its thread */
	uint64_t worst_from_ns;
	uint64_t worst_to_ns;
	uint32_t worst_thread;
	size_t segment; /* of the path: the last that was counted */
	uint64_t open_ns; /* since the last such sleep */
};

struct late_wakeups {
	size_t nr;
	struct late_wakeups_row *rows;
};

/* Never fails. late_wakeups_free() frees what is in it. Cost: O(n log n) of the path's segments, and
 * of its sleeps for each pair of programs. */
struct late_wakeups late_wakeups_compute(const struct model *model, const struct programs *programs,
					 const struct critical_path *path);
void late_wakeups_free(struct late_wakeups *late);

#endif /* ANNOT_LATE_WAKEUPS_H */
