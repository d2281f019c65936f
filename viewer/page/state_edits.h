/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The edits of a model that has all of its states.
 */
#ifndef ANNOT_PAGE_STATE_EDITS_H
#define ANNOT_PAGE_STATE_EDITS_H

#include "model/edits.h"

/* One for each thread of the model; state_edits_free() frees them. */
struct thread_edits *state_edits_find(const struct model *model);
void state_edits_free(struct thread_edits *threads, size_t nr_threads);

#endif /* ANNOT_PAGE_STATE_EDITS_H */
