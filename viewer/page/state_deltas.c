// SPDX-License-Identifier: GPL-2.0
#include "page/state_deltas.h"

#include <stdlib.h>

#include "model/states/derived_states.h"
#include "util/xalloc.h"

struct search {
	const struct model *model;
	struct state_delta *threads;
	size_t *at; /* the next row of each thread's states */
};

static void put_in(struct search *search, uint32_t thread)
{
	const struct state_table *states = &search->model->threads[thread].states;
	size_t row = search->at[thread]++;

	state_delta_put_in(&search->threads[thread], states->start_ns[row], states->state[row],
			   states->cpu[row]);
}

static bool is_next(const struct search *search, const struct derived_state *implied)
{
	const struct state_table *states = &search->model->threads[implied->thread].states;
	size_t at = search->at[implied->thread];

	return at < states->nr && states->start_ns[at] == implied->start_ns &&
	       states->state[at] == implied->state && states->cpu[at] == implied->cpu;
}

static void compare(void *context, const struct derived_state *implied)
{
	struct search *search = context;
	uint32_t thread = implied->thread;
	const struct state_table *states = &search->model->threads[thread].states;

	while (search->at[thread] < states->nr &&
	       states->start_ns[search->at[thread]] < implied->start_ns)
		put_in(search, thread);
	if (is_next(search, implied)) {
		state_delta_keep(&search->threads[thread], 1);
		search->at[thread]++;
	} else {
		state_delta_leave_out(&search->threads[thread]);
	}
}

struct state_delta *state_deltas_find(const struct model *model)
{
	struct search search = {
		.model = model,
		.threads = xcalloc(model->nr_threads + 1, sizeof(struct state_delta)),
		.at = xcalloc(model->nr_threads + 1, sizeof(size_t)),
	};

	derived_states_each(model, compare, &search);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		while (search.at[i] < model->threads[i].states.nr)
			put_in(&search, i);
		state_delta_finish(&search.threads[i]);
	}
	free(search.at);
	return search.threads;
}

void state_deltas_free(struct state_delta *threads, size_t nr_threads)
{
	for (size_t i = 0; i < nr_threads; i++)
		state_delta_free(&threads[i]);
	free(threads);
}
