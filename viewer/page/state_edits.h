/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What must be changed in the states that slices and wakeups imply (implied.h) to have a thread's
 * true ones: edits, each "put in so many rows, leave out so many, keep so many".
 */
#ifndef ANNOT_PAGE_STATE_EDITS_H
#define ANNOT_PAGE_STATE_EDITS_H

#include "model/model.h"

struct state_edit {
	uint64_t nr_put_in;
	uint64_t nr_left_out;
	uint64_t nr_kept;
};

/* Of one thread. No edits: what is implied is true. */
struct thread_edits {
	size_t nr;
	size_t capacity;
	struct state_edit *edits;
	size_t nr_rows; /* of the thread's states, that are put in */
	size_t rows_capacity;
	size_t *rows;
	const struct state_column *states; /* while they are found */
	size_t at; /* the next of these */
};

/* One for each thread of the model; state_edits_free() frees them. */
struct thread_edits *state_edits_find(const struct model *model);
void state_edits_free(struct thread_edits *threads, size_t nr_threads);

#endif /* ANNOT_PAGE_STATE_EDITS_H */
