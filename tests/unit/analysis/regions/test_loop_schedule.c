// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/named_events.c */
/*
 * Loops whose chunks the runtime hands out, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/regions/loop_schedule.h"
#include "named_events.h"

/* Thread @thread is in the loop from @from_ns to @to_ns. */
static void loop_part(const char *name, int thread, uint64_t from_ns, uint64_t to_ns,
		      int64_t chunks, int64_t dispatch_ns)
{
	feed_named_at(from_ns, thread, TRACE_SPAN_BEGIN, name, 0);
	feed_named_at(to_ns, thread, TRACE_MARK, "@chunks", chunks);
	if (dispatch_ns)
		feed_named_at(to_ns, thread, TRACE_MARK, "@dispatch_ns", dispatch_ns);
	feed_named_at(to_ns, thread, TRACE_SPAN_END, NULL, 0);
}

static struct findings findings_of(const struct model *model, struct loop_schedule *schedule)
{
	struct findings findings = findings_new(model);

	*schedule = loop_schedule_compute(model);
	loop_schedule_add_findings(model, schedule, &findings);
	return findings;
}

static void free_all(struct model *model, struct loop_schedule *schedule, struct findings *findings)
{
	findings_free(findings);
	loop_schedule_free(schedule);
	model_free(model);
}

/* Two instances of 4 threads; 5 chunks a thread. In the second, thread 3 has a chunk when the others are done. */
static void test_too_coarse(void **state)
{
	static const uint64_t ends_ns[2][4] = { { 6000, 6000, 6000, 6000 },
						{ 12000, 12000, 12000, 13000 } };
	struct loop_schedule schedule;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	for (int instance = 0; instance < 2; instance++)
		for (int thread = 0; thread < 4; thread++)
			loop_part("for a.c:1", thread, instance ? 7000 : 1000,
				  ends_ns[instance][thread], 5, 0);
	model = named_end(14000);
	findings = findings_of(model, &schedule);
	assert_int_equal(schedule.nr, 1);
	assert_string_equal(trace_string(named_trace(), schedule.loops[0].name), "for a.c:1");
	assert_int_equal(schedule.loops[0].instances, 2);
	assert_int_equal(schedule.loops[0].most_threads, 4);
	assert_int_equal(schedule.loops[0].chunks, 40);
	assert_int_equal(schedule.loops[0].elapsed_ns, 5000 + 6000);
	assert_int_equal(schedule.loops[0].thread_ns, 20000 + 15000 + 6000);
	/* 6000 less the average of 5000, 5000, 5000, 6000. */
	assert_int_equal(schedule.loops[0].tail_ns, 750);
	assert_int_equal(schedule.loops[0].worst_from_ns, 7000 - NAMED_START_NS);
	assert_int_equal(schedule.loops[0].worst_to_ns, 13000 - NAMED_START_NS);
	assert_int_equal(model->threads[schedule.loops[0].worst_thread].tid, NAMED_FIRST_TID + 3);
	assert_int_equal((int)loop_schedule_chunk_ns(&schedule.loops[0]), 1025);
	assert_false(schedule.loops[0].has_dispatch);
	/* 750 of 11000 is 7 %. */
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 750);
	assert_non_null(strstr(findings.rows[0].text, "too coarsely: 5.0 chunks for each of 4"));
	free_all(model, &schedule, &findings);
}

/* The same tail, from chunks that are much shorter: something else is the cause. */
static void test_other_cause(void **state)
{
	struct loop_schedule schedule;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	for (int thread = 0; thread < 4; thread++)
		loop_part("for a.c:1", thread, 1000, thread ? 6000 : 9000, 400, 10);
	model = named_end(14000);
	findings = findings_of(model, &schedule);
	assert_int_equal(schedule.loops[0].tail_ns, 2250);
	assert_int_equal(findings.nr, 0);
	free_all(model, &schedule, &findings);
}

/* Few chunks, and a tail of many: a thread was held up. */
static void test_held_up(void **state)
{
	struct loop_schedule schedule;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	for (int thread = 0; thread < 4; thread++)
		loop_part("for a.c:1", thread, 1000, thread ? 2000 : 9000, 10, 0);
	model = named_end(14000);
	findings = findings_of(model, &schedule);
	assert_int_equal(schedule.loops[0].tail_ns, 5250);
	assert_int_equal((int)loop_schedule_chunk_ns(&schedule.loops[0]), 275);
	assert_int_equal(findings.nr, 0);
	free_all(model, &schedule, &findings);
}

/* One thread after the other: two instances, of one thread each. */
static void test_one_after_the_other(void **state)
{
	struct loop_schedule schedule;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	loop_part("for a.c:1", 0, 1000, 2000, 5, 0);
	loop_part("for a.c:1", 1, 2000, 4000, 5, 0);
	model = named_end(5000);
	findings = findings_of(model, &schedule);
	assert_int_equal(schedule.loops[0].instances, 2);
	assert_int_equal(schedule.loops[0].most_threads, 1);
	assert_int_equal(schedule.loops[0].elapsed_ns, 3000);
	free_all(model, &schedule, &findings);
}

/* 800 and 1200 of 5000 ns of the threads go into getting 100 chunks. */
static void test_too_fine(void **state)
{
	struct loop_schedule schedule;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	for (int thread = 0; thread < 2; thread++)
		loop_part("for b.c:2", thread, 1000, 6000, 100, thread ? 1200 : 800);
	model = named_end(14000);
	findings = findings_of(model, &schedule);
	assert_true(schedule.loops[0].has_dispatch);
	assert_int_equal(schedule.loops[0].dispatch_ns, 2000);
	assert_int_equal((int)loop_schedule_chunk_ns(&schedule.loops[0]), 40);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 1200);
	assert_non_null(strstr(findings.rows[0].text, "too finely: 200 chunks of 40 ns"));
	assert_non_null(strstr(findings.rows[0].text, "20 % of its threads' time"));
	free_all(model, &schedule, &findings);
}

/* With nowait, a thread is in the next instance while another is in this one. */
static void test_nowait(void **state)
{
	struct loop_schedule schedule;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	loop_part("for a.c:1", 0, 1000, 2000, 50, 1);
	loop_part("for a.c:1", 0, 2000, 3000, 50, 1);
	loop_part("for a.c:1", 1, 1000, 2500, 50, 1);
	loop_part("for a.c:1", 1, 2500, 3100, 50, 1);
	model = named_end(4000);
	findings = findings_of(model, &schedule);
	assert_int_equal(schedule.loops[0].instances, 2);
	assert_int_equal(schedule.loops[0].parts, 4);
	assert_int_equal(schedule.loops[0].chunks, 200);
	assert_int_equal(findings.nr, 0);
	free_all(model, &schedule, &findings);
}

/* Notes that nobody would make. */
static void test_odd_notes(void **state)
{
	struct loop_schedule schedule;
	struct findings findings;
	struct model *model;

	(void)state;
	named_begin();
	feed_named_at(1000, 0, TRACE_MARK, "@chunks", 5);
	feed_named_at(1000, 0, TRACE_MARK, "@dispatch_ns", 5);
	loop_part("for a.c:1", 0, 1000, 2000, -1, -1);
	loop_part("for c.c:3", 0, 2000, 2000, 0, 0);
	model = named_end(4000);
	findings = findings_of(model, &schedule);
	assert_int_equal(schedule.nr, 1);
	assert_int_equal(schedule.loops[0].chunks, 0);
	assert_int_equal(findings.nr, 0);
	free_all(model, &schedule, &findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_too_coarse),
		cmocka_unit_test(test_other_cause),
		cmocka_unit_test(test_too_fine),
		cmocka_unit_test(test_nowait),
		cmocka_unit_test(test_odd_notes),
		cmocka_unit_test(test_held_up),
		cmocka_unit_test(test_one_after_the_other),
	};

	return cmocka_run_group_tests_name("loop_schedule", tests, named_open_trace,
					   named_close_trace);
}
