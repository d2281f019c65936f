// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c */
/*
 * Wakeups as a page has them: decoded as its script does it, they are the model's; and mostly told by
 * zeros.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "any_events.h"
#include "events.h"
#include "page/wakeups.h"

#define FIRST_TID 100
#define MAX_THREADS 256

/* What the model says of the CPU's next wakeup, from @row on. */
static size_t next_row(const struct wakeup_table *wakeups, int cpu, size_t row)
{
	while (row < wakeups->nr && wakeups->cpu[row] != cpu)
		row++;
	return row;
}

static uint32_t decode_waker(uint32_t code, uint32_t runner)
{
	if (code == WAKER_EXPECTED)
		return runner;
	return code == WAKER_NONE ? MODEL_NO_THREAD : code - WAKER_FIRST;
}

/* Returns how many numbers had to be told that are not expected. */
static size_t check_cpu(const struct model *model, int cpu, const struct coded_wakeups *coded,
			uint32_t *woken)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;
	const struct wakeup_table *wakeups = &model->wakeups;
	size_t place = 0, nr_told = 0, row = next_row(wakeups, cpu, 0);

	for (size_t i = coded->first[cpu]; i < coded->first[cpu + 1]; i++) {
		uint64_t since_ns = 0;
		uint32_t waker, runner = MODEL_NO_THREAD;

		place += coded->steps[i];
		if (place % 2) {
			since_ns = slices->start_ns[place / 2];
			runner = slices->thread[place / 2];
		} else if (place) {
			since_ns = slices->end_ns[place / 2 - 1];
		}
		waker = decode_waker(coded->wakers[i], runner);
		if (coded->wakees[i])
			woken[(uint32_t)(waker + 1)] = coded->wakees[i];
		assert_true(row < wakeups->nr);
		assert_int_equal(wakeups->time_ns[row], since_ns + coded->since_ns[i]);
		assert_int_equal(wakeups->waker[row], waker);
		assert_int_equal(wakeups->wakee[row], woken[(uint32_t)(waker + 1)] - WAKEE_FIRST);
		nr_told += (coded->wakers[i] != 0) + (coded->wakees[i] != 0);
		row = next_row(wakeups, cpu, row + 1);
	}
	assert_int_equal(row, wakeups->nr);
	return nr_told;
}

static size_t check(const struct model *model)
{
	struct coded_wakeups coded = wakeups_code(model);
	uint32_t woken[MAX_THREADS + 1] = { 0 };
	size_t nr_told = 0;

	assert_true(model->nr_threads <= MAX_THREADS);
	assert_int_equal(coded.first[0], 0);
	assert_int_equal(coded.first[model->nr_cpus], model->wakeups.nr);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		nr_told += check_cpu(model, cpu, &coded, woken);
	coded_wakeups_free(&coded);
	return nr_told;
}

/* Two threads that wake each other in turns, on one CPU: who wakes whom is told once. */
static void test_turns(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, FIRST_TID, TRACE_OUT_RUNNABLE);
	for (uint64_t i = 1; i < 1000; i++) {
		int32_t out = FIRST_TID + (i + 1) % 2, in = FIRST_TID + i % 2;

		feed_wakeup_at(1000 + 100 * i, 0, out, in, 0);
		feed_switch_at(1050 + 100 * i, 0, out, in, TRACE_OUT_SLEEPING);
	}
	model = script_end();
	assert_int_equal(model->wakeups.nr, 999);
	assert_int_equal(check(model), 2);
	model_free(model);
}

static void test_whatever_happens(void **state)
{
	size_t nr = 0;

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
		nr += model->wakeups.nr;
		check(model);
		model_free(model);
	}
	assert_true(nr > 1000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_whatever_happens),
	};

	return cmocka_run_group_tests_name("wakeups of a page", tests, NULL, NULL);
}
