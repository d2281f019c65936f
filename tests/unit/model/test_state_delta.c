// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c tests/lib/rebuilt_states.c */
/*
 * Windows whose states are booked as edits have the same as those that have all of their rows; and
 * so have the rest, the totals, and what is told of times.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "any_events.h"
#include "events.h"
#include "model/builder_state.h"
#include "model/table_rows.h"
#include "model/window/table_copy.h"
#include "model/window/window.h"
#include "rebuilt_states.h"
#include "util/xalloc.h"

#define FIRST_TID 100
#define MAX_WINDOWS 400
#define MAX_THREADS 2000

/* One run of a script. */
struct run {
	size_t nr_windows;
	struct state_table *windows[MAX_WINDOWS]; /* of each thread */
	size_t nr_threads[MAX_WINDOWS];
	size_t nr_told;
	size_t nr_rows;
	uint64_t step_ns;
	/* Time in all steps, each of another weight, by thread and state. */
	uint64_t (*times)[NR_THREAD_STATES];
	uint64_t last_ns[MAX_THREADS]; /* of what was told of the thread */
};

static void add_time(struct run *run, uint32_t thread, enum thread_state state, uint64_t start_ns,
		     uint64_t end_ns)
{
	assert_true(thread < MAX_THREADS);
	while (start_ns < end_ns) {
		uint64_t step = start_ns / run->step_ns;
		uint64_t until_ns = (step + 1) * run->step_ns;

		until_ns = until_ns < end_ns ? until_ns : end_ns;
		run->times[thread][state] += (until_ns - start_ns) * (step * 2654435761u + 1);
		start_ns = until_ns;
	}
}

static void take_rows(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct run *run = context;
	struct state_table *threads = xcalloc(window->nr_threads + 1, sizeof(*threads));

	(void)from_ns;
	(void)to_ns;
	assert_null(window->state_deltas);
	for (uint32_t i = 0; i < window->nr_threads; i++) {
		const struct state_table *states = &window->threads[i].states;

		state_table_copy(&threads[i], states, 0, states->nr);
		for (size_t row = 0; row < states->nr; row++)
			add_time(run, i, states->state[row], states->start_ns[row],
				 states->start_ns[row + 1]);
	}
	assert_true(run->nr_windows < MAX_WINDOWS);
	run->nr_threads[run->nr_windows] = window->nr_threads;
	run->windows[run->nr_windows++] = threads;
}

static void take_edits(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	struct run *run = context;

	(void)from_ns;
	(void)to_ns;
	assert_non_null(window->state_deltas);
	assert_true(run->nr_windows < MAX_WINDOWS);
	for (size_t i = 0; i < window->nr_threads; i++) {
		assert_int_equal(window->threads[i].states.nr, 0);
		run->nr_told += window->state_deltas[i].rows.nr;
		run->nr_rows += window->state_deltas[i].rows.nr + window->state_deltas[i].nr_kept;
	}
	run->nr_threads[run->nr_windows] = window->nr_threads;
	run->windows[run->nr_windows++] = rebuilt_states(window, window->state_deltas);
}

/* Of each thread in order, and no further than to what it is told of next. */
static void take_state(void *context, uint32_t thread, enum thread_state state, uint64_t start_ns,
		       uint64_t end_ns)
{
	struct run *run = context;

	add_time(run, thread, state, start_ns, end_ns);
	assert_true(start_ns >= run->last_ns[thread]);
	run->last_ns[thread] = end_ns;
}

static void feed_script(unsigned int seed, int nr_events)
{
	uint64_t time_ns = 1000;

	srand(seed);
	for (int i = 0; i < nr_events; i++) {
		time_ns += (uint64_t)rand() % 3;
		feed_anything_at(time_ns, FIRST_TID, (unsigned int)rand());
	}
}

static struct model *run_script(struct run *run, const struct model_sink *sink, unsigned int seed,
				int nr_events, size_t nr_events_each)
{
	struct model_windows windows = { .sink = sink, .nr_events_each = nr_events_each };
	struct model_builder *builder = script_begin();

	run->times = xcalloc(MAX_THREADS, sizeof(*run->times));
	model_builder_use_windows(builder, &windows);
	feed_script(seed, nr_events);
	return model_builder_finish(builder);
}

static void expect_same_states(const struct state_table *got, const struct state_table *wanted)
{
	assert_int_equal(got->nr, wanted->nr);
	for (size_t i = 0; i < got->nr; i++) {
		assert_int_equal(got->start_ns[i], wanted->start_ns[i]);
		assert_int_equal(got->state[i], wanted->state[i]);
		assert_int_equal(got->cpu[i], wanted->cpu[i]);
	}
}

static void expect_same_run(const struct run *got, const struct run *wanted)
{
	assert_int_equal(got->nr_windows, wanted->nr_windows);
	for (size_t i = 0; i < got->nr_windows; i++) {
		assert_int_equal(got->nr_threads[i], wanted->nr_threads[i]);
		for (size_t thread = 0; thread < got->nr_threads[i]; thread++)
			expect_same_states(&got->windows[i][thread], &wanted->windows[i][thread]);
	}
	assert_memory_equal(got->times, wanted->times, MAX_THREADS * sizeof(*got->times));
}

static void expect_same_rest(const struct model *got, const struct model *wanted)
{
	assert_int_equal(got->nr_threads, wanted->nr_threads);
	for (size_t i = 0; i < got->nr_threads; i++) {
		const struct state_table *states = &got->threads[i].states;
		const struct state_table *others = &wanted->threads[i].states;

		expect_same_states(states, others);
		for (size_t row = 0; row < states->nr; row++) {
			assert_int_equal(states->end_ns[row], others->end_ns[row]);
			assert_int_equal(states->migrated[row], others->migrated[row]);
		}
		assert_memory_equal(&got->threads[i].totals, &wanted->threads[i].totals,
				    sizeof(got->threads[i].totals));
	}
}

static void free_run(struct run *run)
{
	for (size_t i = 0; i < run->nr_windows; i++)
		rebuilt_states_free(run->windows[i], run->nr_threads[i]);
	free(run->times);
}

/* Returns how many of a hundred rows had to be told. */
static size_t check(unsigned int seed, int nr_events, size_t nr_events_each, uint64_t step_ns)
{
	struct run got = { .step_ns = step_ns }, wanted = { .step_ns = step_ns };
	const struct model_sink rows = { .take = take_rows, .context = &wanted };
	const struct model_sink edits = {
		.take = take_edits, .context = &got, .state = take_state, .step_ns = step_ns
	};
	struct model *all = run_script(&wanted, &rows, seed, nr_events, nr_events_each);
	struct model *rest = run_script(&got, &edits, seed, nr_events, nr_events_each);
	size_t share = got.nr_rows ? got.nr_told * 100 / got.nr_rows : 0;

	expect_same_run(&got, &wanted);
	expect_same_rest(rest, all);
	free_run(&got);
	free_run(&wanted);
	model_free(all);
	model_free(rest);
	return share;
}

static void test_any_events(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 200; seed++)
		check(seed, 300, 1 + seed % 40, 1u << seed % 7);
}

static void test_many_events(void **state)
{
	(void)state;
	check(7, 20000, 5000, 64);
	check(8, 20000, 100, 32);
	check(9, 20000, 1000000, 1024);
}

static void feed_turns(void)
{
	feed_switch_at(1000, 0, 0, FIRST_TID, TRACE_OUT_RUNNABLE);
	for (uint64_t i = 1; i < 1000; i++) {
		int32_t out = FIRST_TID + (i + 1) % 2, in = FIRST_TID + i % 2;

		feed_wakeup_at(1000 + 100 * i, 0, out, in, 0);
		feed_switch_at(1050 + 100 * i, 0, out, in, TRACE_OUT_SLEEPING);
	}
}

/* Two threads that wake each other in turns: next to nothing is told but at cuts. */
static void test_turns(void **state)
{
	struct run run = { .step_ns = 1024 };
	const struct model_sink sink = {
		.take = take_edits, .context = &run, .state = take_state, .step_ns = 1024
	};
	struct model_windows windows = { .sink = &sink, .nr_events_each = 200 };
	struct model_builder *builder = script_begin();

	(void)state;
	run.times = xcalloc(MAX_THREADS, sizeof(*run.times));
	model_builder_use_windows(builder, &windows);
	feed_turns();
	model_free(model_builder_finish(builder));
	assert_int_equal(run.nr_windows, 10);
	assert_true(run.nr_rows > 2900);
	assert_true(run.nr_told <= 2 * run.nr_windows);
	free_run(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_any_events),
		cmocka_unit_test(test_many_events),
		cmocka_unit_test(test_turns),
	};

	return cmocka_run_group_tests_name("states as edits", tests, NULL, NULL);
}
