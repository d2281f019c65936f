/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes the state deltas of a model that has all states.
 */
#ifndef ANNOT_PAGE_STATE_DELTAS_H
#define ANNOT_PAGE_STATE_DELTAS_H

#include "model/model.h"
#include "model/states/state_delta.h"

/* Returns one delta for each thread; free with state_deltas_free(). */
struct state_delta *state_deltas_find(const struct model *model);
void state_deltas_free(struct state_delta *threads, size_t nr_threads);

#endif /* ANNOT_PAGE_STATE_DELTAS_H */
