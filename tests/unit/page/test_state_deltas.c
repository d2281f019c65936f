// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c tests/lib/rebuilt_states.c */
/*
 * What slices and wakeups imply, with the edits, is what the model says; and mostly without.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "any_events.h"
#include "events.h"
#include "page/state_deltas.h"
#include "rebuilt_states.h"

#define FIRST_TID 100
/* Returns how many rows had to be told. */
static size_t check_rebuilt(const struct model *model)
{
	struct state_delta *edits = state_deltas_find(model);
	struct state_table *rebuilt = rebuilt_states(model, edits);
	size_t nr_described = 0;

	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct state_table *states = &model->threads[i].states;

		assert_int_equal(rebuilt[i].nr, states->nr);
		for (size_t row = 0; row < states->nr; row++) {
			assert_int_equal(rebuilt[i].start_ns[row], states->start_ns[row]);
			assert_int_equal(rebuilt[i].state[row], states->state[row]);
			assert_int_equal(rebuilt[i].cpu[row], states->cpu[row]);
		}
		nr_described += edits[i].rows.nr;
	}
	rebuilt_states_free(rebuilt, model->nr_threads);
	state_deltas_free(edits, model->nr_threads);
	return nr_described;
}

/* Two threads that wake each other in turns, on one CPU. */
static void test_nothing_to_tell(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, FIRST_TID, TRACE_OUT_RUNNABLE);
	feed_switch_at(1050, 0, FIRST_TID, FIRST_TID + 1, TRACE_OUT_RUNNABLE);
	feed_switch_at(1060, 0, FIRST_TID + 1, FIRST_TID, TRACE_OUT_SLEEPING);
	for (uint64_t i = 1; i < 1000; i++) {
		int32_t out = FIRST_TID + (i + 1) % 2, in = FIRST_TID + i % 2;

		feed_wakeup_at(1000 + 100 * i, 0, out, in, 0);
		feed_switch_at(1050 + 100 * i, 0, out, in, TRACE_OUT_SLEEPING);
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
