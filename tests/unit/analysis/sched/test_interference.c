// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c */
/*
 * Who took the CPU from whom, what that cost, wakeup latencies and migrations, from hand-made events
 * with sums done by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/sched/interference.h"
#include "analysis/sched/migrations.h"
#include "util/pair_table.h"
#include "analysis/sched/wakeup_latency.h"
#include "any_events.h"
#include "events.h"

#define A 101 /* a process of two threads ... */
#define A2 102
#define X 201 /* ... and another program */
#define Y 301
#define NAME_A 21u
#define NAME_X 22u
#define NAME_Y 23u
#define LOOP 11u
#define BARRIER 12u

static void feed_name(uint64_t time_ns, int cpu, int32_t tid, uint32_t name)
{
	feed_rename_at(time_ns, cpu, tid, tid, name);
}

static void begin_program(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, A2, TRACE_OUT_RUNNABLE);
	feed_name(1000, 0, A, NAME_A);
	feed_mark_of_process_at(1000, 0, A, A);
	feed_mark_of_process_at(1000, 1, A2, A);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, A2, LOOP, TRACE_SPAN_WORK);
}

/*
 * X takes CPU 0 from A for 200 ns, and A comes to the barrier last, at 1700. A2 comes at @at_ns, and
 * is switched in 20 ns after it is woken. Then X takes 50 ns from A, but A2 ends last, at 2000.
 */
static struct model *held_up(uint64_t at_ns)
{
	begin_program();
	feed_switch_at(1100, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_name(1150, 0, X, NAME_X);
	feed_switch_at(1300, 0, X, A, TRACE_OUT_SLEEPING);
	feed_end_at(at_ns, 1, A2);
	feed_begin_at(at_ns, 1, A2, BARRIER, TRACE_SPAN_WAIT);
	feed_switch_at(at_ns, 1, A2, 0, TRACE_OUT_SLEEPING);
	feed_end_at(1700, 0, A);
	feed_begin_at(1700, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_wakeup_at(1700, 0, A, A2, 1);
	feed_end_at(1710, 0, A);
	feed_begin_at(1710, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1720, 1, 0, A2, TRACE_OUT_RUNNABLE);
	feed_end_at(1730, 1, A2);
	feed_begin_at(1730, 1, A2, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1750, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(1800, 0, X, A, TRACE_OUT_SLEEPING);
	feed_end_at(1900, 0, A);
	feed_switch_at(1950, 0, A, 0, TRACE_OUT_DEAD);
	feed_end_at(2000, 1, A2);
	feed_switch_at(2100, 1, A2, 0, TRACE_OUT_DEAD);
	return script_end();
}

static const struct interference_programs *row_of(const struct interference *interference,
						  const struct model *model, int32_t victim,
						  int32_t by)
{
	const uint32_t *program = interference->programs.of_thread;
	uint32_t by_program = by ? program[thread_of(model, by, 0)] : PROGRAM_NOBODY;

	for (size_t i = 0; i < interference->nr_rows; i++) {
		if (interference->rows[i].victim == program[thread_of(model, victim, 0)] &&
		    interference->rows[i].by == by_program)
			return &interference->rows[i];
	}
	fail_msg("no row of %d by %d", victim, by);
	return NULL;
}

static void test_late_at_the_barrier(void **state)
{
	struct model *model = held_up(1450);
	struct interference *interference = interference_compute(model);
	const struct interference_programs *row = row_of(interference, model, A, X);

	(void)state;
	assert_int_equal(interference->programs.of_thread[thread_of(model, A, 0)],
			 interference->programs.of_thread[thread_of(model, A2, 0)]);
	assert_true(interference_is_by_others(row));
	assert_int_equal(row->times, 2);
	assert_int_equal(row->preempted_ns, 250);
	assert_int_equal(row->queued_ns, 0);
	/* It would have come at 1500: the barrier was 200 ns later, and so long waited A2. */
	assert_int_equal(row->lost_ns, 200);
	assert_int_equal(row->lengthened_waits_ns, 200);
	assert_int_equal(row->nr_late, 1);
	assert_int_equal(row->worst_thread, thread_of(model, A, 0));
	assert_int_equal(row->worst_from_ns, 0);
	assert_int_equal(row->worst_to_ns, 700);
	row = row_of(interference, model, A, 0);
	assert_false(interference_is_by_others(row));
	assert_int_equal(row->queued_ns, 20);
	assert_int_equal(row->lost_ns, 20);
	assert_int_equal(row->lengthened_waits_ns, 0);
	/* Since the meeting before. */
	assert_int_equal(row->worst_from_ns, 700);
	assert_int_equal(row->worst_to_ns, 1000);
	assert_false(interference_is_by_others(row_of(interference, model, A, A)));
	interference_free(interference);
	model_free(model);
}

/* Without X, A2 would have been the last, at 1600. */
static void test_another_would_be_last(void **state)
{
	struct model *model = held_up(1600);
	struct interference *interference = interference_compute(model);
	const struct interference_programs *row = row_of(interference, model, A, X);

	(void)state;
	assert_int_equal(row->lost_ns, 100);
	assert_int_equal(row->lengthened_waits_ns, 100);
	interference_free(interference);
	model_free(model);
}

/*
 * Two processes of one program, on two CPUs each, whose first threads are kept by X from 1100 to 1300
 * at once and come to their barriers at 1700: the program lost these 200 ns once.
 */
static void test_lost_at_once(void **state)
{
	static const int32_t tids[] = { A, A2, Y, Y + 1 };
	const struct interference_programs *row;
	struct interference *interference;
	struct model *model;

	(void)state;
	script_begin();
	for (int cpu = 0; cpu < 4; cpu++) {
		feed_switch_at(1000, cpu, 0, tids[cpu], TRACE_OUT_RUNNABLE);
		feed_name(1000, cpu, tids[cpu], NAME_A);
		feed_mark_of_process_at(1000, cpu, tids[cpu], cpu < 2 ? A : Y);
		feed_begin_at(1000, cpu, tids[cpu], LOOP, TRACE_SPAN_WORK);
	}
	for (int cpu = 0; cpu < 4; cpu += 2) {
		feed_switch_at(1100, cpu, tids[cpu], X + cpu, TRACE_OUT_RUNNABLE);
		feed_name(1100, cpu, X + cpu, NAME_X);
	}
	for (int cpu = 0; cpu < 4; cpu += 2)
		feed_switch_at(1300, cpu, X + cpu, tids[cpu], TRACE_OUT_SLEEPING);
	for (int cpu = 1; cpu < 4; cpu += 2) {
		feed_end_at(1450, cpu, tids[cpu]);
		feed_begin_at(1450, cpu, tids[cpu], BARRIER, TRACE_SPAN_WAIT);
	}
	for (int cpu = 0; cpu < 4; cpu += 2) {
		feed_end_at(1700, cpu, tids[cpu]);
		feed_begin_at(1700, cpu, tids[cpu], BARRIER, TRACE_SPAN_WAIT);
	}
	for (int cpu = 0; cpu < 4; cpu++)
		feed_end_at(1710, cpu, tids[cpu]);
	model = script_end();
	interference = interference_compute(model);
	row = row_of(interference, model, A, X);
	assert_int_equal(row->preempted_ns, 400);
	assert_int_equal(row->nr_late, 2);
	assert_int_equal(row->lost_ns, 200);
	assert_int_equal(row->lengthened_waits_ns, 400);
	interference_free(interference);
	model_free(model);
}

static void test_pairs_and_queues(void **state)
{
	struct model *model = held_up(1450);
	struct interference *interference = interference_compute(model);
	const struct interference_pair *pair = &interference->pairs[0];

	(void)state;
	assert_int_equal(interference->nr_pairs, 1);
	assert_int_equal(pair->victim, thread_of(model, A, 0));
	assert_int_equal(pair->by, thread_of(model, X, 0));
	assert_int_equal(pair->times, 2);
	assert_int_equal(pair->preempted_ns, 250);
	assert_int_equal(pair->longest_ns, 200);
	assert_int_equal(interference->nr_queues, 2);
	assert_int_equal(interference->queues[0].waits, 2);
	assert_int_equal(interference->queues[0].wait_ns, 250);
	assert_int_equal(interference->queues[0].longest_ns, 200);
	assert_int_equal(interference->queues[0].histogram.counts[0], 2);
	assert_int_equal(interference->queues[1].waits, 1);
	assert_int_equal(interference->queues[1].wait_ns, 20);
	interference_free(interference);
	model_free(model);
}

/* While A waits, X and Y run in turns, and then nobody: each gets its own; X took the CPU. */
static void test_several_ran_meanwhile(void **state)
{
	const struct interference_programs *by_x, *by_y, *by_nobody;
	struct interference *interference;
	struct model *model;

	(void)state;
	begin_program();
	feed_switch_at(1100, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_name(1150, 0, X, NAME_X);
	feed_switch_at(1300, 0, X, Y, TRACE_OUT_RUNNABLE);
	feed_name(1350, 0, Y, NAME_Y);
	feed_switch_at(1400, 0, Y, X, TRACE_OUT_SLEEPING);
	feed_switch_at(1460, 0, X, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1500, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_end_at(2000, 0, A);
	feed_end_at(2000, 1, A2);
	model = script_end();
	interference = interference_compute(model);
	by_x = row_of(interference, model, A, X);
	by_y = row_of(interference, model, A, Y);
	by_nobody = row_of(interference, model, A, 0);
	assert_int_equal(by_x->preempted_ns, 260);
	assert_int_equal(by_x->times, 1);
	assert_int_equal(by_y->preempted_ns, 100);
	assert_int_equal(by_y->times, 0);
	assert_int_equal(by_nobody->preempted_ns, 40);
	/* Both end at 2000: A was not what the end waited for. */
	assert_int_equal(by_x->lost_ns + by_y->lost_ns, 0);
	interference_free(interference);
	model_free(model);
}

/* The time lost to several is shared as they delayed the thread that came last. */
static void test_shares_of_several(void **state)
{
	struct interference *interference;
	struct model *model;

	(void)state;
	begin_program();
	feed_switch_at(1100, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_name(1150, 0, X, NAME_X);
	feed_switch_at(1400, 0, X, Y, TRACE_OUT_SLEEPING);
	feed_name(1450, 0, Y, NAME_Y);
	feed_switch_at(1500, 0, Y, A, TRACE_OUT_SLEEPING);
	feed_end_at(1800, 1, A2);
	feed_end_at(2000, 0, A);
	model = script_end();
	interference = interference_compute(model);
	/* A would have ended at 1600, so that A2 would have been last: 200 ns, three to one. */
	assert_int_equal(row_of(interference, model, A, X)->lost_ns, 150);
	assert_int_equal(row_of(interference, model, A, Y)->lost_ns, 50);
	interference_free(interference);
	model_free(model);
}

/* A program without annotations ends with its busiest thread; the session is all there is. */
static void test_program_without_annotations(void **state)
{
	struct interference *interference;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_name(1000, 0, A, NAME_A);
	feed_switch_at(1100, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_name(1110, 0, X, NAME_X);
	feed_switch_at(1150, 0, X, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1500, 0, A, X, TRACE_OUT_DEAD);
	feed_switch_at(1600, 0, X, 0, TRACE_OUT_DEAD);
	model = script_end();
	interference = interference_compute(model);
	assert_int_equal(row_of(interference, model, A, X)->lost_ns, 50);
	/* X is not of the session: what was taken from it is nobody's business. */
	assert_int_equal(interference->nr_pairs, 1);
	interference_free(interference);
	model_free(model);
}

static void test_wakeup_latencies(void **state)
{
	/* In us; all but the last three are 1. */
	uint64_t late_us[] = { 3, 7, 50 }, time_ns = 1000000;
	struct wakeup_latency *wakeups;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	for (int i = 0; i < 200; i++) {
		feed_wakeup_at(time_ns, 1, 0, A, 0);
		time_ns += i < 197 ? 1000 : late_us[i - 197] * 1000;
		feed_switch_at(time_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
		feed_switch_at(time_ns + 10, 0, A, 0, TRACE_OUT_SLEEPING);
		time_ns += 100000;
	}
	feed_wakeup_at(time_ns, 1, 0, A, 0);
	model = script_end();
	wakeups = wakeup_latency_compute(model);
	assert_int_equal(wakeups->all.nr, 200);
	assert_int_equal(wakeups->all.median_ns, 1000);
	/* Two are longer than it: 1 %. */
	assert_int_equal(wakeups->all.p99_ns, 3000);
	assert_int_equal(wakeups->all.max_ns, 50000);
	assert_int_equal(wakeups->all.sum_ns, 257000);
	assert_int_equal(wakeups->histogram.counts[1], 197);
	assert_int_equal(wakeups->histogram.counts[2], 1);
	assert_int_equal(wakeups->histogram.counts[3], 1);
	assert_int_equal(wakeups->histogram.counts[6], 1);
	assert_int_equal(wakeups->nr_threads, 1);
	assert_int_equal(wakeups->threads[0].latencies.p99_ns, 3000);
	wakeup_latency_free(wakeups);
	model_free(model);
}

/* Of three, one is more than 1 %. */
static void test_few_latencies(void **state)
{
	struct wakeup_latency *wakeups;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	for (uint64_t i = 1; i <= 3; i++) {
		feed_switch_at(i * 10000, 0, A, 0, TRACE_OUT_SLEEPING);
		feed_wakeup_at(i * 10000, 1, 0, A, 0);
		feed_switch_at(i * 10000 + i, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	model = script_end();
	wakeups = wakeup_latency_compute(model);
	assert_int_equal(wakeups->all.p99_ns, 3);
	assert_int_equal(wakeups->all.median_ns, 2);
	wakeup_latency_free(wakeups);
	model_free(model);
}

static void test_histogram_edges(void **state)
{
	struct histogram histogram = { 0 };

	(void)state;
	assert_int_equal(histogram_edge_ns(0), 1000);
	assert_int_equal(histogram_edge_ns(4), 20000);
	assert_int_equal(histogram_edge_ns(HISTOGRAM_EDGES - 1), 10000000000);
	histogram_add(&histogram, 0);
	histogram_add(&histogram, 999);
	histogram_add(&histogram, 1000);
	histogram_add(&histogram, UINT64_MAX);
	assert_int_equal(histogram.counts[0], 2);
	assert_int_equal(histogram.counts[1], 1);
	assert_int_equal(histogram.counts[HISTOGRAM_EDGES], 1);
}

static uint64_t matrix(const struct migrations *migrations, int from, int to)
{
	return migrations->matrix[from * migrations->nr_cpus + to];
}

#define MS 1000000ull

/*
 * A goes from 0 to 1, back after 5 ms, and to 2 after 20 ms more. The first time it waits 0.5 ms for
 * CPU 1 while CPU 0 is idle, of which it would have waited 0.1 ms anyhow; then 1 ms, while X runs on
 * the CPU that it left; then it sleeps.
 */
static struct model *mover(void)
{
	script_begin();
	feed_switch_at(1 * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_pmu_event_at(1 * MS, 0, 31, 100, 0);
	feed_mark_at(1 * MS, 0, A, 1);
	feed_switch_at(2 * MS, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(3 * MS, 1, 0, A, 0);
	feed_switch_at(3 * MS + MS / 10, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(10 * MS, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(11 * MS, 1, 0, A, 1);
	feed_switch_at(11 * MS + MS / 2, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_sample_at(12 * MS, 1, A, 0, 100, 0);
	feed_sample_at(13 * MS, 1, A, 0, 100, 0);
	feed_sample_at(14 * MS, 1, A, 0, 100, 0);
	feed_switch_at(15 * MS + MS / 2, 1, A, X, TRACE_OUT_RUNNABLE);
	feed_migrate_at(16 * MS, 1, X, A, 0);
	feed_switch_at(16 * MS + MS / 2, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(17 * MS, 1, X, 0, TRACE_OUT_SLEEPING);
	feed_sample_at(17 * MS, 0, A, 0, 100, 0);
	feed_switch_at(36 * MS, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(37 * MS, 2, 0, A, 2);
	feed_switch_at(37 * MS, 2, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(38 * MS, 2, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static void test_migrations(void **state)
{
	struct model *model = mover();
	struct migrations *migrations = migrations_compute(model);

	(void)state;
	assert_int_equal(migrations->total, 3);
	assert_int_equal(migrations->nr_cpus, 3);
	assert_int_equal(matrix(migrations, 0, 1), 1);
	assert_int_equal(matrix(migrations, 1, 0), 1);
	assert_int_equal(matrix(migrations, 0, 2), 1);
	assert_int_equal(matrix(migrations, 2, 0) + matrix(migrations, 0, 0), 0);
	assert_int_equal(migrations->left_out, 0);
	assert_int_equal(migrations->ping_pongs, 1);
	assert_int_equal(migrations->cost_ns, MS / 2 - MS / 10);
	assert_int_equal(migrations->nr_threads, 1);
	assert_int_equal(migrations->threads[0].nr, 3);
	model_free(model);
	migrations_of_free(migrations);
}

/*
 * Cold: 2 + 2 + 1 ms on a CPU, with three samples of 100. Warm: 5.1 - 0.2, 2 and 17.5 ms in the
 * three long slices, with one.
 */
static void test_misses_of_migrations(void **state)
{
	struct model *model = mover();
	struct migrations *migrations = migrations_compute(model);
	double warm_ms = (6.9 - 2) + (4 - 2) + (19.5 - 2);

	(void)state;
	assert_true(migrations->has_misses);
	assert_float_equal(migrations->excess_misses, 300 - 100 * 5 / warm_ms, 1e-6);
	model_free(model);
	migrations_of_free(migrations);
}

static void test_pair_table(void **state)
{
	struct pair_table table = { 0 };

	(void)state;
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(pair_table_number(&table, i, i / 2), i);
	for (uint32_t i = 0; i < 1000; i++)
		assert_int_equal(pair_table_number(&table, i, i / 2), i);
	assert_int_equal(pair_table_number(&table, 1, 1), 1000);
	assert_int_equal(table.nr, 1001);
	pair_table_free(&table);
}

static uint64_t queued_ns(const struct model *model)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < model->nr_threads; i++) {
		const uint64_t *ns = model->threads[i].totals.state_ns;

		if (model->threads[i].in_session)
			sum_ns += ns[STATE_PREEMPTED] + ns[STATE_RUNNABLE];
	}
	return sum_ns;
}

/* Of whatever there is, each moment of waiting is booked once, and no more is lost than there was. */
static void check_sums(const struct model *model)
{
	struct interference *interference = interference_compute(model);
	struct migrations *migrations = migrations_compute(model);
	struct wakeup_latency *wakeups = wakeup_latency_compute(model);
	uint64_t booked_ns = 0, moved = migrations->left_out, counted = 0;

	for (size_t i = 0; i < interference->nr_rows; i++) {
		booked_ns += interference->rows[i].preempted_ns + interference->rows[i].queued_ns;
		assert_true(interference->rows[i].lost_ns <= model->duration_ns);
	}
	assert_int_equal(booked_ns, queued_ns(model));
	for (int i = 0; i < migrations->nr_cpus * migrations->nr_cpus; i++)
		moved += migrations->matrix[i];
	assert_int_equal(moved, migrations->total);
	for (size_t i = 0; i <= HISTOGRAM_EDGES; i++)
		counted += wakeups->histogram.counts[i];
	assert_int_equal(counted, wakeups->all.nr);
	interference_free(interference);
	migrations_of_free(migrations);
	wakeup_latency_free(wakeups);
}

static void test_anything(void **state)
{
	(void)state;
	srandom(11);
	for (int round = 0; round < 300; round++) {
		uint64_t time_ns = 1000;
		struct model *model;

		script_begin();
		for (int i = 0; i < 200; i++) {
			time_ns += (uint64_t)(random() % 50);
			feed_anything_at(time_ns, 101, (unsigned int)random());
		}
		model = script_end();
		check_sums(model);
		model_free(model);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_late_at_the_barrier),
		cmocka_unit_test(test_another_would_be_last),
		cmocka_unit_test(test_lost_at_once),
		cmocka_unit_test(test_pairs_and_queues),
		cmocka_unit_test(test_several_ran_meanwhile),
		cmocka_unit_test(test_shares_of_several),
		cmocka_unit_test(test_program_without_annotations),
		cmocka_unit_test(test_wakeup_latencies),
		cmocka_unit_test(test_few_latencies),
		cmocka_unit_test(test_histogram_edges),
		cmocka_unit_test(test_migrations),
		cmocka_unit_test(test_misses_of_migrations),
		cmocka_unit_test(test_pair_table),
		cmocka_unit_test(test_anything),
	};

	return cmocka_run_group_tests_name("interference", tests, NULL, NULL);
}
