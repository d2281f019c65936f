/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time in the states of one thread, gathered in steps of time: a row costs an addition as long as it
 * begins and ends in the same step as the one before.
 */
#ifndef ANNOT_MODEL_STATE_SUMS_H
#define ANNOT_MODEL_STATE_SUMS_H

#include "model/state_log.h"

/* Zero-initialise. */
struct state_sums {
	uint64_t from_ns; /* what is gathered begins here or later, */
	uint64_t until_ns; /* and ends here or before */
	uint64_t state_ns[NR_THREAD_STATES];
	uint64_t nr_rows[NR_THREAD_STATES];
	uint64_t nr_migrations;
};

/* False: it is too long, or elsewhere. */
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

/* Adds up to @totals what was gathered. It begins anew at @from_ns, in steps of @step_ns. */
void state_sums_move(struct state_sums *sums, struct state_checkpoint *totals, uint64_t from_ns,
		     uint64_t step_ns);

#endif /* ANNOT_MODEL_STATE_SUMS_H */
