// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Figures of tasks and threads, from hand-made events with sums done by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/tasks/task_stats.h"
#include "events.h"

#define A 101
#define B 102
#define C 103
#define LOOP 11u
#define BARRIER 12u
#define INNER 13u

static const struct task *task_of(const struct task_stats *stats, uint32_t name,
				  enum trace_span_kind kind)
{
	for (size_t i = 0; i < stats->nr_tasks; i++) {
		if (stats->tasks[i].name == name && stats->tasks[i].kind == kind)
			return &stats->tasks[i];
	}
	fail_msg("no such task: %u", name);
	return NULL;
}

/* Every span's and every life's wall time is divided without rest. */
static void check_division(const uint64_t ns[NR_TASK_METRICS])
{
	assert_int_equal(ns[METRIC_WALL], ns[METRIC_ON_CPU] + ns[METRIC_PREEMPTED] +
						  ns[METRIC_WAKEUP] + ns[METRIC_BLOCKED] +
						  ns[METRIC_UNKNOWN]);
	assert_true(ns[METRIC_USEFUL] <= ns[METRIC_ON_CPU]);
	assert_true(ns[METRIC_WAITING] <= ns[METRIC_WALL]);
}

/* So is it by what it was for: but where a task is inside itself, since useful time counts once there. */
static void check_use(const uint64_t ns[NR_TASK_METRICS])
{
	assert_int_equal(ns[METRIC_WALL], ns[METRIC_USEFUL] + ns[METRIC_SPINNING] +
						  ns[METRIC_WAITING_OFF_CPU] +
						  ns[METRIC_WORK_OFF_CPU] + ns[METRIC_OUTSIDE] +
						  ns[METRIC_UNKNOWN] + ns[METRIC_STOLEN]);
	assert_true(ns[METRIC_SPINNING] + ns[METRIC_WAITING_OFF_CPU] <= ns[METRIC_WAITING]);
}

static struct task_stats *analyse_checked(const struct model *model)
{
	struct task_stats *stats = task_stats_compute(model);

	for (size_t i = 0; i < model->nr_threads; i++) {
		check_division(stats->threads[i].ns);
		check_use(stats->threads[i].ns);
	}
	for (size_t i = 0; i < stats->nr_tasks; i++) {
		const struct task *task = &stats->tasks[i];
		uint64_t instances = 0, wall_ns = 0;

		for (size_t j = 0; j < task->nr_threads; j++) {
			check_division(task->threads[j].ns);
			instances += task->threads[j].instances;
			wall_ns += task->threads[j].ns[METRIC_WALL];
		}
		assert_int_equal(instances, task->instances);
		assert_int_equal(wall_ns, task->ns[METRIC_WALL].sum);
	}
	return stats;
}

/* A works 600 ns, B 200 ns of which 50 were taken from it; B waits for A. */
static struct model *two_threads(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1100, 1, B, C, TRACE_OUT_RUNNABLE);
	feed_switch_at(1150, 1, C, B, TRACE_OUT_SLEEPING);
	feed_end_at(1250, 1, B);
	feed_begin_at(1260, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_switch_at(1300, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_end_at(1600, 0, A);
	feed_begin_at(1600, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_wakeup_at(1610, 0, A, B, 1);
	feed_end_at(1620, 0, A);
	feed_switch_at(1640, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_end_at(1660, 1, B);
	feed_switch_at(1700, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static void test_imbalance(void **state)
{
	struct model *model = two_threads();
	struct task_stats *stats = analyse_checked(model);
	const struct task *loop = task_of(stats, LOOP, TRACE_SPAN_WORK);

	(void)state;
	assert_int_equal(loop->instances, 2);
	assert_int_equal(loop->nr_threads, 2);
	assert_int_equal(loop->ns[METRIC_WALL].sum, 850);
	assert_int_equal(loop->ns[METRIC_WALL].min, 250);
	assert_int_equal(loop->ns[METRIC_WALL].max, 600);
	assert_int_equal(loop->ns[METRIC_WALL].median, 425);
	assert_int_equal(loop->ns[METRIC_ON_CPU].sum, 800);
	assert_int_equal(loop->ns[METRIC_PREEMPTED].sum, 50);
	assert_int_equal(loop->counts.switches, 1);
	assert_int_equal(loop->counts.preemptions, 1);
	/* useful 600 and 200: avg 400, max 600 */
	assert_true(loop->has_balance);
	assert_float_equal(loop->load_balance, 400.0 / 600, 1e-9);
	assert_int_equal(loop->imbalance_time_ns, 200);
	assert_true(loop->has_imbalance_pct);
	assert_float_equal(loop->imbalance_pct, 200.0 / 600 * 2 / 1 * 100, 1e-9);
	task_stats_free(stats);
	model_free(model);
}

static void test_wait(void **state)
{
	struct model *model = two_threads();
	struct task_stats *stats = analyse_checked(model);
	const struct task *barrier = task_of(stats, BARRIER, TRACE_SPAN_WAIT);
	const struct thread_figures *b = &stats->threads[thread_of(model, B, 0)];

	(void)state;
	assert_int_equal(barrier->ns[METRIC_WALL].sum, 400 + 20);
	assert_int_equal(barrier->ns[METRIC_WAITING].sum, 400 + 20);
	assert_int_equal(barrier->ns[METRIC_BLOCKED].sum, 310);
	assert_int_equal(barrier->ns[METRIC_WAKEUP].sum, 30);
	assert_int_equal(barrier->ns[METRIC_USEFUL].sum, 0);
	assert_int_equal(barrier->ns[METRIC_SPINNING].sum, 60 + 20);
	assert_int_equal(barrier->ns[METRIC_WAITING_OFF_CPU].sum, 310 + 30);
	assert_int_equal(barrier->ns[METRIC_WORK_OFF_CPU].sum, 0);
	assert_false(barrier->has_balance);
	assert_false(barrier->has_imbalance_pct);
	assert_int_equal(b->ns[METRIC_USEFUL], 200);
	assert_int_equal(b->ns[METRIC_WAITING], 400);
	assert_int_equal(b->ns[METRIC_ON_CPU], 100 + 150 + 60);
	assert_int_equal(b->ns[METRIC_PREEMPTED], 50);
	assert_int_equal(b->ns[METRIC_BLOCKED], 310);
	assert_int_equal(b->ns[METRIC_WAKEUP], 30);
	assert_int_equal(b->ns[METRIC_WALL], 700);
	assert_int_equal(b->ns[METRIC_SPINNING], 60);
	assert_int_equal(b->ns[METRIC_WAITING_OFF_CPU], 310 + 30);
	assert_int_equal(b->ns[METRIC_WORK_OFF_CPU], 50);
	assert_int_equal(b->ns[METRIC_OUTSIDE], 700 - 200 - 400 - 50);
	assert_int_equal(b->counts.switches, 3);
	task_stats_free(stats);
	model_free(model);
}

/* work [0,500) { wait [100,300) { wait [150,200) work [200,250) } work [400,450) } */
static void test_nested(void **state)
{
	const struct task *loop, *inner, *barrier;
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1100, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_begin_at(1150, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1200, 0, A);
	feed_begin_at(1200, 0, A, INNER, TRACE_SPAN_WORK);
	feed_end_at(1250, 0, A);
	feed_end_at(1300, 0, A);
	feed_begin_at(1400, 0, A, INNER, TRACE_SPAN_WORK);
	feed_end_at(1450, 0, A);
	feed_end_at(1500, 0, A);
	feed_switch_at(1600, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	stats = analyse_checked(model);

	loop = task_of(stats, LOOP, TRACE_SPAN_WORK);
	inner = task_of(stats, INNER, TRACE_SPAN_WORK);
	barrier = task_of(stats, BARRIER, TRACE_SPAN_WAIT);
	assert_int_equal(loop->ns[METRIC_ON_CPU].sum, 500);
	assert_int_equal(loop->ns[METRIC_WAITING].sum, 200);
	assert_int_equal(loop->ns[METRIC_USEFUL].sum, 300);
	assert_int_equal(loop->ns[METRIC_SPINNING].sum, 200);
	assert_int_equal(stats->threads[0].ns[METRIC_SPINNING], 200);
	assert_int_equal(stats->threads[0].ns[METRIC_OUTSIDE], 100);
	assert_int_equal(inner->ns[METRIC_USEFUL].sum, 100);
	assert_int_equal(barrier->instances, 2);
	assert_int_equal(barrier->ns[METRIC_WAITING].sum, 250);
	assert_int_equal(stats->threads[0].ns[METRIC_USEFUL], 300);
	assert_int_equal(stats->threads[0].ns[METRIC_WAITING], 200);
	assert_int_equal(stats->threads[0].ns[METRIC_ON_CPU], 600);
	/* One thread cannot be out of balance. */
	assert_true(loop->has_balance);
	assert_float_equal(loop->load_balance, 1.0, 0);
	assert_false(loop->has_imbalance_pct);
	assert_int_equal(loop->imbalance_time_ns, 0);
	task_stats_free(stats);
	model_free(model);
}

/* The same name inside itself: useful time counts once, or the thread would seem busier. */
static void test_recursion(void **state)
{
	const struct task *loop;
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_end_at(1200, 0, A);
	feed_end_at(1200, 0, A);
	feed_end_at(1200, 1, B);
	model = script_end();
	stats = analyse_checked(model);

	loop = task_of(stats, LOOP, TRACE_SPAN_WORK);
	assert_int_equal(loop->instances, 3);
	assert_float_equal(loop->load_balance, 1.0, 1e-9);
	task_stats_free(stats);
	model_free(model);
}

/* The same name for work and for waiting is two tasks; spans that touch do not nest. */
static void test_kinds_and_neighbours(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WAIT);
	feed_end_at(1100, 0, A);
	feed_begin_at(1100, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_end_at(1100, 0, A);
	feed_begin_at(1100, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_end_at(1150, 0, A);
	feed_begin_at(1150, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_mark_at(1200, 0, A, 1);
	model = script_end();
	stats = analyse_checked(model);

	assert_int_equal(stats->nr_tasks, 2);
	assert_int_equal(task_of(stats, LOOP, TRACE_SPAN_WAIT)->ns[METRIC_WALL].sum, 100);
	assert_int_equal(task_of(stats, LOOP, TRACE_SPAN_WORK)->instances, 3);
	assert_int_equal(task_of(stats, LOOP, TRACE_SPAN_WORK)->ns[METRIC_WALL].sum, 100);
	assert_int_equal(task_of(stats, LOOP, TRACE_SPAN_WORK)->ns[METRIC_WALL].min, 0);
	assert_int_equal(task_of(stats, LOOP, TRACE_SPAN_WORK)->open_ends, 1);
	task_stats_free(stats);
	model_free(model);
}

static void interrupt(uint64_t from_ns, uint64_t to_ns, int32_t tid, enum trace_interrupt_kind kind)
{
	feed_interrupt_begin_at(from_ns, 0, tid, kind, 7, kind == TRACE_SOFTIRQ);
	feed_interrupt_end_at(to_ns, 0, tid, kind, 7);
}

/*
 * work [100,500) { wait [200,300) } on a CPU up to 600. Interrupts take 10 outside of all, 20 at work, 30 in the wait, 45 at
 * its end, of which 5 are in the wait, and 7 of another thread's time. Of 40 in a softirq, a handler inside has 25.
 */
static void test_stolen(void **state)
{
	const struct task *loop, *barrier;
	const uint64_t *life;
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	interrupt(1050, 1060, A, TRACE_VECTOR);
	feed_begin_at(1100, 0, A, LOOP, TRACE_SPAN_WORK);
	interrupt(1110, 1130, A, TRACE_HARDIRQ);
	feed_begin_at(1200, 0, A, BARRIER, TRACE_SPAN_WAIT);
	interrupt(1210, 1240, A, TRACE_HARDIRQ);
	feed_interrupt_begin_at(1295, 0, A, TRACE_SOFTIRQ, 1, true);
	feed_end_at(1300, 0, A);
	feed_interrupt_end_at(1340, 0, A, TRACE_SOFTIRQ, 1);
	feed_interrupt_begin_at(1400, 0, A, TRACE_SOFTIRQ, 1, true);
	feed_interrupt_begin_at(1410, 0, A, TRACE_HARDIRQ, 2, true);
	feed_interrupt_end_at(1435, 0, A, TRACE_HARDIRQ, 2);
	feed_interrupt_end_at(1440, 0, A, TRACE_SOFTIRQ, 1);
	feed_end_at(1500, 0, A);
	feed_switch_at(1600, 0, A, B, TRACE_OUT_SLEEPING);
	interrupt(1610, 1617, B, TRACE_HARDIRQ);
	feed_switch_at(1700, 0, B, 0, TRACE_OUT_SLEEPING);
	interrupt(1710, 1790, 0, TRACE_HARDIRQ);
	model = script_end();
	stats = analyse_checked(model);

	loop = task_of(stats, LOOP, TRACE_SPAN_WORK);
	barrier = task_of(stats, BARRIER, TRACE_SPAN_WAIT);
	assert_int_equal(loop->ns[METRIC_ON_CPU].sum, 400);
	assert_int_equal(loop->ns[METRIC_STOLEN].sum, 20 + 30 + 45 + 40);
	assert_int_equal(loop->ns[METRIC_USEFUL].sum, 300 - 20 - 40 - 40);
	assert_int_equal(loop->ns[METRIC_SPINNING].sum, 100 - 30 - 5);
	assert_int_equal(barrier->ns[METRIC_STOLEN].sum, 30 + 5);
	assert_int_equal(barrier->ns[METRIC_SPINNING].sum, 65);
	assert_int_equal(barrier->ns[METRIC_WAITING].sum, 100);
	life = stats->threads[thread_of(model, A, 0)].ns;
	assert_int_equal(life[METRIC_STOLEN], 10 + 20 + 30 + 45 + 40);
	assert_int_equal(life[METRIC_ON_CPU], 600);
	assert_int_equal(life[METRIC_USEFUL], 200);
	assert_int_equal(life[METRIC_SPINNING], 65);
	/* On a CPU and asleep; its life ends with the trace, at 790. */
	assert_int_equal(life[METRIC_OUTSIDE], 200 - 10 + 190);
	assert_int_equal(stats->threads[thread_of(model, B, 0)].ns[METRIC_STOLEN], 7);
	task_stats_free(stats);
	model_free(model);
}

static void test_lost_time_is_unknown(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_lost_at(1300, 0, 1100, 9);
	feed_mark_at(1300, 0, A, 1);
	feed_end_at(1400, 0, A);
	model = script_end();
	stats = analyse_checked(model);

	assert_int_equal(stats->tasks[0].ns[METRIC_UNKNOWN].sum, 200);
	assert_int_equal(stats->tasks[0].ns[METRIC_ON_CPU].sum, 100 + 100);
	assert_int_equal(stats->threads[0].ns[METRIC_OUTSIDE], 0);
	task_stats_free(stats);
	model_free(model);
}

static void test_deep_nesting(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	for (uint64_t i = 0; i < 400; i++)
		feed_begin_at(1000 + i, 0, A, LOOP, TRACE_SPAN_WORK);
	for (uint64_t i = 0; i < 400; i++)
		feed_end_at(2000 + i, 0, A);
	model = script_end();
	stats = analyse_checked(model);

	assert_int_equal(stats->tasks[0].instances, 400);
	assert_int_equal(stats->tasks[0].threads[0].ns[METRIC_USEFUL], 1399);
	task_stats_free(stats);
	model_free(model);
}

static int compare(const void *a, const void *b)
{
	uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

	return left < right ? -1 : left > right;
}

/* Against sorting, over sizes and value ranges that make many equal values or none. */
static void test_distribution(void **state)
{
	uint64_t values[64], sorted[64];

	(void)state;
	assert_int_equal(distribution_of(values, 0, 0).max, 0);
	srandom(7);
	for (int round = 0; round < 5000; round++) {
		size_t nr = 1 + (size_t)(random() % 64);
		uint64_t range = 1 + (uint64_t)(random() % (round % 2 ? 4 : 1000)), sum = 0, median;
		size_t nr_zeros = (size_t)random() % (nr + 1) * (round % 3 == 0);
		struct distribution distribution;

		for (size_t i = 0; i < nr; i++) {
			values[i] = i < nr_zeros ? 0 : (uint64_t)random() % range;
			sorted[i] = values[i];
			sum += values[i];
		}
		qsort(sorted, nr, sizeof(sorted[0]), compare);
		median = nr % 2 ? sorted[nr / 2] : (sorted[nr / 2 - 1] + sorted[nr / 2]) / 2;
		distribution = distribution_of(values + nr_zeros, nr - nr_zeros, nr_zeros);
		assert_int_equal(distribution.sum, sum);
		assert_int_equal(distribution.min, sorted[0]);
		assert_int_equal(distribution.median, median);
		assert_int_equal(distribution.max, sorted[nr - 1]);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imbalance),
		cmocka_unit_test(test_wait),
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_kinds_and_neighbours),
		cmocka_unit_test(test_stolen),
		cmocka_unit_test(test_lost_time_is_unknown),
		cmocka_unit_test(test_deep_nesting),
		cmocka_unit_test(test_distribution),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
