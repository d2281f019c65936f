/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The states of a model's threads, made of what its slices and wakeups imply and of edits, as the
 * page's script does it.
 */
#ifndef TESTS_REBUILT_STATES_H
#define TESTS_REBUILT_STATES_H

#include "model/model.h"
#include "model/states/state_delta.h"

/* One column for each thread; fails if the edits do not fit. rebuilt_states_free() frees them. */
struct state_table *rebuilt_states(const struct model *model, const struct state_delta *edits);
void rebuilt_states_free(struct state_table *threads, size_t nr_threads);

#endif /* TESTS_REBUILT_STATES_H */
