/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that were woken while another program ran on their CPU, where the end of the session waited
 * for it: the segments of its critical path in which a thread is woken and does not run yet, by who
 * ran there meanwhile.
 *
 * A request and its answer are no barrier, so delays.h knows nothing of what they cost; the path does.
 * Where it goes through a sleep that nobody of the session ended, as one until a certain time, that
 * may have been as much shorter as what came before it was longer: so much is not counted as lost. Of
 * a path with many segments only the longest are known. So it is a lower bound.
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
	uint64_t worst_ns; /* of one wakeup; when that was, and whose */
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
