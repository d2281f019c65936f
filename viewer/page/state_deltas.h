/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The edits of a model that has all of its states.
 */
#ifndef ANNOT_PAGE_STATE_DELTAS_H
#define ANNOT_PAGE_STATE_DELTAS_H

#include "model/model.h"
#include "model/state_delta.h"

/* One for each thread of the model; state_deltas_free() frees them. */
struct state_delta *state_deltas_find(const struct model *model);
void state_deltas_free(struct state_delta *threads, size_t nr_threads);

#endif /* ANNOT_PAGE_STATE_DELTAS_H */
