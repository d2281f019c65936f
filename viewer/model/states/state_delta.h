/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How a thread's states differ from those derived from its slices and wakeups (derived_states.h).
 *
 * A delta is a list of edits. Each edit says: put in so many rows of the delta, leave out so many
 * derived rows, keep so many derived rows. viewer/README.md has an example.
 */
#ifndef ANNOT_MODEL_STATE_DELTA_H
#define ANNOT_MODEL_STATE_DELTA_H

#include "model/tables.h"

struct state_edit {
	uint64_t nr_put_in;
	uint64_t nr_left_out;
	uint64_t nr_kept;
};

/* Of one thread. No edits: the derived rows are right. Zero-initialise; state_delta_free(). */
struct state_delta {
	size_t nr;
	size_t capacity;
	struct state_edit *edits;
	struct state_table rows; /* the rows that are put in */
	uint64_t nr_kept; /* sum over all edits */
};

/*
 * Called in the order of the rows: keeps the next @nr derived rows; leaves out the next derived
 * row; puts in a row that is not derived.
 */
void state_delta_keep(struct state_delta *thread, uint64_t nr);
void state_delta_leave_out(struct state_delta *thread);
void state_delta_put_in(struct state_delta *thread, uint64_t start_ns, enum thread_state state,
			int cpu);

/* To be called after the last row. Removes the edits if all derived rows are kept. */
void state_delta_finish(struct state_delta *thread);
void state_delta_free(struct state_delta *thread);

#endif /* ANNOT_MODEL_STATE_DELTA_H */
