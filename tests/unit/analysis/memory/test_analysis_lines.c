// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/unit/analysis/memory/touches.c */
/*
 * What addresses of samples tell: conflicts and false sharing that are made by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <linux/perf_event.h>
#include <math.h>

#include <uapi/annot.h>

#include "analysis/stats/binomial.h"
#include "analysis/memory/false_sharing.h"
#include "analysis/memory/false_sharing_findings.h"
#include "analysis/memory/set_conflicts.h"
#include "touches.h"
#include "util/random.h"

#define WAY 4096

/* Data sources of samples of instructions. */
#define LEVEL(level)                                                                       \
	((uint64_t)PERF_MEM_LVL_HIT << PERF_MEM_LVL_SHIFT | (uint64_t)PERF_MEM_LVL_##level \
								    << PERF_MEM_LVL_SHIFT)
#define LOAD ((uint64_t)PERF_MEM_OP_LOAD << PERF_MEM_OP_SHIFT)
#define LOCKED ((uint64_t)PERF_MEM_LOCK_LOCKED << PERF_MEM_LOCK_SHIFT)
#define MODIFIED ((uint64_t)PERF_MEM_SNOOP_HITM << PERF_MEM_SNOOP_SHIFT)

static enum miss_level level[] = { MISS_L1 };
static double each = 5;
/* What it costs to take a line from another core: no sample tells. */
static struct miss_cost taken_line = { .cycles = 75, .ns = 25 };
static const bool yes[] = { true };
static const bool no[] = { false };

/* Of the registers: all but number 4. */
static const uint64_t bases = 0xef;

static struct set_conflicts *conflicts_of(void)
{
	struct model *model = script_end();
	const struct sample_misses misses = { model, level, &each };
	struct set_conflicts *conflicts = set_conflicts_compute(model, &misses, bases);

	model_free(model);
	return conflicts;
}

static void test_conflict(void **state)
{
	struct set_conflicts *conflicts;

	(void)state;
	touches_begin(false);
	touch_walk(16, WAY, 10);
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

	touches_begin(false);
	touch_walk(nr, stride_bytes, rounds);
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

		touches_begin(false);
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
	touches_begin(true);
	touch_walk(16, WAY, 10);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->why, SET_CONFLICTS_NO_TOPOLOGY);
	set_conflicts_free(conflicts);
	touches_begin(false);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->why, SET_CONFLICTS_NO_EVENT);
	set_conflicts_free(conflicts);
}

/* A sample with registers; @has: ANNOT_SAMPLE_HAS_ADDR or 0. */
static void touch_with(uint8_t has, uint64_t address, const uint64_t *regs, uint32_t nr_regs)
{
	struct trace_event event = { .kind = TRACE_SAMPLE };

	event.time_ns = touches.now_ns += 10;
	event.tid = A;
	event.cpu = 0;
	event.sample.period = 10;
	event.sample.ip = 0x400000;
	event.sample.addr = address;
	event.sample.has = ANNOT_SAMPLE_USER | ANNOT_SAMPLE_HAS_REGISTERS | has;
	event.sample.regs = regs;
	event.sample.nr_regs = nr_regs;
	model_builder_feed(touches.builder, &event);
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
		touches_begin(false);
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

	touches_begin(false);
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
	touches_begin(false);
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
		touches_begin(false);
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
	touches_begin(false);
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

		touches_begin(false);
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

static struct false_sharing *false_sharing_of(const struct model *model, const bool *is_stores)
{
	const struct sample_misses misses = { model, level, &each };

	return false_sharing_compute(model, &misses, &taken_line, is_stores);
}

/* A and B in turn, at these offsets of a line. */
static struct shared_line share(uint64_t offset_a, uint64_t offset_b, const bool *is_stores,
				unsigned int turns, size_t *nr)
{
	struct false_sharing *sharing;
	struct shared_line line = { 0 };
	struct model *model;

	touches_begin(false);
	for (unsigned int i = 0; i < 40; i++) {
		bool is_a = i * turns / 40 % 2;

		touch_at(is_a ? A : B, 0x400000, START + (is_a ? offset_a : offset_b));
	}
	model = script_end();
	/* Without processes, all threads are of one. */
	sharing = false_sharing_of(model, is_stores);
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
	/* By samples. */
	taken_line.is_sampled = true;
	taken_line.ns = 40;
	assert_float_equal(share(0, 8, yes, 40, &nr).lost_ns, 20 * 10 * 40, 1e-6);
	taken_line = (struct miss_cost){ .cycles = 75, .ns = 25 };
	/* The same bytes: it is true sharing. */
	assert_false(share(0, 0, yes, 40, &nr).is_false_sharing);
	assert_int_equal(nr, 1);
	/* One stores to what the other reads, or beside it. */
	for (touches.storing_tid = A; touches.storing_tid <= B; touches.storing_tid++) {
		assert_false(share(0, 0, no, 40, &nr).is_false_sharing);
		assert_true(share(0, 8, no, 40, &nr).is_false_sharing);
	}
	touches.storing_tid = 0;
	/* One after the other. */
	assert_false(share(0, 8, yes, 2, &nr).is_false_sharing);
	/* Nobody writes, or on another line: nothing is shared. */
	share(0, 8, no, 40, &nr);
	assert_int_equal(nr, 0);
	share(0, 64, yes, 40, &nr);
	assert_int_equal(nr, 0);
}

static void sample_instructions(void)
{
	touches.by_ratio = true;
	level[0] = MISS_NONE;
}

static void sample_misses_again(void)
{
	touches.by_ratio = false;
	touches.data_src = 0;
	each = 5;
	level[0] = MISS_L1;
}

/* Of instructions, those are taken that missed; each stands for as many misses as follows by ratio, or nobody knows. */
static void test_conflict_of_instructions(void **state)
{
	(void)state;
	sample_instructions();
	for (int i = 0; i < 2; i++) {
		struct set_conflicts *conflicts;

		each = i ? NAN : 5;
		touches_begin(false);
		touches.data_src = LOAD | LEVEL(L2);
		touch_walk(16, WAY, 10);
		/* As many lines beside them, but what hits competes with nothing, nor does what is no load. */
		touches.data_src = LOAD | LEVEL(L1);
		touch_walk(400, WAY + LINE, 4);
		touches.data_src = LEVEL(L2);
		touch_walk(400, WAY + LINE, 4);
		touches.data_src = LOAD | LEVEL(UNC);
		touch_walk(400, WAY + LINE, 4);
		conflicts = conflicts_of();
		assert_int_equal(conflicts->nr, 1);
		assert_true(conflicts->rows[0].is_conflict);
		assert_int_equal(conflicts->rows[0].nr_samples, 160);
		assert_int_equal(conflicts->rows[0].lines, 16);
		assert_int_equal(isnan(conflicts->rows[0].misses), i);
		assert_int_equal(isnan(conflicts->rows[0].thread_misses), i);
		if (!i)
			assert_float_equal(conflicts->rows[0].misses, 160 * 5, 1e-9);
		set_conflicts_free(conflicts);
	}
	sample_misses_again();
}

static void test_hits_are_no_conflict(void **state)
{
	struct set_conflicts *conflicts;

	(void)state;
	sample_instructions();
	touches_begin(false);
	touches.data_src = LOAD | LEVEL(L1);
	touch_walk(16, WAY, 10);
	conflicts = conflicts_of();
	assert_int_equal(conflicts->why, SET_CONFLICTS_NO_EVENT);
	set_conflicts_free(conflicts);
	sample_misses_again();
}

/* A and B in turn load their own word of a line. */
static struct shared_line share_instructions(uint64_t data_src, uint64_t offset_b, size_t *nr)
{
	touches.data_src = data_src;
	return share(0, offset_b, no, 40, nr);
}

static void test_false_sharing_of_instructions(void **state)
{
	struct shared_line line;
	size_t nr;

	(void)state;
	sample_instructions();
	/* Each takes it as the other has left it. */
	line = share_instructions(LOAD | LEVEL(L3) | MODIFIED, 8, &nr);
	assert_int_equal(nr, 1);
	assert_true(line.is_false_sharing);
	assert_int_equal(line.nr_samples, 40);
	assert_int_equal(line.nr_modified, 40);
	assert_int_equal(line.nr_stores, 0);
	assert_int_equal(line.nr_turns, 39);
	assert_float_equal(line.lost_ns, 20 * 5 * 75 / 3.0, 1e-6);
	/* The same word. */
	assert_false(share_instructions(LOAD | LEVEL(L3) | MODIFIED, 0, &nr).is_false_sharing);
	assert_int_equal(nr, 1);
	/* A load that locks its line stores to it. */
	line = share_instructions(LOAD | LOCKED | LEVEL(L2), 8, &nr);
	assert_true(line.is_false_sharing);
	assert_int_equal(line.nr_stores, 40);
	/* What hits L1 moves no line; of loads beyond it nobody stores. */
	share_instructions(LOAD | LOCKED | LEVEL(L1), 8, &nr);
	assert_int_equal(nr, 0);
	share_instructions(LOAD | LEVEL(L1), 8, &nr);
	assert_int_equal(nr, 0);
	share_instructions(LOAD | LEVEL(L3), 8, &nr);
	assert_int_equal(nr, 0);
	/* A stores, and hits; B's loads miss. Memory costs more than another CPU's cache. */
	touches.storing_tid = A;
	line = share_instructions(LOAD | LEVEL(LOC_RAM), 8, &nr);
	assert_true(line.is_false_sharing);
	assert_int_equal(line.nr_stores, 20);
	assert_float_equal(line.lost_ns, 20 * 5 * 230 / 3.0, 1e-6);
	each = NAN;
	line = share_instructions(LOAD | LEVEL(LOC_RAM), 8, &nr);
	assert_true(line.is_false_sharing);
	assert_float_equal(line.lost_ns, 0, 1e-9);
	touches.storing_tid = 0;
	sample_misses_again();
}

/* A line that hardly ever moves is no cost: A updates it in its own cache, B sees that now and then. */
static void test_few_misses_are_no_false_sharing(void **state)
{
	(void)state;
	sample_instructions();
	for (unsigned int nr_missed = 3; nr_missed <= 4; nr_missed++) {
		struct false_sharing *sharing;
		struct model *model;

		touches_begin(false);
		for (unsigned int i = 0; i < 40; i++) {
			touches.data_src = LOAD | LOCKED | LEVEL(L1);
			if (i < nr_missed)
				touches.data_src = LOAD | LOCKED | LEVEL(L3);
			touch_at(i % 2 ? A : B, 0x400000, START + i % 2 * 8);
		}
		model = script_end();
		sharing = false_sharing_of(model, no);
		assert_int_equal(sharing->nr, 1);
		assert_int_equal(sharing->lines->nr_missed, nr_missed);
		assert_int_equal(sharing->lines->is_false_sharing, nr_missed == 4);
		false_sharing_free(sharing);
		model_free(model);
	}
	sample_misses_again();
}

/* Of loads that hit, nothing but the bytes that they use is taken. */
static void test_hits_use_bytes(void **state)
{
	struct false_sharing *sharing;
	struct model *model;

	(void)state;
	sample_instructions();
	for (uint64_t offset = 0; offset <= 16; offset += 16) {
		touches_begin(false);
		touches.data_src = LOAD | LEVEL(L1);
		touch_at(B, 0x400000, START + offset);
		touches.data_src = LOAD | LEVEL(L3) | MODIFIED;
		for (unsigned int i = 0; i < 40; i++)
			touch_at(i % 2 ? A : B, 0x400000, START + i % 2 * 8);
		model = script_end();
		sharing = false_sharing_of(model, no);
		assert_int_equal(sharing->nr, 1);
		assert_int_equal(sharing->lines->nr_samples, 40);
		assert_true(sharing->lines->is_false_sharing);
		false_sharing_free(sharing);
		model_free(model);
	}
	/* B has used what A stores to. */
	touches_begin(false);
	touches.data_src = LOAD | LEVEL(L1);
	touch_at(B, 0x400000, START + 8);
	touches.data_src = LOAD | LEVEL(L3) | MODIFIED;
	for (unsigned int i = 0; i < 40; i++)
		touch_at(i % 2 ? A : B, 0x400000, START + i % 2 * 8);
	model = script_end();
	sharing = false_sharing_of(model, no);
	assert_false(sharing->lines->is_false_sharing);
	false_sharing_free(sharing);
	model_free(model);
	sample_misses_again();
}

static void assert_access(const struct false_sharing *sharing, size_t row, uint64_t address,
			  uint64_t nr_samples, uint64_t nr_stores)
{
	const struct line_access *access = &sharing->accesses.rows[row];

	assert_int_equal(access->address, address);
	assert_int_equal(access->line_address, address - address % LINE);
	assert_int_equal(access->nr_samples, nr_samples);
	assert_int_equal(access->nr_stores, nr_stores);
}

/* In the order of the lines, of which the second one costs more; each by thread and address. */
static void test_accesses(void **state)
{
	struct false_sharing *sharing;
	struct model *model;

	(void)state;
	touches_begin(false);
	touches.storing_tid = A;
	for (unsigned int i = 0; i < 40; i++)
		touch_at(i % 2 ? A : B, 0x400000, START + i % 2 * 8);
	for (unsigned int i = 0; i < 80; i++)
		touch_at(i % 2 ? A : B, 0x400000, START + LINE + (i % 2 ? 4 : 8 + i % 10 / 8 * 8));
	/* The same word: nobody shares it falsely. */
	for (unsigned int i = 0; i < 40; i++)
		touch_at(i % 2 ? A : B, 0x400000, START + 2 * LINE);
	touches.storing_tid = 0;
	model = script_end();
	sharing = false_sharing_of(model, no);
	assert_int_equal(sharing->nr, 3);
	assert_int_equal(sharing->accesses.nr, 5);
	assert_access(sharing, 0, START + LINE + 4, 40, 40);
	assert_access(sharing, 1, START + LINE + 8, 32, 0);
	assert_access(sharing, 2, START + LINE + 16, 8, 0);
	assert_access(sharing, 3, START, 20, 0);
	assert_access(sharing, 4, START + 8, 20, 20);
	assert_int_equal(sharing->lines[0].first_access, 0);
	assert_int_equal(sharing->lines[0].nr_accesses, 3);
	assert_int_equal(sharing->lines[1].first_access, 3);
	assert_int_equal(sharing->lines[1].nr_accesses, 2);
	assert_int_equal(model->threads[sharing->accesses.rows[0].thread].tid, A);
	assert_int_equal(model->threads[sharing->accesses.rows[1].thread].tid, B);
	false_sharing_free(sharing);
	model_free(model);
}

/* What @nr lines cost is what they cost the thread, all together. */
static void assert_finding(unsigned int nr, const char *sentence)
{
	struct false_sharing *sharing;
	struct findings findings;
	struct model *model;

	touches_begin(false);
	for (unsigned int i = 0; i < 40 * nr; i++)
		touch_at(i % 2 ? A : B, 0x400000, START + i / 40 * LINE + i % 2 * 8);
	feed_end_at(1000000, 0, A);
	model = script_end();
	sharing = false_sharing_of(model, yes);
	findings = findings_new(model);
	false_sharing_add_findings(model, sharing, "here", &findings);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_ns, (uint64_t)(nr * 20 * 10 * taken_line.ns));
	assert_int_equal(findings.rows[0].nr_threads, 2);
	assert_int_equal(findings.rows[0].from_ns, model->samples.time_ns[0]);
	assert_int_equal(findings.rows[0].to_ns, model->samples.time_ns[model->samples.nr - 1] + 1);
	assert_string_equal(findings.rows[0].text, sentence);
	assert_int_equal(!!(findings.rows[0].caveats & CAVEAT_ASSUMED_COST),
			 !taken_line.is_sampled);
	findings_free(&findings);
	false_sharing_free(sharing);
	model_free(model);
}

static void test_false_sharing_finding(void **state)
{
	(void)state;
	assert_finding(1,
		       "2 threads on several CPUs share one cache line falsely, at here: they use "
		       "different bytes of it and write to it; it moved between CPUs in 39 of 40 "
		       "samples");
	assert_finding(3, "2 threads on several CPUs share 3 cache lines falsely, mainly at here: "
			  "they use different bytes of a line and write to it; the lines moved "
			  "between CPUs in 117 of 120 samples");
	taken_line = (struct miss_cost){
		.cycles = 120, .ns = 40, .is_sampled = true, .nr_samples = 400, .error_cycles = 7.5
	};
	assert_finding(1,
		       "2 threads on several CPUs share one cache line falsely, at here: they use "
		       "different bytes of it and write to it; it moved between CPUs in 39 of 40 "
		       "samples; each costs 120 +/- 7.50 cycles, the mean of 400 samples");
	taken_line = (struct miss_cost){ .cycles = 75, .ns = 25 };
}

/* That nobody was seen to store is said. */
static void test_false_sharing_without_stores(void **state)
{
	struct false_sharing *sharing;
	struct findings findings;
	struct model *model;

	(void)state;
	sample_instructions();
	for (int stores = 0; stores < 2; stores++) {
		touches.storing_tid = stores ? A : 0;
		touches.data_src = LOAD | LEVEL(L3) | MODIFIED;
		touches_begin(false);
		for (unsigned int i = 0; i < 400; i++)
			touch_at(i % 2 ? A : B, 0x400000, START + i % 2 * 8);
		model = script_end();
		sharing = false_sharing_of(model, no);
		findings = findings_new(model);
		false_sharing_add_findings(model, sharing, "here", &findings);
		assert_int_equal(findings.nr, 1);
		assert_int_equal(findings.rows[0].confidence,
				 stores ? CONFIDENCE_HIGH : CONFIDENCE_LOW);
		assert_int_equal(findings.rows[0].caveats & CAVEAT_NO_STORES,
				 stores ? 0 : CAVEAT_NO_STORES);
		findings_free(&findings);
		false_sharing_free(sharing);
		model_free(model);
	}
	touches.storing_tid = 0;
	sample_misses_again();
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
		cmocka_unit_test(test_accesses),
		cmocka_unit_test(test_conflict_by_register),
		cmocka_unit_test(test_no_conflict_by_register),
		cmocka_unit_test(test_contradicted_register),
		cmocka_unit_test(test_addresses_before_registers),
		cmocka_unit_test(test_random_registers),
		cmocka_unit_test(test_false_sharing_finding),
		cmocka_unit_test(test_conflict_of_instructions),
		cmocka_unit_test(test_hits_are_no_conflict),
		cmocka_unit_test(test_false_sharing_of_instructions),
		cmocka_unit_test(test_few_misses_are_no_false_sharing),
		cmocka_unit_test(test_hits_use_bytes),
		cmocka_unit_test(test_false_sharing_without_stores),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
