// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/events.c */
/*
 * What addresses of samples tell: conflicts, false sharing and working sets that are made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <linux/perf_event.h>

#include "analysis/binomial.h"
#include "analysis/distinct.h"
#include "analysis/false_sharing.h"
#include "analysis/false_sharing_findings.h"
#include "analysis/set_conflicts.h"
#include "analysis/working_set.h"
#include "events.h"
#include "util/random.h"

#define A 101
#define B 102
#define TASK 1
#define EVENT 11
#define LINE 64
#define WAY 4096
#define START 0x7f0000000000u

static const enum miss_level level[] = { MISS_L1 };
static const bool yes[] = { true };
static const bool no[] = { false };
static struct model_builder *builder;
static uint64_t now;
static int32_t storing_tid; /* whose samples are stores by their data source; 0: nobody's */

/* A first-level cache of 64 sets and 8 ways on each of two CPUs; unless @without_topology. */
static void begin(bool without_topology)
{
	static const struct cpu_cache caches[] = {
		{ .level = 1,
		  .kind = 'd',
		  .size_bytes = 32768,
		  .line_bytes = LINE,
		  .ways = 8,
		  .sets = 64 },
		{ .level = 2,
		  .kind = 'u',
		  .size_bytes = 262144,
		  .line_bytes = LINE,
		  .ways = 4,
		  .sets = 1024 },
	};

	builder = script_begin();
	now = 1000;
	feed_pmu_event_at(now, 0, EVENT, 10, 0);
	for (int cpu = 0; cpu < 2 && !without_topology; cpu++) {
		struct trace_event event = { .time_ns = now, .cpu = cpu, .kind = TRACE_PLACE };

		event.place.nr_caches = 2;
		event.place.caches = caches;
		model_builder_feed(builder, &event);
	}
	feed_switch_at(now, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(now, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_begin_at(now, 0, A, TASK, TRACE_SPAN_WORK);
	feed_begin_at(now, 1, B, TASK, TRACE_SPAN_WORK);
}

static void touch_at(int32_t tid, uint64_t ip, uint64_t address)
{
	struct trace_event event = { .kind = TRACE_SAMPLE };

	event.time_ns = now += 10;
	event.tid = tid;
	event.cpu = tid - A;
	event.sample.period = 10;
	event.sample.ip = ip;
	event.sample.addr = address;
	event.sample.has = ANNOT_SAMPLE_USER | ANNOT_SAMPLE_HAS_ADDR | ANNOT_SAMPLE_HAS_DATA_SRC;
	if (tid == storing_tid)
		event.sample.data_src = PERF_MEM_OP_STORE << PERF_MEM_OP_SHIFT;
	model_builder_feed(builder, &event);
}

/* @nr lines, @stride_bytes from one to the next, @rounds times. */
static void walk(unsigned int nr, uint64_t stride_bytes, unsigned int rounds)
{
	for (unsigned int i = 0; i < nr * rounds; i++)
		touch_at(A, 0x400000, START + i % nr * stride_bytes);
}

/* Of the registers: all but number 4. */
static const uint64_t bases = 0xef;

static struct set_conflicts *conflicts_of(void)
{
	struct model *model = script_end();
	struct set_conflicts *conflicts = analyse_set_conflicts(model, level, bases);

	model_free(model);
	return conflicts;
}

static void test_conflict(void **state)
{
	struct set_conflicts *conflicts;

	(void)state;
	begin(false);
	walk(16, WAY, 10);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->nr, 1);
	assert_true(conflicts->rows[0].is_conflict);
	assert_int_equal(conflicts->rows[0].lines, 16);
	assert_int_equal(conflicts->rows[0].agreeing, 16);
	assert_int_equal(conflicts->rows[0].agreeing_samples, 160);
	assert_int_equal(conflicts->rows[0].span_bytes, WAY);
	assert_float_equal(conflicts->rows[0].misses, 1600, 1e-9);
	assert_true(conflicts->rows[0].p_value < 1e-20);
	set_conflicts_free(conflicts);
}

static void assert_no_conflict(unsigned int nr, uint64_t stride_bytes, unsigned int rounds)
{
	struct set_conflicts *conflicts;

	begin(false);
	walk(nr, stride_bytes, rounds);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->why, SET_CONFLICTS_COMPUTED);
	assert_int_equal(conflicts->nr, 1);
	assert_false(conflicts->rows[0].is_conflict);
	assert_true(conflicts->rows[0].agreeing == 0 || nr > 64);
	set_conflicts_free(conflicts);
}

static void test_no_conflict(void **state)
{
	(void)state;
	assert_no_conflict(16, WAY + LINE, 10); /* padded */
	assert_no_conflict(8, WAY, 10); /* as many as there are ways */
	assert_no_conflict(200, WAY, 1); /* a walk through much more than a cache */
	assert_no_conflict(600, WAY, 4); /* as many lines as it holds, and more */
	assert_no_conflict(300, LINE, 2); /* one after the other */
}

/* Lines anywhere, fewer than the cache holds: of 200 cases, none is called a conflict. */
static void test_random_lines(void **state)
{
	struct random random = { 5 };

	(void)state;
	for (int i = 0; i < 200; i++) {
		uint64_t lines[200];
		struct set_conflicts *conflicts;

		begin(false);
		for (int j = 0; j < 200; j++)
			lines[j] = START + random_u64(&random) % 100000 * LINE;
		for (int j = 0; j < 600; j++)
			touch_at(A, 0x400000, lines[j % 200]);
		conflicts = conflicts_of();
		assert_false(conflicts->rows[0].is_conflict);
		set_conflicts_free(conflicts);
	}
}

static void test_not_computed(void **state)
{
	struct set_conflicts *conflicts;

	(void)state;
	begin(true);
	walk(16, WAY, 10);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->why, SET_CONFLICTS_NO_TOPOLOGY);
	set_conflicts_free(conflicts);
	begin(false);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->why, SET_CONFLICTS_NO_EVENT);
	set_conflicts_free(conflicts);
}

/* A sample with registers; @has: ANNOT_SAMPLE_HAS_ADDR or 0. */
static void touch_with(uint8_t has, uint64_t address, const uint64_t *regs, uint32_t nr_regs)
{
	struct trace_event event = { .kind = TRACE_SAMPLE };

	event.time_ns = now += 10;
	event.tid = A;
	event.cpu = 0;
	event.sample.period = 10;
	event.sample.ip = 0x400000;
	event.sample.addr = address;
	event.sample.has = ANNOT_SAMPLE_USER | ANNOT_SAMPLE_HAS_REGISTERS | has;
	event.sample.regs = regs;
	event.sample.nr_regs = nr_regs;
	model_builder_feed(builder, &event);
}

/* One of @nr places. */
static uint64_t random_of(struct random *random, unsigned int nr, uint64_t stride_bytes)
{
	return START + random_u64(random) % nr * stride_bytes;
}

/*
 * The values of register number 5 are those of a walk. Of the others, 2 has numbers, 3 numbers or the
 * kernel's addresses, 4 is none that can have any, and 0 and 6 have other lines, none of which conflict.
 */
static void walk_by_register(uint8_t has, unsigned int nr, uint64_t stride_bytes,
			     unsigned int rounds)
{
	struct random random = { 8 };

	for (unsigned int i = 0; i < nr * rounds; i++) {
		uint64_t regs[7] = { 0 };

		regs[0] = random_of(&random, 7, 3 * LINE);
		regs[1] = START;
		regs[2] = i % 16 * WAY;
		regs[3] = -(uint64_t)WAY * (1 + i % 16);
		regs[4] = START + i % 16 * WAY;
		/* As at the end of a list. */
		regs[5] = i % 40 == 39 ? 0 : START + i % nr * stride_bytes;
		regs[6] = random_of(&random, 12, WAY / 4);
		touch_with(has, 0, regs, 7);
	}
}

static void test_conflict_by_register(void **state)
{
	struct set_conflicts *conflicts;

	(void)state;
	for (int i = 0; i < 2; i++) {
		begin(false);
		walk_by_register(i ? ANNOT_SAMPLE_HAS_ADDR : 0, 16, WAY, 10);
		conflicts = conflicts_of();
		assert_int_equal(conflicts->nr, 1);
		assert_true(conflicts->rows[0].is_conflict);
		assert_int_equal(conflicts->rows[0].reg, 5);
		assert_int_equal(conflicts->rows[0].lines, 16);
		assert_int_equal(conflicts->rows[0].agreeing, 16);
		assert_int_equal(conflicts->rows[0].nr_samples, 160);
		assert_int_equal(conflicts->rows[0].agreeing_samples, 156);
		assert_float_equal(conflicts->rows[0].misses, 1600, 1e-9);
		/* Numbers 0, 5 and 6 have addresses that vary: three were tested. */
		assert_float_equal(conflicts->rows[0].p_value /
					   (64 * binomial_tail(16, 1.0 / 64, 16)),
				   3, 1e-9);
		set_conflicts_free(conflicts);
	}
}

static void assert_no_conflict_by_register(unsigned int nr, uint64_t stride_bytes,
					   unsigned int rounds)
{
	struct set_conflicts *conflicts;

	begin(false);
	walk_by_register(0, nr, stride_bytes, rounds);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->nr, 1);
	assert_false(conflicts->rows[0].is_contradicted);
	assert_false(conflicts->rows[0].is_conflict);
	set_conflicts_free(conflicts);
}

static void test_no_conflict_by_register(void **state)
{
	const uint64_t numbers[] = { 1, START };
	struct set_conflicts *conflicts;

	(void)state;
	assert_no_conflict_by_register(16, WAY + LINE, 10); /* padded */
	assert_no_conflict_by_register(8, WAY, 20); /* as many as there are ways */
	assert_no_conflict_by_register(160, WAY, 1); /* the rows of a matrix, once */
	assert_no_conflict_by_register(300, LINE, 2);
	/* What is always the same is no evidence of anything. */
	begin(false);
	for (int i = 0; i < 100; i++)
		touch_with(0, 0, numbers, 2);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->why, SET_CONFLICTS_COMPUTED);
	assert_int_equal(conflicts->nr, 0);
	set_conflicts_free(conflicts);
}

/* Along the rows of a matrix, of which one register has the ends, another each element. */
static void test_contradicted_register(void **state)
{
	struct set_conflicts *conflicts;

	(void)state;
	for (unsigned int nr_elements = 1; nr_elements <= 64; nr_elements += 63) {
		begin(false);
		for (unsigned int i = 0; i < 20 * 64; i++) {
			uint64_t row = START + i / 64 % 16 * WAY;
			const uint64_t regs[] = { row + i % nr_elements * LINE, row + WAY };

			touch_with(0, 0, regs, 2);
		}
		conflicts = conflicts_of();
		assert_int_equal(conflicts->nr, 1);
		assert_true(conflicts->rows[0].p_value < 1e-20);
		assert_int_equal(conflicts->rows[0].is_contradicted, nr_elements > 1);
		assert_int_equal(conflicts->rows[0].is_conflict, nr_elements == 1);
		set_conflicts_free(conflicts);
	}
}

/* An address says more than any register. */
static void test_addresses_before_registers(void **state)
{
	struct set_conflicts *conflicts;

	(void)state;
	begin(false);
	for (unsigned int i = 0; i < 160; i++) {
		const uint64_t reg = START + i % 16 * WAY;

		touch_with(ANNOT_SAMPLE_HAS_ADDR, START + i % 16 * (WAY + LINE), &reg, 1);
	}
	conflicts = conflicts_of();
	assert_int_equal(conflicts->nr, 1);
	assert_int_equal(conflicts->rows[0].reg, -1);
	assert_false(conflicts->rows[0].is_conflict);
	set_conflicts_free(conflicts);
}

/* Of 1000 cases with six registers of addresses anywhere, p is below 0.01 in no more than 10. */
static void test_random_registers(void **state)
{
	struct random random = { 9 };
	unsigned int nr_below = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		uint64_t lines[60][6];
		struct set_conflicts *conflicts;

		begin(false);
		for (int j = 0; j < 60 * 6; j++)
			lines[j / 6][j % 6] = random_of(&random, 100000, LINE);
		for (int j = 0; j < 180; j++)
			touch_with(0, 0, lines[j % 60], 6);
		conflicts = conflicts_of();
		nr_below += conflicts->rows[0].p_value < 0.01;
		assert_false(conflicts->rows[0].is_conflict);
		set_conflicts_free(conflicts);
	}
	assert_true(nr_below > 0);
	assert_true(nr_below <= 10);
}

/* Against sums by hand. */
static void test_binomial(void **state)
{
	(void)state;
	assert_float_equal(binomial_tail(10, 0.5, 0), 1, 1e-12);
	assert_float_equal(binomial_tail(10, 0.5, 9), 11.0 / 1024, 1e-12);
	assert_float_equal(binomial_tail(3, 0.25, 2), 10.0 / 64, 1e-12);
	assert_float_equal(binomial_tail(3, 0.25, 4), 0, 1e-12);
}

/* A and B in turn, at these offsets of a line. */
static struct shared_line share(uint64_t offset_a, uint64_t offset_b, const bool *is_stores,
				unsigned int turns, size_t *nr)
{
	struct false_sharing *sharing;
	struct shared_line line = { 0 };
	struct model *model;

	begin(false);
	for (unsigned int i = 0; i < 40; i++) {
		bool is_a = i * turns / 40 % 2;

		touch_at(is_a ? A : B, 0x400000, START + (is_a ? offset_a : offset_b));
	}
	model = script_end();
	/* Without processes, all threads are of one. */
	sharing = analyse_false_sharing(model, level, is_stores);
	*nr = sharing->nr;
	if (sharing->nr)
		line = sharing->lines[0];
	false_sharing_free(sharing);
	model_free(model);
	return line;
}

static void test_false_sharing(void **state)
{
	struct shared_line line;
	size_t nr;

	(void)state;
	line = share(0, 8, yes, 40, &nr);
	assert_int_equal(nr, 1);
	assert_true(line.is_false_sharing);
	assert_int_equal(line.address, START);
	assert_int_equal(line.nr_samples, 40);
	assert_int_equal(line.nr_stores, 40);
	assert_int_equal(line.nr_turns, 39);
	assert_int_equal(line.nr_threads, 2);
	/* 20 samples of 10 misses, at 75 cycles of 3 GHz. */
	assert_float_equal(line.lost_ns, 20 * 10 * 75 / 3.0, 1e-6);
	/* The same bytes: it is true sharing. */
	assert_false(share(0, 0, yes, 40, &nr).is_false_sharing);
	assert_int_equal(nr, 1);
	/* One stores to what the other reads, or beside it. */
	for (storing_tid = A; storing_tid <= B; storing_tid++) {
		assert_false(share(0, 0, no, 40, &nr).is_false_sharing);
		assert_true(share(0, 8, no, 40, &nr).is_false_sharing);
	}
	storing_tid = 0;
	/* One after the other. */
	assert_false(share(0, 8, yes, 2, &nr).is_false_sharing);
	/* Nobody writes, or on another line: nothing is shared. */
	share(0, 8, no, 40, &nr);
	assert_int_equal(nr, 0);
	share(0, 64, yes, 40, &nr);
	assert_int_equal(nr, 0);
}

/* What @nr lines cost is what they cost the thread, all together. */
static void assert_finding(unsigned int nr, const char *sentence)
{
	struct false_sharing *sharing;
	struct findings findings;
	struct model *model;

	begin(false);
	for (unsigned int i = 0; i < 40 * nr; i++)
		touch_at(i % 2 ? A : B, 0x400000, START + i / 40 * LINE + i % 2 * 8);
	feed_end_at(1000000, 0, A);
	model = script_end();
	sharing = analyse_false_sharing(model, level, yes);
	findings = findings_new(model);
	find_false_sharing(model, sharing, "here", &findings);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_ns, nr * 20 * 10 * 75 / 3);
	assert_int_equal(findings.rows[0].nr_threads, 2);
	assert_int_equal(findings.rows[0].from_ns, model->samples.time_ns[0]);
	assert_int_equal(findings.rows[0].to_ns, model->samples.time_ns[model->samples.nr - 1] + 1);
	assert_string_equal(findings.rows[0].text, sentence);
	findings_free(&findings);
	false_sharing_free(sharing);
	model_free(model);
}

static void test_false_sharing_finding(void **state)
{
	(void)state;
	assert_finding(1,
		       "2 threads on several CPUs use different bytes of one cache line at here, "
		       "and write to it: it moved between them in 39 of 40 samples");
	assert_finding(3, "2 threads on several CPUs use different bytes of 3 cache lines, most of "
			  "all at here, and write to them: these moved between them in 117 of 120 "
			  "samples");
}

static struct working_set_task working_set_of(uint64_t nr_lines, unsigned int nr, bool random)
{
	const struct working_set_choice choice = { level, yes };
	struct random seed = { 6 };
	struct working_sets *sets;
	struct analysis *analysis;
	struct working_set_task task;
	struct model *model;

	begin(false);
	for (unsigned int i = 0; i < nr; i++)
		touch_at(A, 0x400000,
			 START + (random ? random_u64(&seed) % nr_lines : i % nr_lines) * LINE);
	model = script_end();
	analysis = analyse(model);
	sets = analyse_working_sets(model, analysis, &choice);
	assert_true(sets->known);
	assert_int_equal(sets->nr, 1);
	assert_int_equal(sets->level_bytes[0], 32768);
	assert_int_equal(sets->level_bytes[1], 262144);
	assert_int_equal(sets->level_bytes[2], 0);
	task = sets->tasks[0];
	working_sets_free(sets);
	analysis_free(analysis);
	model_free(model);
	return task;
}

static void assert_near(double value, double wanted, double share)
{
	assert_true(value >= wanted * (1 - share) && value <= wanted * (1 + share));
}

static void test_working_set(void **state)
{
	struct working_set_task task;

	(void)state;
	task = working_set_of(256, 4096, false);
	assert_true(task.knee_known);
	assert_float_equal(task.knee_bytes, 256 * LINE, 1e-9);
	/* A sample is an access of ten: until all lines are seen, each is of another one. */
	assert_float_equal(task.points[0].accesses, 10, 1e-9);
	assert_float_equal(task.points[0].bytes, 10 * LINE, 1e-9);
	task = working_set_of(5000, 4096, true);
	assert_true(task.knee_known);
	assert_near(task.knee_bytes, 5000 * LINE, 0.1);
	/* What is used only once is no working set. */
	assert_false(working_set_of(100000, 4096, false).knee_known);
}

/* Curves whose slopes are told by hand; lines of 64 bytes. */
static void test_miss_ratio(void **state)
{
	/* 512 lines again and again, in order. */
	static const struct working_set_point cycle[] = {
		{ 128, 8192 },
		{ 256, 16384 },
		{ 512, 32768 },
		{ 1024, 32768 },
	};
	/* After 100 accesses each fourth one is of a new line; one point is too low. */
	static const struct working_set_point bent[] = {
		{ 100, 6400 },
		{ 200, 8000 },
		{ 300, 9000 },
		{ 500, 12800 },
	};
	/* From the first point on nothing is told of what is below. */
	static const struct working_set_point late[] = { { 1000, 6400 }, { 2000, 9600 } };
	struct working_set_curve curve = { cycle, 4, LINE, true };
	double ratio;

	(void)state;
	assert_true(miss_ratio_at(&curve, 4096, &ratio));
	assert_float_equal(ratio, 1, 1e-12);
	assert_true(miss_ratio_at(&curve, 32767, &ratio));
	assert_float_equal(ratio, 1, 1e-12);
	assert_true(miss_ratio_at(&curve, 32768, &ratio));
	assert_float_equal(ratio, 0, 1e-12);
	curve.is_whole = false;
	assert_false(miss_ratio_at(&curve, 32768, &ratio));
	curve = (struct working_set_curve){ bent, 4, LINE, false };
	assert_true(miss_ratio_at(&curve, 6399, &ratio));
	assert_float_equal(ratio, 1, 1e-12);
	for (double bytes = 6400; bytes < 12800; bytes += 100) {
		assert_true(miss_ratio_at(&curve, bytes, &ratio));
		assert_float_equal(ratio, 0.25, 1e-12);
	}
	curve = (struct working_set_curve){ late, 2, LINE, false };
	assert_false(miss_ratio_at(&curve, 6399, &ratio));
	assert_true(miss_ratio_at(&curve, 6400, &ratio));
	assert_float_equal(ratio, 0.05, 1e-12);
	curve.nr = 0;
	assert_false(miss_ratio_at(&curve, 6400, &ratio));
}

/* Of walks with loads sampled, by caches of 512 and 4096 lines. */
static void test_expected_misses(void **state)
{
	struct working_set_task task;

	(void)state;
	/* 384 lines in a circle fit into the first level. */
	task = working_set_of(384, 4096, false);
	assert_true(task.misses[0].expected_known && task.misses[1].expected_known);
	assert_float_equal(task.misses[0].expected, 0, 1e-9);
	assert_float_equal(task.misses[1].expected, 0, 1e-9);
	assert_false(task.misses[2].expected_known);
	/* Of 560 each misses it, though only one in ten is sampled. */
	task = working_set_of(560, 4096, false);
	assert_float_equal(task.misses[0].expected, 1, 1e-9);
	assert_float_equal(task.misses[1].expected, 0, 1e-9);
	/* Anywhere in 1024 lines: half of them are in a cache of 512, but w is a lower bound. */
	task = working_set_of(1024, 40960, true);
	assert_true(task.misses[0].expected_known);
	assert_true(task.misses[0].expected > 0.2 && task.misses[0].expected < 0.6);
	assert_float_equal(task.misses[1].expected, 0, 1e-9);
	/* It has not come round yet: what a larger cache would do is not known. */
	task = working_set_of(100000, 300, false);
	assert_float_equal(task.misses[0].expected, 1, 1e-9);
	assert_false(task.misses[1].expected_known);
	assert_false(task.misses[0].measured_known);
}

#define LOADS 0
#define MISSES 1

/* Of a walk of 40 samples of loads in each of some tasks: working set and misses are told. */
static struct working_sets *sets_of(const unsigned int (*tasks)[2], unsigned int nr, bool counted)
{
	static const enum miss_level levels[] = { MISS_NONE, MISS_L2 };
	static const bool is_loads[] = { true, false };
	const struct working_set_choice choice = { levels, is_loads };
	struct working_sets *sets;
	struct analysis *analysis;
	struct model *model;

	begin(false);
	feed_pmu_event_at(now, 1, EVENT + 1, counted ? 0 : 5, 0);
	feed_end_at(now, 0, A);
	for (unsigned int i = 0; i < nr; i++) {
		uint64_t misses[] = { tasks[i][1] };

		feed_begin_at(now, 0, A, TASK + i, TRACE_SPAN_WORK);
		for (unsigned int j = 0; j < 20 * tasks[i][0]; j++)
			touch_at(A, 0x400000, START + j % tasks[i][0] * LINE);
		for (unsigned int j = 0; j < tasks[i][1] / 5 && !counted; j++)
			feed_sample_at(++now, 0, A, MISSES, 5, 0x400000);
		feed_end_at(++now, 0, A);
		if (counted)
			feed_counts_at(now, 0, A, misses, 1, 0);
		feed_switch_at(now, 0, A, 0, TRACE_OUT_RUNNABLE);
		feed_switch_at(++now, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	model = script_end();
	analysis = analyse(model);
	sets = analyse_working_sets(model, analysis, &choice);
	assert_int_equal(sets->event, LOADS);
	assert_int_equal(sets->nr, nr);
	analysis_free(analysis);
	model_free(model);
	return sets;
}

static const struct working_set_task *task_of(const struct working_sets *sets, unsigned int lines)
{
	for (size_t i = 0; i < sets->nr; i++) {
		if (sets->tasks[i].knee_bytes == lines * LINE)
			return &sets->tasks[i];
	}
	fail_msg("no task with %u lines", lines);
	return NULL;
}

/* Lines and misses of each task, of 200 loads a line: 4 %, half of a percent less than 10, 75 % */
static void test_measured_misses(void **state)
{
	static const unsigned int tasks[][2] = { { 50, 400 }, { 80, 1520 }, { 100, 15000 } };
	static const unsigned int odd[][2] = { { 50, 9000 }, { 80, 1000 } };

	(void)state;
	for (int counted = 0; counted < 2; counted++) {
		struct working_sets *sets = sets_of(tasks, 3, counted);

		assert_true(task_of(sets, 50)->misses[1].measured_known);
		assert_int_equal(task_of(sets, 50)->misses[1].event, MISSES);
		assert_float_equal(task_of(sets, 50)->misses[1].measured, 0.04, 1e-9);
		assert_float_equal(task_of(sets, 80)->misses[1].measured, 0.095, 1e-9);
		assert_float_equal(task_of(sets, 100)->misses[1].measured, 0.75, 1e-9);
		assert_false(task_of(sets, 50)->misses[0].measured_known);
		assert_float_equal(sets->held[1].bytes, 80 * LINE, 1e-9);
		assert_float_equal(sets->held[1].not_bytes, 100 * LINE, 1e-9);
		assert_float_equal(sets->held[0].bytes, 0, 0);
		working_sets_free(sets);
		/* The smaller one misses, the greater does not: it is not for want of room. */
		sets = sets_of(odd, 2, counted);
		assert_float_equal(sets->held[1].bytes, 0, 0);
		assert_float_equal(sets->held[1].not_bytes, 0, 0);
		working_sets_free(sets);
	}
}

static void test_distinct(void **state)
{
	uint64_t values[] = { 1, 1, 2, 3, 3, 3, 4 };
	struct distinct distinct = count_distinct(values, 7);

	(void)state;
	assert_float_equal(distinct.nr, 4, 0);
	assert_float_equal(distinct.once, 2, 0);
	assert_float_equal(distinct.twice, 1, 0);
	assert_float_equal(estimate_distinct(&distinct), 4.5, 1e-12);
	distinct = (struct distinct){ 10, 8, 2 };
	assert_float_equal(estimate_distinct(&distinct), 26, 1e-12);
	/* Half of all were drawn: 10 + 64 / (4 + 8). All once, or all there are. */
	assert_float_equal(estimate_distinct_of_part(&distinct, 0.5), 10 + 64 / 12.0, 1e-12);
	assert_float_equal(estimate_distinct_of_part(&distinct, 1), 10, 1e-12);
	distinct = (struct distinct){ 8, 8, 0 };
	assert_float_equal(estimate_distinct_of_part(&distinct, 0.1), 80, 1e-9);
	distinct = count_distinct(values, 0);
	assert_float_equal(estimate_distinct(&distinct), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_conflict),
		cmocka_unit_test(test_no_conflict),
		cmocka_unit_test(test_random_lines),
		cmocka_unit_test(test_not_computed),
		cmocka_unit_test(test_binomial),
		cmocka_unit_test(test_false_sharing),
		cmocka_unit_test(test_conflict_by_register),
		cmocka_unit_test(test_no_conflict_by_register),
		cmocka_unit_test(test_contradicted_register),
		cmocka_unit_test(test_addresses_before_registers),
		cmocka_unit_test(test_random_registers),
		cmocka_unit_test(test_false_sharing_finding),
		cmocka_unit_test(test_working_set),
		cmocka_unit_test(test_distinct),
		cmocka_unit_test(test_miss_ratio),
		cmocka_unit_test(test_expected_misses),
		cmocka_unit_test(test_measured_misses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
