// SPDX-License-Identifier: GPL-2.0
#include "page/state_edits.h"

#include <stdlib.h>

#include "page/implied.h"
#include "util/xalloc.h"

/* The edit that is being made: a new one if rows have been kept since. */
static struct state_edit *change(struct thread_edits *thread)
{
	if (thread->nr && !thread->edits[thread->nr - 1].nr_kept)
		return &thread->edits[thread->nr - 1];
	if (thread->nr == thread->capacity) {
		thread->capacity = grown_capacity(thread->capacity, thread->nr + 1);
		thread->edits = xrealloc_array(thread->edits, thread->capacity,
					       sizeof(*thread->edits));
	}
	thread->edits[thread->nr] = (struct state_edit){ 0 };
	return &thread->edits[thread->nr++];
}

static void keep(struct thread_edits *thread)
{
	if (!thread->nr)
		change(thread);
	thread->edits[thread->nr - 1].nr_kept++;
	thread->at++;
}

static void put_in(struct thread_edits *thread)
{
	if (thread->nr_rows == thread->rows_capacity) {
		thread->rows_capacity = grown_capacity(thread->rows_capacity, thread->nr_rows + 1);
		thread->rows = xrealloc_array(thread->rows, thread->rows_capacity,
					      sizeof(*thread->rows));
	}
	thread->rows[thread->nr_rows++] = thread->at++;
	change(thread)->nr_put_in++;
}

static bool is_next(const struct thread_edits *thread, const struct implied_state *implied)
{
	const struct state_column *states = thread->states;
	size_t at = thread->at;

	return at < states->nr && states->start_ns[at] == implied->start_ns &&
	       states->state[at] == implied->state && states->cpu[at] == implied->cpu;
}

static void compare(void *context, const struct implied_state *implied)
{
	struct thread_edits *thread = (struct thread_edits *)context + implied->thread;
	const struct state_column *states = thread->states;

	if (is_next(thread, implied)) {
		keep(thread);
		return;
	}
	while (thread->at < states->nr && states->start_ns[thread->at] < implied->start_ns)
		put_in(thread);
	if (is_next(thread, implied))
		keep(thread);
	else
		change(thread)->nr_left_out++;
}

/* What is kept from the first row to the last needs no telling. */
static void finish(struct thread_edits *thread, const struct state_column *states)
{
	while (thread->at < states->nr)
		put_in(thread);
	if (thread->nr == 1 && !thread->edits[0].nr_put_in && !thread->edits[0].nr_left_out)
		thread->nr = 0;
}

struct thread_edits *state_edits_find(const struct model *model)
{
	struct thread_edits *threads = xcalloc(model->nr_threads + 1, sizeof(*threads));

	for (size_t i = 0; i < model->nr_threads; i++)
		threads[i].states = &model->threads[i].states;
	implied_states(model, compare, threads);
	for (size_t i = 0; i < model->nr_threads; i++)
		finish(&threads[i], &model->threads[i].states);
	return threads;
}

void state_edits_free(struct thread_edits *threads, size_t nr_threads)
{
	for (size_t i = 0; i < nr_threads; i++) {
		free(threads[i].edits);
		free(threads[i].rows);
	}
	free(threads);
}
