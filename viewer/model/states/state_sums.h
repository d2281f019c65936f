/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums of a thread's time in each state, by steps of time. A row costs one addition if it begins
 * and ends in the same step as the row before.
 */
#ifndef ANNOT_MODEL_STATE_SUMS_H
#define ANNOT_MODEL_STATE_SUMS_H

#include "model/states/state_log.h"

/* Zero-initialise. */
struct state_sums {
	uint64_t from_ns; /* rows in the sums begin here or later, */
	uint64_t until_ns; /* and ends here or before */
	uint64_t state_ns[NR_THREAD_STATES];
	uint64_t nr_rows[NR_THREAD_STATES];
	uint64_t nr_migrations;
};

/* Returns false if the row is not inside the current step. */
static inline bool state_sums_add(struct state_sums *sums, const struct state_row *row,
				  uint64_t end_ns)
{
	if (row->start_ns < sums->from_ns || end_ns > sums->until_ns)
		return false;
	sums->state_ns[row->state] += end_ns - row->start_ns;
	sums->nr_rows[row->state]++;
	sums->nr_migrations += row->migrated;
	return true;
}

/* Adds the sums to @totals and clears them. The next step begins at @from_ns and has @step_ns. */
void state_sums_move(struct state_sums *sums, struct state_checkpoint *totals, uint64_t from_ns,
		     uint64_t step_ns);

#endif /* ANNOT_MODEL_STATE_SUMS_H */
