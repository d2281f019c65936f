// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/events.c */
/*
 * What slices and wakeups imply, with the edits, is what the model says; and mostly without.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "events.h"
#include "page/implied.h"
#include "page/state_edits.h"

#define FIRST_TID 100
#define MAX_THREADS 256

/* Takes the edits as the page's script does. */
struct rebuilt {
	const struct model *model;
	const struct thread_edits *edits;
	size_t edit[MAX_THREADS];
	size_t put_in[MAX_THREADS];
	uint64_t left_out[MAX_THREADS];
	uint64_t kept[MAX_THREADS];
	size_t nr[MAX_THREADS];
};

static void expect_row(struct rebuilt *rebuilt, uint32_t thread, uint64_t start_ns, uint8_t state,
		       int16_t cpu)
{
	const struct state_column *states = &rebuilt->model->threads[thread].states;
	size_t row = rebuilt->nr[thread]++;

	assert_true(row < states->nr);
	assert_int_equal(states->start_ns[row], start_ns);
	assert_int_equal(states->state[row], state);
	assert_int_equal(states->cpu[row], cpu);
}

static void next_edit(struct rebuilt *rebuilt, uint32_t thread)
{
	const struct thread_edits *own = &rebuilt->edits[thread];
	const struct state_column *states = &rebuilt->model->threads[thread].states;

	while (!rebuilt->left_out[thread] && !rebuilt->kept[thread] &&
	       rebuilt->edit[thread] < own->nr) {
		const struct state_edit *edit = &own->edits[rebuilt->edit[thread]++];

		for (uint64_t i = 0; i < edit->nr_put_in; i++) {
			size_t row = own->rows[rebuilt->put_in[thread]++];

			expect_row(rebuilt, thread, states->start_ns[row], states->state[row],
				   states->cpu[row]);
		}
		rebuilt->left_out[thread] = edit->nr_left_out;
		rebuilt->kept[thread] = edit->nr_kept;
	}
}

static void take(void *context, const struct implied_state *implied)
{
	struct rebuilt *rebuilt = context;
	uint32_t thread = implied->thread;

	if (!rebuilt->edits[thread].nr) {
		expect_row(rebuilt, thread, implied->start_ns, implied->state, implied->cpu);
		return;
	}
	if (rebuilt->left_out[thread]) {
		rebuilt->left_out[thread]--;
	} else {
		assert_true(rebuilt->kept[thread] > 0);
		rebuilt->kept[thread]--;
		expect_row(rebuilt, thread, implied->start_ns, implied->state, implied->cpu);
	}
	next_edit(rebuilt, thread);
}

/* Returns how many rows had to be told. */
static size_t check_rebuilt(const struct model *model)
{
	struct thread_edits *edits = state_edits_find(model);
	struct rebuilt rebuilt = { .model = model, .edits = edits };
	size_t nr_told = 0;

	assert_true(model->nr_threads <= MAX_THREADS);
	for (uint32_t i = 0; i < model->nr_threads; i++)
		next_edit(&rebuilt, i);
	implied_states(model, take, &rebuilt);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		assert_int_equal(rebuilt.nr[i], model->threads[i].states.nr);
		assert_int_equal(rebuilt.edit[i], edits[i].nr);
		assert_int_equal(rebuilt.put_in[i], edits[i].nr_rows);
		nr_told += edits[i].nr_rows;
	}
	state_edits_free(edits, model->nr_threads);
	return nr_told;
}

/* Two threads that wake each other in turns, on one CPU. */
static void test_nothing_to_tell(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, FIRST_TID, TRACE_OUT_RUNNABLE);
	feed_switch_at(1050, 0, FIRST_TID, FIRST_TID + 1, TRACE_OUT_RUNNABLE);
	feed_switch_at(1060, 0, FIRST_TID + 1, FIRST_TID, TRACE_OUT_BLOCKED);
	for (uint64_t i = 1; i < 1000; i++) {
		int32_t out = FIRST_TID + (i + 1) % 2, in = FIRST_TID + i % 2;

		feed_wakeup_at(1000 + 100 * i, 0, out, in, 0);
		feed_switch_at(1050 + 100 * i, 0, out, in, TRACE_OUT_BLOCKED);
	}
	model = script_end();
	assert_true(model->threads[0].states.nr > 1400);
	/* The threads are first seen, and that is all. */
	assert_true(check_rebuilt(model) <= 2);
	model_free(model);
}

static void test_whatever_happens(void **state)
{
	(void)state;
	srand(1);
	for (int i = 0; i < 300; i++) {
		struct model *model;
		uint64_t time_ns = 1000;

		script_begin();
		for (int j = 0; j < 200; j++) {
			time_ns += (uint64_t)rand() % 3;
			feed_anything_at(time_ns, FIRST_TID, (unsigned int)rand());
		}
		model = script_end();
		check_rebuilt(model);
		model_free(model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_to_tell),
		cmocka_unit_test(test_whatever_happens),
	};

	return cmocka_run_group_tests_name("states that are implied", tests, NULL, NULL);
}
