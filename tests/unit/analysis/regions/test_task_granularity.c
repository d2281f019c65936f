// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/named_events.c */
/*
 * Lengths of tasks and the gaps between them, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/regions/task_granularity.h"
#include "named_events.h"

/* 2 threads execute 200 tasks each, of 30 ns, one each 40 ns; between tasks they are in a barrier. */
static struct model *small_tasks(uint64_t length_ns, uint64_t gap_ns)
{
	uint64_t end_ns = 0;

	named_begin();
	for (int thread = 0; thread < 2; thread++) {
		uint64_t at_ns = 2000;

		feed_named_at(1000, thread, TRACE_SPAN_BEGIN, "parallel a.c:1", 1);
		for (int i = 0; i < 200; i++, at_ns += length_ns + gap_ns) {
			feed_named_work_at(at_ns, at_ns + length_ns, thread, "task f a.c:2", 0);
			feed_named_wait_at(at_ns + length_ns, at_ns + length_ns + gap_ns, thread,
					   "barrier", 0);
		}
		feed_named_at(at_ns, thread, TRACE_SPAN_END, NULL, 0);
		end_ns = at_ns;
	}
	return named_end(end_ns + 1000);
}

static void test_small(void **state)
{
	struct model *model = small_tasks(30, 10);
	struct task_granularity granularity = task_granularity_compute(model);
	struct findings findings = findings_new(model);

	(void)state;
	assert_int_equal(granularity.nr, 1);
	assert_int_equal(granularity.tasks[0].tasks, 400);
	assert_int_equal(granularity.tasks[0].threads, 2);
	assert_int_equal(granularity.tasks[0].self_ns, 400 * 30);
	assert_int_equal(granularity.tasks[0].median_ns, 30);
	assert_int_equal(granularity.tasks[0].gaps, 2 * 199);
	assert_int_equal(granularity.tasks[0].gap_ns, 10);
	assert_float_equal(task_granularity_gap_share(&granularity.tasks[0]), 0.25, 1e-6);
	task_granularity_add_findings(model, &granularity, &findings);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 400 * 10 / 2);
	findings_free(&findings);
	task_granularity_free(&granularity);
	model_free(model);
}

static void test_large(void **state)
{
	struct model *model = small_tasks(100, 10);
	struct task_granularity granularity = task_granularity_compute(model);
	struct findings findings = findings_new(model);

	(void)state;
	task_granularity_add_findings(model, &granularity, &findings);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	task_granularity_free(&granularity);
	model_free(model);
}

/* A task that waits for the two that it creates, which the same thread executes; then other work. */
static void test_nested(void **state)
{
	struct task_granularity granularity;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_at(1000, 0, TRACE_SPAN_BEGIN, "task f a.c:2", 0);
	feed_named_wait_at(1100, 1200, 0, "taskwait", 0);
	feed_named_work_at(1200, 1500, 0, "task f a.c:2", 0);
	feed_named_work_at(1550, 1600, 0, "task g a.c:3", 0);
	feed_named_work_at(1600, 1700, 0, "for a.c:4", 0);
	feed_named_work_at(1700, 1720, 0, "task g a.c:3", 0);
	feed_named_at(2000, 0, TRACE_SPAN_END, NULL, 0);
	feed_named_work_at(2000, 2100, 0, "tasks", 0);
	model = named_end(3000);
	granularity = task_granularity_compute(model);
	assert_int_equal(granularity.nr, 2);
	assert_int_equal(granularity.tasks[0].tasks, 2);
	/* Of 1000: less 100 in the wait, 300, 50 and 20 in tasks; and 300. */
	assert_int_equal(granularity.tasks[0].self_ns, 1000 - 100 - 300 - 50 - 20 + 300);
	assert_int_equal(granularity.tasks[0].gaps, 0);
	assert_int_equal(granularity.tasks[1].tasks, 2);
	assert_int_equal(granularity.tasks[1].self_ns, 70);
	/* After the loop, the time is not the runtime's. */
	assert_int_equal(granularity.tasks[1].gaps, 1);
	assert_int_equal(granularity.tasks[1].gap_ns, 50);
	task_granularity_free(&granularity);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_small),
		cmocka_unit_test(test_large),
		cmocka_unit_test(test_nested),
	};

	return cmocka_run_group_tests_name("task_granularity", tests, named_open_trace,
					   named_close_trace);
}
