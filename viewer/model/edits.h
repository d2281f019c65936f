/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of a thread, told by what is different from those that its slices and wakeups imply
 * (implied.h): edits, each "put in so many rows, leave out so many, keep so many".
 */
#ifndef ANNOT_MODEL_EDITS_H
#define ANNOT_MODEL_EDITS_H

#include "model/model.h"

struct state_edit {
	uint64_t nr_put_in;
	uint64_t nr_left_out;
	uint64_t nr_kept;
};

/* Of one thread. No edits: what is implied is true. Zero-initialise; edits_free(). */
struct thread_edits {
	size_t nr;
	size_t capacity;
	struct state_edit *edits;
	struct state_column told; /* the rows that are put in */
	uint64_t nr_kept; /* of all edits */
};

/* What becomes of the next implied rows, or of the next true one; in order. */
void edits_keep(struct thread_edits *thread, uint64_t nr);
void edits_leave_out(struct thread_edits *thread);
void edits_put_in(struct thread_edits *thread, uint64_t start_ns, enum thread_state state, int cpu);

/* There are no more rows. */
void edits_finish(struct thread_edits *thread);
void edits_free(struct thread_edits *thread);

#endif /* ANNOT_MODEL_EDITS_H */
