/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Barriers at which the last thread to arrive was kept from running while others, who had arrived, spun for it.
 *
 * Of the time from the first arrival to the last, so much counts of each stretch in which the last thread was in the queue
 * of a CPU (preempted or runnable): that in which another thread ran there, or that in which at least one of those that had
 * arrived spun, whichever is less. While that spun, its own CPU could have run the last thread. The barrier was later by
 * no more than that, nor by more than the last thread came behind the one before it.
 */
#ifndef ANNOT_SPIN_STRAGGLERS_H
#define ANNOT_SPIN_STRAGGLERS_H

#include "analysis/spinning/spinning.h"

/* Who ran meanwhile where the last thread waited for a CPU. */
enum straggler_runner {
	RUNNER_SPUN, /* it had arrived, and spun */
	RUNNER_OWN, /* another thread of its program */
	RUNNER_OTHER, /* of another program */
	NR_STRAGGLER_RUNNERS,
};

struct spin_straggler_row {
	struct wait_group group; /* of the last threads' waits */
	uint64_t barriers;
	uint64_t times; /* of these, the last thread was kept from running */
	uint64_t queued_ns; /* for so long, while others spun */
	uint64_t any_spun_ns; /* in the queues, while at least one other spun ... */
	double spun_ns; /* ... and for all others together */
	uint64_t ran_ns[NR_STRAGGLER_RUNNERS];
	uint64_t lost_ns; /* elapsed time */
	uint64_t worst_ns; /* the most at one barrier: its evidence */
	uint64_t worst_from_ns;
	uint64_t worst_to_ns;
	uint32_t worst_thread;
	uint32_t worst_by; /* the thread that ran there longest */
	int worst_cpu;
};

struct spin_stragglers {
	size_t nr; /* groups in which this happened, the most lost first */
	struct spin_straggler_row *rows;
};

/* Never fails. spin_stragglers_free() frees what is in it. Cost: for each barrier, its members times the states of the last. */
struct spin_stragglers spin_stragglers_compute(const struct model *model,
					       const struct barriers *barriers,
					       const struct spinning *spinning);
void spin_stragglers_free(struct spin_stragglers *stragglers);

/* How many others spun while any did, on average, and the last thread waited for a CPU. */
double spin_stragglers_spinners(const struct spin_straggler_row *row);

#endif /* ANNOT_SPIN_STRAGGLERS_H */
