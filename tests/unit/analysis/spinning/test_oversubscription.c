// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Programs with more threads ready to run than CPUs, from made-up events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/spinning/oversubscription_findings.h"
#include "events.h"

#define A 101 /* to A + 3 */
#define STRANGER 50
#define PROGRAM 14u
#define TURN_NS 100

struct fixture {
	struct trace *trace; /* only so that there are strings */
	struct model *model;
	struct task_stats *stats;
	struct barriers barriers;
	struct spinning spinning;
	struct critical_path path;
	struct oversubscription over;
	struct findings findings;
};

static struct fixture look_at(struct model *model)
{
	struct fixture fixture = { .model = model };
	struct path_finder finder;
	uint64_t until_ns;
	uint32_t last = critical_path_last_on_cpu(model, &until_ns);

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &fixture.trace), 0);
	model->trace = fixture.trace;
	fixture.stats = task_stats_compute(model);
	fixture.barriers = barriers_compute(model);
	fixture.spinning = spinning_compute(model, &fixture.barriers);
	fixture.findings = findings_new(model);
	finder = path_finder_new(model, fixture.stats, &fixture.barriers);
	fixture.path = critical_path_compute(&finder, last, fixture.findings.session_from_ns,
					     until_ns);
	path_finder_free(&finder);
	fixture.over = oversubscription_compute(model);
	oversubscription_add_findings(model, &fixture.over, &fixture.path, &fixture.spinning,
				      &fixture.findings);
	return fixture;
}

static void done_with(struct fixture *fixture)
{
	findings_free(&fixture->findings);
	oversubscription_free(&fixture->over);
	critical_path_free(&fixture->path);
	spinning_free(&fixture->spinning);
	barriers_free(&fixture->barriers);
	task_stats_free(fixture->stats);
	model_free(fixture->model);
	trace_close(fixture->trace);
}

/* A runs on CPU 0, A + 1 on CPU 1; A + 2 and A + 3, if asked for, wait for CPU 0 and CPU 1. */
static void begin(int nr_threads)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_mark_of_process_at(1000, 0, A, A);
	feed_rename_at(1000, 0, A, A, PROGRAM);
	for (int i = 1; i < nr_threads; i++) {
		feed_fork_at(1000, 0, A, A + i, true);
		feed_wakeup_new_at(1000, 0, A, A + i, i % 2);
	}
	feed_switch_at(1000, 1, 0, A + 1, TRACE_OUT_RUNNABLE);
}

/* On CPU @cpu, @first and @second take turns from @from_ns, @nr in all; the first is @first. */
static uint64_t take_turns(uint64_t from_ns, int cpu, int first, int second, int nr)
{
	for (int turn = 1; turn < nr; turn++) {
		from_ns += TURN_NS;
		feed_switch_at(from_ns, cpu, turn % 2 ? first : second, turn % 2 ? second : first,
			       TRACE_OUT_RUNNABLE);
	}
	return from_ns + TURN_NS;
}

/* Four on two CPUs, for @nr turns, @nr even; then A + 2 and A + 3 end, and then A and A + 1 at @end_ns. */
static struct fixture four_on_two(int nr, uint64_t end_ns)
{
	uint64_t now_ns = 1000;

	begin(4);
	for (int turn = 1; turn < nr; turn++) {
		now_ns += TURN_NS;
		for (int cpu = 0; cpu < 2; cpu++)
			feed_switch_at(now_ns, cpu, turn % 2 ? A + cpu : A + 2 + cpu,
				       turn % 2 ? A + 2 + cpu : A + cpu, TRACE_OUT_RUNNABLE);
	}
	now_ns += TURN_NS;
	feed_switch_at(now_ns, 0, A + 2, A, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 1, A + 3, A + 1, TRACE_OUT_DEAD);
	feed_switch_at(end_ns, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(end_ns, 1, A + 1, 0, TRACE_OUT_DEAD);
	return look_at(script_end());
}

static void test_four_threads_on_two_cpus(void **state)
{
	struct fixture fixture = four_on_two(40, 5000 + 1000);
	const struct oversubscription_row *row = &fixture.over.rows[0];
	const struct finding *finding = &fixture.findings.rows[0];

	(void)state;
	assert_int_equal(fixture.over.nr, 1);
	assert_int_equal(row->nr_cpus, 2);
	assert_int_equal(row->nr_threads, 4);
	assert_int_equal(row->most_ready, 4);
	assert_int_equal(row->cpu_ns, 2 * 5000);
	assert_int_equal(row->active_ns, 5000);
	assert_float_equal(row->ready_ns, 4 * 4000 + 2 * 1000, 1e-9);
	assert_int_equal(row->over_ns, 4000);
	assert_int_equal(row->waited_ns, 2 * 4000);
	assert_int_equal(row->contended_ns, 4000);
	assert_int_equal(row->longest_from_ns, 0);
	assert_int_equal(row->longest_to_ns, 4000);
	assert_int_equal(fixture.findings.nr, 1);
	assert_int_equal(finding->kind, FINDING_OVERSUBSCRIPTION);
	assert_int_equal(finding->time_lost_ns, 0);
	/* The path is the last thread's: half of the 4000 in a queue. */
	assert_int_equal(finding->time_lost_at_most_ns, 2000);
	assert_int_equal(finding->nr_threads, 4);
	assert_int_equal(finding->nr_cpus, 2);
	/* The machine has no more. */
	assert_int_equal(finding->cure.kind, CHANGE_NONE);
	assert_non_null(strstr(finding->text, "3.6 on average, 4 at most, for 2 CPUs"));
	done_with(&fixture);
}

/* A + 2 waits for CPU 0 while A has it a hundred times, and a stranger as often in between. */
static void test_a_wait_through_many_slices(void **state)
{
	struct fixture fixture;
	uint64_t now_ns;

	(void)state;
	begin(3);
	now_ns = take_turns(1000, 0, A, STRANGER, 200);
	feed_switch_at(now_ns, 0, STRANGER, A + 2, TRACE_OUT_SLEEPING);
	feed_switch_at(now_ns, 0, A + 2, A, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 1, A + 1, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.over.rows[0].over_ns, 200 * TURN_NS);
	assert_int_equal(fixture.over.rows[0].waited_ns, 100 * TURN_NS);
	done_with(&fixture);
}

/* 2000 of 10000 are enough, 2000 of 10100 are not: a pool of threads that starts. */
static void test_short_bursts(void **state)
{
	(void)state;
	for (uint64_t end_ns = 11000; end_ns <= 11100; end_ns += 100) {
		struct fixture fixture = four_on_two(20, end_ns);

		assert_int_equal(fixture.over.rows[0].over_ns, 2000);
		assert_int_equal(fixture.findings.nr, end_ns == 11000);
		done_with(&fixture);
	}
}

static void test_as_many_threads_as_cpus(void **state)
{
	struct fixture fixture;

	(void)state;
	begin(2);
	feed_switch_at(5000, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(5000, 1, A + 1, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.over.nr, 0);
	assert_int_equal(fixture.findings.nr, 0);
	done_with(&fixture);
}

/* Both on CPU 0, while CPU 1, on which A + 1 was for as long as it matters, is idle: that is for idle_waits. */
static void test_two_on_one_of_two_cpus(void **state)
{
	struct fixture fixture;
	uint64_t now_ns;

	(void)state;
	begin(2);
	feed_switch_at(1500, 1, A + 1, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1500, 0, A, A + 1, 0);
	now_ns = take_turns(1500, 0, A, A + 1, 40);
	feed_switch_at(now_ns, 0, A + 1, A, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.over.nr, 0);
	assert_int_equal(fixture.findings.nr, 0);
	done_with(&fixture);
}

/* Of 4040, the program was on CPU 1 for 40, less than 1 %; or for 100. */
static void test_a_cpu_that_it_visited(void **state)
{
	(void)state;
	for (uint64_t visit_ns = 40; visit_ns <= 100; visit_ns += 60) {
		struct fixture fixture;
		uint64_t now_ns;

		begin(2);
		feed_switch_at(1000 + visit_ns, 1, A + 1, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(1100, 0, A, A + 1, 0);
		now_ns = take_turns(1000, 0, A, A + 1, 40);
		feed_switch_at(now_ns, 0, A + 1, A, TRACE_OUT_DEAD);
		feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
		fixture = look_at(script_end());
		assert_int_equal(fixture.findings.nr, visit_ns == 40);
		if (fixture.findings.nr) {
			assert_int_equal(fixture.over.rows[0].nr_cpus, 1);
			assert_int_equal(fixture.over.rows[0].waited_ns, 3900);
			assert_int_equal(fixture.findings.rows[0].cure.kind, CHANGE_CPUS);
			assert_int_equal(fixture.findings.rows[0].cure.nr_cpus, 2);
		}
		done_with(&fixture);
	}
}

/* A stranger has CPU 1 for half of the time, or for less: A and A + 1 may be on CPU 0 for that. */
static void test_another_cpu_is_busy(void **state)
{
	(void)state;
	for (uint64_t busy_ns = 1950; busy_ns <= 2050; busy_ns += 100) {
		struct fixture fixture;
		uint64_t now_ns;

		begin(2);
		feed_switch_at(1000, 1, A + 1, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(1000, 0, A, A + 1, 0);
		feed_switch_at(1000, 1, 0, STRANGER, TRACE_OUT_SLEEPING);
		now_ns = take_turns(1000, 0, A, A + 1, 10);
		feed_switch_at(1000 + busy_ns, 1, STRANGER, 0, TRACE_OUT_SLEEPING);
		now_ns = take_turns(now_ns - TURN_NS + 1000, 0, A + 1, A, 22);
		feed_switch_at(now_ns, 0, A, A + 1, TRACE_OUT_DEAD);
		feed_switch_at(now_ns, 0, A + 1, 0, TRACE_OUT_DEAD);
		fixture = look_at(script_end());
		assert_int_equal(now_ns, 5100);
		assert_int_equal(fixture.findings.nr, busy_ns < 2050);
		done_with(&fixture);
	}
}

/* While a thread of another program runs, it is interference, though there are more threads than CPUs. */
static void test_strangers_are_not_counted(void **state)
{
	struct fixture fixture;
	uint64_t now_ns;

	(void)state;
	begin(3);
	now_ns = take_turns(1000, 0, A, STRANGER, 40);
	feed_switch_at(now_ns, 0, STRANGER, A + 2, TRACE_OUT_SLEEPING);
	feed_switch_at(now_ns, 0, A + 2, A, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 1, A + 1, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.over.rows[0].over_ns, 4000);
	/* A + 2 waits for 4000, for 2000 of these where A runs; A for 2000, where the stranger does. */
	assert_int_equal(fixture.over.rows[0].waited_ns, 2000);
	assert_int_equal(fixture.over.rows[0].contended_ns, 2000);
	done_with(&fixture);
}

/*
 * A spins in a lock, on the only CPU, until A + 1, which holds it and waits for that CPU, has had it. The path is A's, and
 * sees it at work; but it waits.
 */
static void test_spinning_is_in_the_bound(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_mark_of_process_at(1000, 0, A, A);
	feed_rename_at(1000, 0, A, A, PROGRAM);
	feed_fork_at(1000, 0, A, A + 1, true);
	feed_wakeup_new_at(1000, 0, A, A + 1, 0);
	feed_begin_at(1000, 0, A, 20, TRACE_SPAN_WAIT);
	feed_switch_at(4000, 0, A, A + 1, TRACE_OUT_RUNNABLE);
	feed_begin_at(4000, 0, A + 1, 21, TRACE_SPAN_WORK);
	feed_end_at(4500, 0, A + 1);
	feed_switch_at(4500, 0, A + 1, A, TRACE_OUT_DEAD);
	feed_end_at(4600, 0, A);
	feed_switch_at(5000, 0, A, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.findings.nr, 1);
	assert_int_equal(fixture.over.rows[0].contended_ns, 3500);
	/* 500 that A was in the queue, and 3100 that it spun, are more than any thread waited. */
	assert_int_equal(fixture.findings.rows[0].time_lost_at_most_ns, 3500);
	done_with(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_four_threads_on_two_cpus),
		cmocka_unit_test(test_a_wait_through_many_slices),
		cmocka_unit_test(test_short_bursts),
		cmocka_unit_test(test_as_many_threads_as_cpus),
		cmocka_unit_test(test_two_on_one_of_two_cpus),
		cmocka_unit_test(test_a_cpu_that_it_visited),
		cmocka_unit_test(test_another_cpu_is_busy),
		cmocka_unit_test(test_strangers_are_not_counted),
		cmocka_unit_test(test_spinning_is_in_the_bound),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
