/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time that threads spun: on a CPU inside wait spans (spin_waits.h); and what that cost others.
 *
 * Spinning costs CPU time. It costs elapsed time only where another thread of the session had work to do and waited for
 * the CPU meanwhile. A thread has work to do outside its wait spans, and in a barrier that has let it go. If several
 * threads waited for the CPU of one that spun, each of them would have had an equal share of it. What they would have
 * gained makes the session later as far as it made meetings later: delays.h says how.
 */
#ifndef ANNOT_SPINNING_H
#define ANNOT_SPINNING_H

#include "analysis/regions/barriers.h"
#include "analysis/spinning/wait_groups.h"

/* Of the waits of one group. */
struct spin_row {
	struct wait_group group;
	size_t nr_threads;
	uint64_t waits;
	uint64_t spun_waits; /* of these, threads spun in them */
	uint64_t wait_ns; /* of all */
	uint64_t spun_ns; /* of that, on a CPU, spinning */
	uint64_t wanted_ns; /* of that, other threads wanted the CPU */
	uint64_t lost_ns; /* elapsed time */
	uint64_t until_ns; /* up to where lost_ns counts so far */
	uint64_t shown_ns; /* the evidence: the most that was wanted at once, else spun ... */
	bool is_wanted; /* ... and which of them */
	uint64_t shown_from_ns;
	uint64_t shown_to_ns;
	uint32_t shown_thread;
	uint32_t shown_waiting; /* MODEL_NO_THREAD: none */
	int shown_cpu; /* -1: of several */
	uint32_t last_thread; /* that was counted in nr_threads */
};

struct spinning {
	struct programs programs;
	uint64_t *cpu_ns; /* by program: of its threads in the session */
	uint64_t *wait_spun_ns; /* beside the rows of the barriers' waits */
	size_t nr; /* groups in which threads spun, the longest first */
	struct spin_row *rows;
};

/* Never fails. spinning_free() frees what is in it. Cost: O(n log n) over states, slices and spans. */
struct spinning spinning_compute(const struct model *model, const struct barriers *barriers);
void spinning_free(struct spinning *spinning);

#endif /* ANNOT_SPINNING_H */
