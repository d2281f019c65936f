// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c tests/lib/named_events.c */
/*
 * Regions, from hand-made events with figures computed by hand: POP's and DeRose's formulas, TALP's
 * sums, and why the last thread was last.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/regions/regions.h"
#include "any_events.h"
#include "events.h"
#include "named_events.h"

#define A 101
#define B 102
#define C 103
#define OTHER 200
#define LOOP 11u
#define BARRIER 12u
#define SERIAL 13u
#define LOCK 14u

struct fixture {
	struct model *model;
	struct task_stats *stats;
	struct regions *regions;
};

/* What a miss of L1 costs, and an event that is none. */
static double miss_ns[] = { 14 / 3., 0 };

static struct fixture look_at(struct model *model)
{
	struct fixture fixture = { .model = model, .stats = task_stats_compute(model) };

	fixture.regions = regions_compute(model, fixture.stats, miss_ns);
	return fixture;
}

static void done_with(struct fixture *fixture)
{
	regions_free(fixture->regions);
	task_stats_free(fixture->stats);
	model_free(fixture->model);
}

/* Each on the CPU of its number, from 1000 on. */
static void run_all(int nr)
{
	for (int i = 0; i < nr; i++)
		feed_switch_at(1000, i, 0, A + i, TRACE_OUT_RUNNABLE);
}

static void work(uint64_t from_ns, uint64_t to_ns, int cpu, int32_t tid, uint32_t name)
{
	feed_begin_at(from_ns, cpu, tid, name, TRACE_SPAN_WORK);
	feed_end_at(to_ns, cpu, tid);
}

/* It spins until it may go. */
static void meet(uint64_t from_ns, uint64_t to_ns, int cpu, int32_t tid)
{
	feed_begin_at(from_ns, cpu, tid, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(to_ns, cpu, tid);
}

static const struct region_thread *part_of(const struct fixture *fixture, size_t region,
					   int32_t tid)
{
	const struct region *row = &fixture->regions->rows[region];

	for (size_t i = 0; i < row->nr_threads; i++) {
		const struct region_thread *part =
			&fixture->regions->threads[row->first_thread + i];

		if (fixture->model->threads[part->thread].tid == tid)
			return part;
	}
	fail_msg("thread %d is not in region %zu", tid, region);
	return NULL;
}

static void check_sums(const struct fixture *fixture)
{
	for (size_t i = 0; i < fixture->regions->nr; i++) {
		const struct region *region = &fixture->regions->rows[i];

		for (size_t j = 0; j < region->nr_threads; j++) {
			const struct region_thread *part =
				&fixture->regions->threads[region->first_thread + j];
			uint64_t sum_ns = 0;

			for (int time = 0; time < NR_REGION_TIMES; time++)
				sum_ns += part->ns[time];
			assert_int_equal(sum_ns, region->to_ns - region->from_ns);
			assert_in_range(part->from_ns, region->from_ns, part->to_ns);
			assert_in_range(part->to_ns, part->from_ns, region->to_ns);
		}
	}
}

static int32_t last_tid(const struct fixture *fixture, size_t region)
{
	const struct regions *regions = fixture->regions;

	return fixture->model->threads[regions->threads[regions->rows[region].last.part].thread]
		.tid;
}

static void test_balanced(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	for (int i = 0; i < 2; i++)
		feed_begin_at(1000, i, A + i, LOOP, TRACE_SPAN_WORK);
	for (int i = 0; i < 2; i++)
		feed_end_at(1600, i, A + i);
	fixture = look_at(script_end());
	check_sums(&fixture);
	assert_int_equal(fixture.regions->nr, 1);
	assert_int_equal(fixture.regions->nr_groups, 1);
	assert_int_equal(fixture.regions->groups[0].kind, REGION_PARALLEL);
	assert_int_equal(fixture.regions->groups[0].name, LOOP);
	assert_float_equal(region_load_balance(&fixture.regions->rows[0]), 1, 1e-9);
	assert_float_equal(region_parallel_efficiency(&fixture.regions->rows[0]), 1, 1e-9);
	assert_float_equal(region_imbalance_pct(&fixture.regions->rows[0]), 0, 1e-9);
	assert_int_equal(fixture.regions->rows[0].saved_ns, 0);
	done_with(&fixture);
}

/* A 600, B 200, C 400 until the barrier. */
static void one_straggler(void)
{
	for (int i = 0; i < 3; i++)
		feed_begin_at(1000, i, A + i, LOOP, TRACE_SPAN_WORK);
	feed_end_at(1200, 1, B);
	feed_begin_at(1200, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1400, 2, C);
	feed_begin_at(1400, 2, C, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1600, 0, A);
	feed_begin_at(1600, 0, A, BARRIER, TRACE_SPAN_WAIT);
	for (int i = 0; i < 3; i++)
		feed_end_at(1600, i, A + i);
}

static void test_straggler(void **state)
{
	struct fixture fixture;
	const struct region *region;

	(void)state;
	script_begin();
	run_all(3);
	one_straggler();
	fixture = look_at(script_end());
	check_sums(&fixture);
	assert_int_equal(fixture.regions->barriers.nr, 1);
	assert_int_equal(fixture.regions->nr, 1);
	region = &fixture.regions->rows[0];
	assert_int_equal(region->from_ns, 0);
	assert_int_equal(region->to_ns, 600);
	/* avg 400, max 600, T 600, P 3 */
	assert_float_equal(region_load_balance(region), 400.0 / 600, 1e-9);
	assert_float_equal(region_parallel_efficiency(region), 1200.0 / 1800, 1e-9);
	assert_float_equal(region_imbalance_ns(region), 200, 1e-9);
	assert_float_equal(region_imbalance_pct(region), 200.0 / 600 * 3 / 2 * 100, 1e-9);
	assert_int_equal(region->saved_ns, 200);
	assert_int_equal(last_tid(&fixture, 0), A);
	assert_int_equal(region->last.why, STRAGGLER_MORE_WORK);
	assert_int_equal(region->last.behind_ns, 300);
	assert_int_equal(region->last.excess_ns, 300);
	assert_int_equal(part_of(&fixture, 0, B)->ns[REGION_WAITING], 400);
	assert_int_equal(part_of(&fixture, 0, B)->spinning_ns, 400);
	assert_int_equal(part_of(&fixture, 0, A)->spinning_ns, 0);
	done_with(&fixture);
}

/* On one CPU, balance saves nothing: the work has to be done. */
static void test_one_cpu(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1100, 0, A, B, TRACE_OUT_RUNNABLE);
	work(1100, 1200, 0, B, LOOP);
	feed_switch_at(1200, 0, B, A, TRACE_OUT_SLEEPING);
	feed_end_at(1900, 0, A);
	fixture = look_at(script_end());
	assert_int_equal(fixture.regions->nr, 1);
	assert_int_equal(fixture.regions->rows[0].max_useful_ns, 800);
	assert_int_equal(fixture.regions->rows[0].saved_ns, 0);
	done_with(&fixture);
}

static void test_serial_half(void **state)
{
	double serialisation, load_balance, scheduling;
	const struct regions *regions;
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(3);
	feed_begin_at(1000, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_begin_at(1000, 2, C, BARRIER, TRACE_SPAN_WAIT);
	work(1000, 1900, 0, A, SERIAL);
	feed_begin_at(1900, 0, A, BARRIER, TRACE_SPAN_WAIT);
	for (int i = 0; i < 3; i++)
		feed_end_at(1900, i, A + i);
	for (int i = 0; i < 3; i++)
		feed_begin_at(1900, i, A + i, LOOP, TRACE_SPAN_WORK);
	feed_end_at(2100, 1, B);
	meet(2100, 2500, 1, B);
	feed_end_at(2300, 2, C);
	meet(2300, 2500, 2, C);
	feed_end_at(2500, 0, A);
	meet(2500, 2500, 0, A);
	fixture = look_at(script_end());
	check_sums(&fixture);
	regions = fixture.regions;
	assert_int_equal(regions->nr, 2);
	assert_int_equal(regions->groups[regions->rows[0].group].kind, REGION_SERIAL);
	assert_int_equal(regions->groups[regions->rows[0].group].name, SERIAL);
	assert_int_equal(regions->groups[regions->rows[1].group].kind, REGION_PARALLEL);
	assert_int_equal(regions->groups[regions->rows[1].group].name, LOOP);
	/* 900 by 3 CPUs; 600 against 400 on average */
	assert_int_equal(regions->rows[0].saved_ns, 600);
	assert_int_equal(regions->rows[1].saved_ns, 200);
	assert_int_equal(regions->totals.serial_ns, 900);
	assert_int_equal(regions->totals.parallel_ns, 600);
	assert_int_equal(regions->totals.saved_ns, 800);
	/* PT 4500, S 1800; idle in the loop 0, 400 and 200: B 600, M 0 */
	assert_true(region_totals_efficiencies(&regions->totals, &serialisation, &load_balance,
					       &scheduling));
	assert_float_equal(serialisation, 2700.0 / 4500, 1e-9);
	assert_float_equal(load_balance, 2100.0 / 2700, 1e-9);
	assert_float_equal(scheduling, 1, 1e-9);
	done_with(&fixture);
}

/* Both have the same work; A is behind because it was interrupted, and balance would save nothing. */
static void test_interrupted(void **state)
{
	const struct region_thread *part;
	const struct region *region;
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_interrupt_begin_at(1100, 0, A, TRACE_SOFTIRQ, 3, true);
	feed_interrupt_end_at(1300, 0, A, TRACE_SOFTIRQ, 3);
	feed_end_at(1400, 1, B);
	feed_begin_at(1400, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_interrupt_begin_at(1450, 1, B, TRACE_VECTOR, 4, false);
	feed_interrupt_end_at(1460, 1, B, TRACE_VECTOR, 4);
	feed_end_at(1600, 0, A);
	feed_begin_at(1600, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1600, 0, A);
	feed_end_at(1600, 1, B);
	fixture = look_at(script_end());
	check_sums(&fixture);
	region = &fixture.regions->rows[0];
	assert_int_equal(last_tid(&fixture, 0), A);
	assert_int_equal(region->last.why, STRAGGLER_INTERRUPTED);
	assert_int_equal(region->last.excess_ns, 200);
	assert_float_equal(region_load_balance(region), 1, 1e-9);
	assert_int_equal(region->saved_ns, 0);
	for (size_t i = 0; i < region->nr_threads; i++) {
		part = &fixture.regions->threads[region->first_thread + i];
		assert_int_equal(part->ns[REGION_USEFUL], 400);
		assert_int_equal(part->ns[REGION_STOLEN],
				 fixture.model->threads[part->thread].tid == A ? 200 : 0);
		assert_int_equal(part->spinning_ns,
				 fixture.model->threads[part->thread].tid == A ? 0 : 190);
	}
	done_with(&fixture);
}

/* Both have the same work; A is behind because it was held up, and balance would save nothing. */
static void test_preempted(void **state)
{
	const struct region *region;
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1100, 0, A, C, TRACE_OUT_RUNNABLE);
	feed_switch_at(1120, 0, C, OTHER, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 0, OTHER, A, TRACE_OUT_RUNNABLE);
	feed_end_at(1400, 1, B);
	feed_begin_at(1400, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1600, 0, A);
	feed_begin_at(1600, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1600, 0, A);
	feed_end_at(1600, 1, B);
	fixture = look_at(script_end());
	check_sums(&fixture);
	region = &fixture.regions->rows[0];
	assert_int_equal(last_tid(&fixture, 0), A);
	assert_int_equal(region->last.why, STRAGGLER_PREEMPTED);
	assert_int_equal(region->last.excess_ns, 200);
	assert_int_equal(region->last.by_thread, thread_of(fixture.model, OTHER, 0));
	assert_float_equal(region_load_balance(region), 1, 1e-9);
	assert_int_equal(region->saved_ns, 0);
	done_with(&fixture);
}

/* After a barrier, A sleeps on until it is woken, and then waits for its CPU. */
static void test_woken_late(void **state)
{
	const struct region_thread *part;
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	feed_begin_at(1000, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_switch_at(1010, 0, A, OTHER, TRACE_OUT_SLEEPING);
	work(1000, 1300, 1, B, SERIAL);
	meet(1300, 1300, 1, B);
	feed_begin_at(1300, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_wakeup_at(1350, 1, B, A, 0);
	feed_switch_at(1450, 0, OTHER, A, TRACE_OUT_SLEEPING);
	feed_end_at(1450, 0, A);
	feed_begin_at(1450, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_end_at(1700, 1, B);
	feed_begin_at(1700, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1850, 0, A);
	meet(1850, 1850, 0, A);
	feed_end_at(1850, 1, B);
	fixture = look_at(script_end());
	check_sums(&fixture);
	assert_int_equal(fixture.regions->nr, 2);
	assert_int_equal(fixture.regions->rows[1].from_ns, 300);
	part = part_of(&fixture, 1, A);
	assert_int_equal(part->ns[REGION_WAKEUP], 150);
	assert_int_equal(part->ns[REGION_USEFUL], 400);
	assert_int_equal(last_tid(&fixture, 1), A);
	assert_int_equal(fixture.regions->rows[1].last.why, STRAGGLER_WOKEN_LATE);
	assert_int_equal(fixture.regions->rows[1].last.excess_ns, 150);
	assert_int_equal(fixture.regions->rows[1].last.by_thread,
			 thread_of(fixture.model, OTHER, 0));
	assert_int_equal(fixture.regions->rows[1].saved_ns, 0);
	done_with(&fixture);
}

static void test_blocked_and_late(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_UNINTERRUPTIBLE);
	feed_switch_at(1300, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_end_at(1400, 1, B);
	feed_end_at(1600, 0, A);
	/* nobody is in the task for a moment */
	feed_begin_at(2000, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(2300, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_end_at(2400, 1, B);
	feed_end_at(2700, 0, A);
	fixture = look_at(script_end());
	check_sums(&fixture);
	assert_int_equal(fixture.regions->nr, 2);
	assert_int_equal(fixture.regions->nr_groups, 1);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_BLOCKED);
	assert_int_equal(fixture.regions->rows[0].last.excess_ns, 200);
	assert_int_equal(fixture.regions->rows[0].saved_ns, 0);
	assert_int_equal(fixture.regions->rows[1].last.why, STRAGGLER_STARTED_LATE);
	assert_int_equal(fixture.regions->rows[1].last.excess_ns, 300);
	assert_int_equal(last_tid(&fixture, 1), A);
	assert_int_equal(fixture.regions->groups[0].nr, 2);
	assert_int_equal(fixture.regions->groups[0].elapsed_ns, 600 + 700);
	done_with(&fixture);
}

/* A moves from CPU 0 to 2 in the first of three regions; B always takes 100. */
static struct fixture moved(uint64_t when_moved_ns, uint64_t else_ns)
{
	script_begin();
	run_all(2);
	for (uint64_t round = 0; round < 3; round++) {
		uint64_t start_ns = 1000 + 1000 * round;
		int cpu = round ? 2 : 0;

		feed_begin_at(start_ns, cpu, A, LOOP, TRACE_SPAN_WORK);
		feed_begin_at(start_ns, 1, B, LOOP, TRACE_SPAN_WORK);
		if (round == 0) {
			feed_switch_at(start_ns + 50, 0, A, 0, TRACE_OUT_RUNNABLE);
			feed_switch_at(start_ns + 51, 2, 0, A, TRACE_OUT_RUNNABLE);
		}
		feed_end_at(start_ns + 100, 1, B);
		feed_end_at(start_ns + (round ? else_ns : when_moved_ns), 2, A);
	}
	return look_at(script_end());
}

static void test_migrated(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture = moved(301, 100);
	check_sums(&fixture);
	assert_int_equal(fixture.regions->nr, 3);
	assert_int_equal(part_of(&fixture, 0, A)->nr_migrations, 1);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MIGRATED);
	done_with(&fixture);
	/* It takes 200 more than B: of these, 101 as it does elsewhere. */
	fixture = moved(301, 201);
	assert_int_equal(fixture.regions->rows[0].last.excess_ns, 200);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_WORK);
	done_with(&fixture);
}

/* A takes 40 us, B and C 10 each; A's slice counts @misses, B's and C's 200. */
static struct fixture measured(uint64_t misses, uint32_t invalid)
{
	uint64_t counts[] = { 200 };

	script_begin();
	feed_pmu_event_at(1000, 0, 1, 0, 0);
	run_all(3);
	for (int i = 0; i < 3; i++)
		feed_begin_at(1000, i, A + i, LOOP, TRACE_SPAN_WORK);
	for (int i = 2; i >= 0; i--) {
		uint64_t end_ns = i ? 11000 : 41000;

		if (!i)
			counts[0] = misses;
		feed_end_at(end_ns, i, A + i);
		feed_counts_at(end_ns, i, A + i, counts, 1, invalid);
		feed_switch_at(end_ns, i, A + i, 0, TRACE_OUT_DEAD);
	}
	return look_at(script_end());
}

/* 800 are as many as B and C have in such a time. 30 us more, half of them by misses: 15 us. */
static void test_misses(void **state)
{
	uint64_t enough = (uint64_t)(15000 / miss_ns[0]) + 1;
	struct fixture fixture;

	(void)state;
	fixture = measured(800 + enough, 0);
	assert_int_equal(last_tid(&fixture, 0), A);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_MISSES);
	done_with(&fixture);
	fixture = measured(800 + enough - 2, 0);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_WORK);
	done_with(&fixture);
	/* Nobody knows. */
	fixture = measured(800 + enough, 1);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_WORK);
	done_with(&fixture);
}

/* Where each costs twice as much, half as many are enough. */
static void test_dearer_misses(void **state)
{
	uint64_t enough = (uint64_t)(15000 / (2 * miss_ns[0])) + 1;
	struct fixture fixture;

	(void)state;
	fixture = measured(800 + enough, 0);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_WORK);
	done_with(&fixture);
	miss_ns[0] *= 2;
	fixture = measured(800 + enough, 0);
	miss_ns[0] /= 2;
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_MISSES);
	done_with(&fixture);
}

/* As test_misses(), from samples: A has @nr, each of so many that one would be enough. */
static struct fixture sampled(int nr)
{
	uint64_t period = (uint64_t)(15000 / miss_ns[0]) + 1;

	script_begin();
	feed_pmu_event_at(1000, 0, 1, period, 0);
	run_all(2);
	for (int i = 0; i < 2; i++)
		feed_begin_at(1000, i, A + i, LOOP, TRACE_SPAN_WORK);
	for (int i = 0; i < nr; i++)
		feed_sample_at(2000 + (uint64_t)i, 0, A, 0, period, 0x1000);
	feed_end_at(11000, 1, B);
	feed_end_at(41000, 0, A);
	return look_at(script_end());
}

/* Of 9 random samples, the error is 3: 10 are more than three errors, 9 are not. */
static void test_sampled_misses(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture = sampled(9);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_WORK);
	done_with(&fixture);
	fixture = sampled(10);
	assert_int_equal(fixture.regions->rows[0].last.why, STRAGGLER_MORE_MISSES);
	done_with(&fixture);
}

/* B and C wait for A, which gives way to B, which gives way to C: no barrier, and no region. */
static void test_lock(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(3);
	feed_begin_at(1100, 1, B, LOCK, TRACE_SPAN_WAIT);
	feed_begin_at(1200, 2, C, LOCK, TRACE_SPAN_WAIT);
	feed_end_at(1500, 1, B);
	feed_begin_at(1600, 0, A, LOCK, TRACE_SPAN_WAIT);
	feed_end_at(2000, 2, C);
	feed_end_at(2500, 0, A);
	fixture = look_at(script_end());
	assert_int_equal(fixture.regions->barriers.nr, 0);
	assert_int_equal(fixture.regions->nr, 0);
	done_with(&fixture);
}

/*
 * The tgid of each; A 100, B 400, C 100, D 500: all wait at once, but each process for its own.
 * Without processes, A, B and C would meet.
 */
static struct fixture two_teams(int32_t tgid_of_ab, int32_t tgid_of_cd)
{
	static const uint64_t ends[] = { 1100, 1400, 1101, 1500 };

	script_begin();
	for (int i = 0; i < 4; i++) {
		feed_switch_at(1000, i, 0, A + i, TRACE_OUT_RUNNABLE);
		feed_mark_of_process_at(1000, i, A + i, i < 2 ? tgid_of_ab : tgid_of_cd);
		feed_begin_at(1000, i, A + i, LOOP, TRACE_SPAN_WORK);
	}
	for (int i = 0; i < 4; i += 2) {
		feed_end_at(ends[i], i, A + i);
		feed_begin_at(ends[i], i, A + i, BARRIER, TRACE_SPAN_WAIT);
	}
	for (int i = 1; i < 4; i += 2) {
		feed_end_at(ends[i], i, A + i);
		meet(ends[i], ends[i], i, A + i);
		feed_end_at(ends[i], i - 1, A + i - 1);
	}
	return look_at(script_end());
}

static void test_teams(void **state)
{
	struct fixture fixture;

	(void)state;
	fixture = two_teams(A, C);
	check_sums(&fixture);
	assert_int_equal(fixture.regions->barriers.nr, 2);
	assert_int_equal(fixture.regions->nr, 2);
	assert_int_equal(fixture.regions->rows[0].nr_threads, 2);
	assert_int_equal(fixture.regions->rows[1].nr_threads, 2);
	done_with(&fixture);
	fixture = two_teams(A, A);
	assert_int_equal(fixture.regions->barriers.nr, 1);
	assert_int_equal(fixture.regions->rows[0].nr_threads, 3);
	done_with(&fixture);
}

/* Where each process has one thread, as with MPI, all are a team. */
static void test_processes(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	for (int i = 0; i < 3; i++) {
		feed_switch_at(1000, i, 0, A + i, TRACE_OUT_RUNNABLE);
		feed_mark_of_process_at(1000, i, A + i, A + i);
	}
	one_straggler();
	fixture = look_at(script_end());
	assert_int_equal(fixture.regions->nr, 1);
	assert_int_equal(fixture.regions->rows[0].nr_threads, 3);
	assert_int_equal(fixture.regions->rows[0].saved_ns, 200);
	done_with(&fixture);
}

/* What is before a thread's first barrier: the last task before it, all of it, and no other. */
static void test_first_region(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	work(1000, 1200, 0, A, SERIAL);
	work(1200, 1300, 0, A, LOOP);
	feed_begin_at(1300, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1300, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_end_at(1400, 1, B);
	feed_begin_at(1400, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1500, 0, A);
	meet(1500, 1500, 0, A);
	feed_end_at(1500, 1, B);
	fixture = look_at(script_end());
	check_sums(&fixture);
	assert_int_equal(fixture.regions->nr, 1);
	assert_int_equal(fixture.regions->rows[0].from_ns, 200);
	assert_int_equal(part_of(&fixture, 0, A)->from_ns, 200);
	assert_int_equal(part_of(&fixture, 0, B)->from_ns, 300);
	assert_int_equal(part_of(&fixture, 0, B)->ns[REGION_LATE], 100);
	done_with(&fixture);
}

/* Work of two threads is spread over two CPUs, though the session has three. */
static void test_more_cpus(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(3);
	feed_mark_at(1000, 2, C, 1);
	feed_begin_at(1000, 1, B, BARRIER, TRACE_SPAN_WAIT);
	work(1000, 1900, 0, A, SERIAL);
	meet(1900, 1900, 0, A);
	feed_end_at(1900, 1, B);
	feed_switch_at(1950, 2, C, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.regions->nr_cpus, 3);
	assert_int_equal(fixture.regions->rows[0].saved_ns, 450);
	done_with(&fixture);
}

/* A waits for a lock inside its task, for as long as B then waits for A. */
static void test_waited_inside(void **state)
{
	const struct region *region;
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	feed_begin_at(1000, 0, A, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_begin_at(1100, 0, A, LOCK, TRACE_SPAN_WAIT);
	feed_end_at(1200, 1, B);
	feed_begin_at(1200, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(1400, 0, A);
	feed_end_at(1500, 0, A);
	meet(1500, 1500, 0, A);
	feed_end_at(1500, 1, B);
	fixture = look_at(script_end());
	check_sums(&fixture);
	region = &fixture.regions->rows[0];
	assert_int_equal(part_of(&fixture, 0, A)->spinning_ns, 300);
	assert_int_equal(region->last.why, STRAGGLER_BLOCKED);
	assert_int_equal(region->last.excess_ns, 300);
	assert_int_equal(region->saved_ns, 0);
	done_with(&fixture);
}

/* A span around all: what is in it is the region. */
static void test_wrapped(void **state)
{
	struct fixture fixture;

	(void)state;
	script_begin();
	run_all(2);
	for (int i = 0; i < 2; i++)
		feed_begin_at(1000, i, A + i, SERIAL, TRACE_SPAN_WORK);
	for (uint64_t from_ns = 1100; from_ns < 1500; from_ns += 200) {
		for (int i = 0; i < 2; i++)
			feed_begin_at(from_ns, i, A + i, LOOP, TRACE_SPAN_WORK);
		for (int i = 0; i < 2; i++)
			feed_end_at(from_ns + 100, i, A + i);
	}
	for (int i = 0; i < 2; i++)
		feed_end_at(1600, i, A + i);
	fixture = look_at(script_end());
	check_sums(&fixture);
	assert_int_equal(fixture.regions->nr, 2);
	assert_int_equal(fixture.regions->groups[0].name, LOOP);
	done_with(&fixture);
}

/* Whatever the events, the times of a part add up, and figures stay within their bounds. */
/* Times are the model's. Thread 1 does twice the work of thread 0, which waits until @end_ns, and works alone afterwards. */
static void team_region(int64_t team, uint64_t from_ns, uint64_t begin1_ns, uint64_t end_ns)
{
	feed_named_at(from_ns, 0, TRACE_SPAN_BEGIN, "parallel", team);
	feed_named_at(begin1_ns, 1, TRACE_SPAN_BEGIN, "parallel", team);
	feed_named_at(from_ns + 100, 0, TRACE_SPAN_END, NULL, 0);
	feed_named_wait_begin_at(from_ns + 100, 0, "barrier @team_omp", team);
	if (end_ns < begin1_ns + 200)
		feed_named_at(end_ns, 0, TRACE_MARK, "@team_omp", team);
	feed_named_at(begin1_ns + 200, 1, TRACE_SPAN_END, NULL, 0);
	feed_named_wait_begin_at(begin1_ns + 200, 1, "barrier @team_omp", team);
	if (end_ns >= begin1_ns + 200)
		feed_named_at(end_ns, 0, TRACE_MARK, "@team_omp", team);
}

/* Between teams, thread 0 works alone and thread 1 spins, or whatever it does: neither is in a region. */
static void test_between_teams(void **state)
{
	struct fixture fixture;

	(void)state;
	named_begin();
	for (int thread = 0; thread < 2; thread++)
		feed_named_run_at(NAMED_START_NS, thread);
	team_region(1, 1100, 1100, 1310);
	team_region(2, 2000, 2030, 2240);
	team_region(3, 3000, 3000, 3210);
	fixture = look_at(named_end(4000));
	assert_int_equal(fixture.regions->nr, 3);
	assert_int_equal(fixture.regions->nr_groups, 1);
	for (size_t i = 0; i < 3; i++) {
		const struct region_thread *master = part_of(&fixture, i, NAMED_FIRST_TID);
		const struct region_thread *other = part_of(&fixture, i, NAMED_FIRST_TID + 1);

		assert_int_equal(master->ns[REGION_USEFUL], 100);
		assert_int_equal(other->ns[REGION_USEFUL], 200);
		assert_int_equal(other->ns[REGION_LATE], i == 1 ? 30 : 0);
		assert_int_equal(last_tid(&fixture, i), NAMED_FIRST_TID + 1);
	}
	assert_int_equal(fixture.regions->rows[1].from_ns, 2000 - NAMED_START_NS);
	assert_int_equal(fixture.regions->rows[1].to_ns, 2230 - NAMED_START_NS);
	done_with(&fixture);
}

/* Clocks of two CPUs differ: the mark that ends a team seems to be made before its last thread arrives. */
static void test_no_common_clock(void **state)
{
	struct fixture fixture;
	const struct barriers *barriers;
	size_t last;

	(void)state;
	named_begin();
	for (int thread = 0; thread < 2; thread++)
		feed_named_run_at(NAMED_START_NS, thread);
	team_region(1, 1100, 1100, 1310);
	team_region(2, 2000, 2000, 2190);
	team_region(3, 3000, 3000, 3210);
	fixture = look_at(named_end(4000));
	barriers = &fixture.regions->barriers;
	last = barriers->members[barriers->rows[1].first + 1];
	assert_int_equal(barriers->waits.start_ns[last], 2200 - NAMED_START_NS);
	assert_int_equal(barriers->waits.end_ns[last], 2200 - NAMED_START_NS);
	assert_int_equal(fixture.regions->barriers.nr, 3);
	assert_int_equal(fixture.regions->nr, 3);
	assert_int_equal(fixture.regions->barriers.rows[1].release_ns, 2190 - NAMED_START_NS);
	assert_int_equal(part_of(&fixture, 1, NAMED_FIRST_TID + 1)->ns[REGION_USEFUL], 200);
	assert_int_equal(part_of(&fixture, 2, NAMED_FIRST_TID)->ns[REGION_USEFUL], 100);
	assert_int_equal(part_of(&fixture, 2, NAMED_FIRST_TID + 1)->ns[REGION_USEFUL], 200);
	done_with(&fixture);
}

/* Two teams at a time have barriers of one name: each is a meeting of its own. */
static void test_teams_at_a_time(void **state)
{
	struct fixture fixture;

	(void)state;
	named_begin();
	for (int thread = 0; thread < 4; thread++)
		feed_named_at(1100, thread, TRACE_SPAN_BEGIN, "parallel", 1 + thread / 2);
	for (int thread = 0; thread < 4; thread++) {
		feed_named_at(1200 + 10 * (uint64_t)thread, thread, TRACE_SPAN_END, NULL, 0);
		feed_named_wait_begin_at(1200 + 10 * (uint64_t)thread, thread, "barrier @team_omp",
					 1 + thread / 2);
	}
	feed_named_at(1240, 0, TRACE_MARK, "@team_omp", 1);
	feed_named_at(1250, 2, TRACE_MARK, "@team_omp", 2);
	fixture = look_at(named_end(2000));
	assert_int_equal(fixture.regions->barriers.nr, 2);
	assert_int_equal(fixture.regions->barriers.rows[0].release_ns, 210);
	assert_int_equal(fixture.regions->barriers.rows[1].release_ns, 230);
	assert_int_equal(fixture.regions->barriers.rows[0].nr, 2);
	assert_int_equal(fixture.regions->barriers.rows[1].nr, 2);
	done_with(&fixture);
}

static void test_random(void **state)
{
	(void)state;
	srandom(11);
	for (int round = 0; round < 300; round++) {
		struct fixture fixture;
		uint64_t now_ns = 1000;

		script_begin();
		for (int i = 0; i < 400; i++) {
			now_ns += (uint64_t)random() % 3;
			feed_anything_at(now_ns, A, (unsigned int)random());
		}
		fixture = look_at(script_end());
		check_sums(&fixture);
		for (size_t i = 0; i < fixture.regions->nr; i++) {
			const struct region *region = &fixture.regions->rows[i];

			assert_true(region->saved_ns <= region->to_ns - region->from_ns);
			assert_true(region_parallel_efficiency(region) <= 1);
			assert_true(region_imbalance_pct(region) <= 100 + 1e-9);
		}
		done_with(&fixture);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_balanced),
		cmocka_unit_test(test_straggler),
		cmocka_unit_test(test_one_cpu),
		cmocka_unit_test(test_serial_half),
		cmocka_unit_test(test_interrupted),
		cmocka_unit_test(test_preempted),
		cmocka_unit_test(test_woken_late),
		cmocka_unit_test(test_blocked_and_late),
		cmocka_unit_test(test_migrated),
		cmocka_unit_test(test_misses),
		cmocka_unit_test(test_dearer_misses),
		cmocka_unit_test(test_sampled_misses),
		cmocka_unit_test(test_lock),
		cmocka_unit_test(test_teams),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_first_region),
		cmocka_unit_test(test_more_cpus),
		cmocka_unit_test(test_waited_inside),
		cmocka_unit_test(test_wrapped),
		cmocka_unit_test(test_between_teams),
		cmocka_unit_test(test_no_common_clock),
		cmocka_unit_test(test_teams_at_a_time),
		cmocka_unit_test(test_random),
	};

	return cmocka_run_group_tests_name("regions", tests, named_open_trace, named_close_trace);
}
