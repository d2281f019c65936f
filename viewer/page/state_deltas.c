// SPDX-License-Identifier: GPL-2.0
#include "page/state_edits.h"

#include <stdlib.h>

#include "model/implied.h"
#include "util/xalloc.h"

struct search {
	const struct model *model;
	struct thread_edits *threads;
	size_t *at; /* the next row of each thread's states */
};

static void put_in(struct search *search, uint32_t thread)
{
	const struct state_column *states = &search->model->threads[thread].states;
	size_t row = search->at[thread]++;

	edits_put_in(&search->threads[thread], states->start_ns[row], states->state[row],
		     states->cpu[row]);
}

static bool is_next(const struct search *search, const struct implied_state *implied)
{
	const struct state_column *states = &search->model->threads[implied->thread].states;
	size_t at = search->at[implied->thread];

	return at < states->nr && states->start_ns[at] == implied->start_ns &&
	       states->state[at] == implied->state && states->cpu[at] == implied->cpu;
}

static void compare(void *context, const struct implied_state *implied)
{
	struct search *search = context;
	uint32_t thread = implied->thread;
	const struct state_column *states = &search->model->threads[thread].states;

	while (search->at[thread] < states->nr &&
	       states->start_ns[search->at[thread]] < implied->start_ns)
		put_in(search, thread);
	if (is_next(search, implied)) {
		edits_keep(&search->threads[thread], 1);
		search->at[thread]++;
	} else {
		edits_leave_out(&search->threads[thread]);
	}
}

struct thread_edits *state_edits_find(const struct model *model)
{
	struct search search = {
		.model = model,
		.threads = xcalloc(model->nr_threads + 1, sizeof(struct thread_edits)),
		.at = xcalloc(model->nr_threads + 1, sizeof(size_t)),
	};

	implied_states(model, compare, &search);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		while (search.at[i] < model->threads[i].states.nr)
			put_in(&search, i);
		edits_finish(&search.threads[i]);
	}
	free(search.at);
	return search.threads;
}

void state_edits_free(struct thread_edits *threads, size_t nr_threads)
{
	for (size_t i = 0; i < nr_threads; i++)
		edits_free(&threads[i]);
	free(threads);
}
