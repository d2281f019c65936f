// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c tests/unit/page/page_reader.c tests/unit/page/overview_result.c tests/unit/page/overview_checks.c */
/* SLOW */
/*
 * The overview, against sums over every row of a timeline; and that it is the same whether rows come
 * at once or in windows, and however often its buckets were made wider.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "any_events.h"
#include "events.h"
#include "model/window/window.h"
#include "overview_checks.h"
#include "overview_result.h"
#include "page/overview/overview.h"

#define FIRST_TID 100
#define NR_EVENTS 3 /* measured: two are counted, one is sampled */

/* @pace: the longest time between two events. */
static void feed_script(unsigned int seed, int nr_events, unsigned int pace)
{
	uint64_t time_ns = 1000;

	srand(seed);
	for (uint8_t i = 0; i < NR_EVENTS; i++)
		feed_pmu_event_at(time_ns, i, 50 + i, i < 2 ? 0 : 100, 0);
	for (int i = 0; i < nr_events; i++) {
		unsigned int chance = (unsigned int)rand();

		time_ns += (uint64_t)rand() % (pace + 1);
		/* Now and then nothing happens for long. */
		time_ns += rand() % 50 ? 0 : pace * 20;
		feed_drained_at(rand() % 4 ? 0 : time_ns + (uint64_t)rand() % (20 * pace));
		feed_anything_at(time_ns, FIRST_TID, chance);
		if (chance % 7 == 0)
			feed_sample_at(time_ns, (int)(chance / 7 % 3),
				       FIRST_TID + (int32_t)(chance % 5), 2, 1 + chance % 300, 0);
	}
	feed_drained_at(0);
}

static struct model *whole(unsigned int seed, int nr_events, unsigned int pace)
{
	script_begin();
	feed_script(seed, nr_events, pace);
	return script_end();
}

static void test_whole(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 60; seed++) {
		struct model *model = whole(seed, 300, 2 + seed % 3 * 40);
		struct overview *overview = overview_new(model->duration_ns, 300);
		struct result result;

		overview_add(overview, model);
		result = result_of(overview, model);
		check_result(&result, model);
		free_result(&result);
		model_free(model);
	}
}

static void take(void *context, const struct model *window, uint64_t from_ns, uint64_t to_ns)
{
	(void)from_ns;
	(void)to_ns;
	overview_add(context, window);
}

/* Whatever was thought of the trace's length, as rows come in windows of so many events. */
static void check_windows(unsigned int seed, int nr_events, unsigned int pace, size_t nr_each,
			  uint64_t hint_ns)
{
	struct model *all = whole(seed, nr_events, pace), *rest;
	struct overview *overview = overview_new(hint_ns, 300), *same;
	const struct model_sink sink = { .take = take, .context = overview };
	struct model_windows windows = { .sink = &sink, .nr_events_each = nr_each };
	struct model_builder *builder = script_begin();
	struct result result, same_result;

	model_builder_use_windows(builder, &windows);
	feed_script(seed, nr_events, pace);
	rest = model_builder_finish(builder);
	overview_add(overview, rest);
	result = result_of(overview, rest);
	check_result(&result, all);
	same = overview_new(result.bucket_ns * 4096, 300);
	overview_add(same, all);
	same_result = result_of(same, all);
	assert_int_equal(same_result.bucket_ns, result.bucket_ns);
	assert_int_equal(same_result.block.nr_bytes, result.block.nr_bytes);
	assert_memory_equal(same_result.block.bytes, result.block.bytes, result.block.nr_bytes);
	free_result(&same_result);
	free_result(&result);
	model_free(rest);
	model_free(all);
}

static void test_windows(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 100; seed++)
		check_windows(seed, 300, 2 + seed % 3 * 40, 1 + seed % 60, 30000);
}

/* Buckets of 8 ns are not enough: they are made wider, several times. */
static void test_wider(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 20; seed++)
		check_windows(seed, 300, 1000 << seed % 8, 10 + seed % 60, 0);
	check_windows(5, 20000, 50, 1000, 0);
	check_windows(6, 20000, 500, 30000, 0);
}

/* Wider for want of room, after it was written: as if it had been so from the start. */
static void test_widen(void **state)
{
	struct model *model = whole(9, 20000, 50);
	struct overview *overview = overview_new(model->duration_ns, 0);
	uint64_t bucket_ns = overview_bucket_ns(overview);
	struct block block = { 0 };
	struct result result;

	(void)state;
	overview_add(overview, model);
	overview_write(overview, model, &block);
	assert_in_range(overview_nr_buckets(overview), 2048, 65536);
	while (overview_nr_buckets(overview) >= 4096) {
		assert_true(overview_widen(overview, 2048));
		bucket_ns *= 2;
	}
	assert_false(overview_widen(overview, 2048));
	assert_int_equal(overview_bucket_ns(overview), bucket_ns);
	result = result_of(overview, model);
	check_result(&result, model);
	free_result(&result);
	block_free(&block);
	model_free(model);
}

static void add_marks(struct overview *overview, struct mark_table marks)
{
	struct thread thread = { .marks = marks };

	overview_add(overview, &(struct model){ .nr_threads = 1, .threads = &thread });
}

/* What comes last may be what was first. */
static void test_late_marks(void **state)
{
	uint64_t times[] = { 12, 13 }, late_times[] = { 9, 10 };
	uint32_t names[] = { 2, 3 }, late_names[] = { 1, 3 };
	uint8_t is_counter[] = { 0, 1 }, yes[] = { 1, 1 };
	int64_t values[] = { 0, 7 }, late_values[] = { 0, -5 };
	struct overview *overview = overview_new(100, 0);
	const struct table *marks, *counters;
	struct thread thread = { 0 };
	struct result result;

	(void)state;
	add_marks(overview, (struct mark_table){ 2, times, names, is_counter, yes, values, times });
	add_marks(overview, (struct mark_table){ 2, late_times, late_names, is_counter, yes,
						 late_values, times });
	result = result_of(overview, &(struct model){ .nr_threads = 1, .threads = &thread });
	assert_int_equal(result.bucket_ns, 8);
	marks = find_table(&result, MARKS, 0);
	assert_int_equal(marks->nr, 2);
	assert_int_equal(marks->columns[1][1], 1);
	assert_int_equal(marks->columns[2][1], 2);
	counters = find_table(&result, COUNTERS, 0);
	assert_int_equal(counters->nr, 2);
	assert_int_equal(counters->columns[2][1], -5);
	assert_int_equal(counters->columns[3][1], 7);
	assert_int_equal(counters->columns[4][1], 7);
	free_result(&result);
}

/* Time runs back. */
static void test_any_order(void **state)
{
	uint64_t start_ns[] = { 96, 42, 24, 8 }, end_ns[] = { 104, 44, 30, 24 };
	uint8_t running[] = { STATE_RUNNING, STATE_RUNNING, STATE_RUNNING, STATE_RUNNING };
	static const int64_t runs[] = { 1, 2, 1, 1, 1, 6, 1, 1 };
	static const int64_t shares[] = { 0, 255, 191, 0, 63, 0, 255, 0 };
	struct thread thread = { .states = { 4, start_ns, running, .end_ns = end_ns } };
	struct model model = { .nr_threads = 1, .threads = &thread };
	struct overview *overview = overview_new(100, 0);
	struct result result;

	(void)state;
	overview_add(overview, &model);
	result = result_of(overview, &model);
	assert_int_equal(result.bucket_ns, 8);
	assert_int_equal(result.tables[0].nr, 8);
	for (size_t i = 0; i < 8; i++) {
		assert_int_equal(result.tables[0].columns[0][i], runs[i]);
		assert_int_equal(result.tables[0].columns[STATE_RUNNING][i], shares[i]);
	}
	free_result(&result);
}

/* One who was second in each half of a bucket may be first in the whole. */
static void test_longest_of_pieces(void **state)
{
	struct overview *overview = overview_new(8 * 4096, 0);
	struct result result;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(100, 0, 0, 1, TRACE_OUT_RUNNABLE);
	feed_switch_at(105, 0, 1, 2, TRACE_OUT_SLEEPING); /* 1: 5 */
	feed_switch_at(108, 0, 2, 3, TRACE_OUT_SLEEPING); /* 2: 3 */
	feed_switch_at(113, 0, 3, 2, TRACE_OUT_SLEEPING); /* 3: 5 */
	feed_switch_at(116, 0, 2, 0, TRACE_OUT_SLEEPING); /* 2: 3 */
	feed_switch_at(100 + 8 * 4096, 0, 0, 4, TRACE_OUT_SLEEPING);
	model = script_end();
	overview_add(overview, model);
	result = result_of(overview, model);
	assert_int_equal(result.bucket_ns, 16);
	assert_int_equal(find_table(&result, CPU, 0)->columns[0][0], thread_of(model, 2, 0) + 1);
	assert_int_equal(find_table(&result, CPU, 0)->columns[1][0], 255);
	free_result(&result);
	model_free(model);
}

/* Threads, each with a row of states that are @step_ns long. */
static struct model *many_threads(size_t nr_threads, size_t nr_states, uint64_t from_ns,
				  uint64_t step_ns)
{
	struct model *model = calloc(1, sizeof(*model));

	model->nr_threads = nr_threads;
	model->threads = calloc(nr_threads, sizeof(*model->threads));
	for (size_t i = 0; i < nr_threads; i++) {
		struct state_table *states = &model->threads[i].states;

		states->nr = nr_states;
		states->start_ns = calloc(nr_states + 1, sizeof(*states->start_ns));
		states->state = calloc(nr_states, sizeof(*states->state));
		for (size_t j = 0; j <= nr_states; j++)
			states->start_ns[j] = from_ns + j * step_ns;
		for (size_t j = 0; j < nr_states; j++)
			states->state[j] = j % 2 ? STATE_RUNNING : STATE_SLEEPING;
	}
	return model;
}

/* Detail is given up for memory, but only where there is any. */
static void test_memory(void **state)
{
	enum {
		THREADS = 3000,
		WINDOWS = 80,
		ROWS = 100,
		LEAST_CELL_BYTES = 6
	};
	uint64_t most = ((uint64_t)48 << 20) / LEAST_CELL_BYTES / THREADS;
	struct overview *busy = overview_new(WINDOWS * ROWS * 1000, 100000000);
	struct overview *asleep = overview_new(WINDOWS * ROWS * 1000, 100000000);
	struct model *model;
	struct result result;

	(void)state;
	for (uint64_t i = 0; i < WINDOWS; i++) {
		model = many_threads(THREADS, ROWS, i * ROWS * 1000, 1000);
		overview_add(busy, model);
		model_free(model);
	}
	model = many_threads(THREADS, 1, 0, WINDOWS * ROWS * 1000);
	overview_add(asleep, model);
	assert_in_range(overview_nr_buckets(asleep), 32768, 65536);
	assert_in_range(overview_nr_buckets(busy), most / 4, most);
	result = result_of(asleep, model);
	for (size_t i = 0; i < THREADS; i++)
		assert_int_equal(result.tables[i].nr,
				 2); /* the last bucket reaches beyond the end */
	free_result(&result);
	result = result_of(busy, model);
	for (size_t i = 0; i < THREADS; i++) {
		const struct table *table = &result.tables[i];
		/* All but the last bucket have as much of both states, to a step. */
		int64_t half = 255 / 2, error = 255 * 1000 / (int64_t)result.bucket_ns + 1;

		for (size_t j = 0; j + 1 < table->nr; j++)
			assert_in_range(table->columns[STATE_RUNNING][j] - half + error, 0,
					2 * error + 1);
	}
	free_result(&result);
	model_free(model);
}

/* Times that no trace has. */
static void test_absurd(void **state)
{
	static const uint64_t times[] = { 0, 5, UINT64_MAX, (uint64_t)1 << 63, 7, INT64_MAX, 1 };
	enum {
		NR = sizeof(times) / sizeof(times[0])
	};
	uint64_t start[NR * NR], end[NR * NR], period[NR * NR], counts[NR * NR];
	uint32_t names[NR * NR] = { 0 }, nobody[NR * NR];
	uint8_t zeros[NR * NR] = { 0 }, deep[NR * NR], running[NR * NR];
	int16_t cpu[NR * NR];
	int64_t values[NR * NR];
	struct pmu_event events[] = { { .name = 1 }, { .is_counted = true } };
	struct thread thread = {
		.states = { .nr = NR * NR, start, running, cpu, .end_ns = end },
		.spans = { NR * NR, start, end, names, zeros, deep, zeros, values, end },
		.marks = { NR * NR, start, names, zeros, zeros, values, start },
	};
	struct cpu on = { .slices = { NR * NR, start, end, names, zeros } };
	struct model model = {
		.nr_threads = 1,
		.threads = &thread,
		.nr_cpus = 1,
		.cpus = &on,
		.nr_pmu_events = 2,
		.pmu_events = events,
		.samples = { .nr = NR * NR,
			     .time_ns = start,
			     .thread = nobody,
			     .cpu = cpu,
			     .event = zeros,
			     .period = period },
		.slice_counts = { .nr = NR * NR,
				  .nr_counters = 1,
				  .start_ns = start,
				  .end_ns = end,
				  .thread = nobody,
				  .cpu = cpu,
				  .counts = counts },
	};

	(void)state;
	for (size_t i = 0; i < NR * NR; i++) {
		start[i] = times[i / NR];
		end[i] = times[i % NR];
		period[i] = counts[i] = UINT64_MAX;
		values[i] = i % 2 ? INT64_MIN : INT64_MAX;
		nobody[i] = MODEL_NO_THREAD;
		cpu[i] = (int16_t)(i % 3) - 1;
		deep[i] = i % 2 ? UINT8_MAX : (uint8_t)i;
		running[i] = (uint8_t)i;
	}
	for (int seen_before = 0; seen_before < 2; seen_before++) {
		struct overview *overview = overview_new(seen_before ? 1000 : UINT64_MAX,
							 UINT64_MAX);
		struct result result;

		overview_add(overview, &model);
		overview_add(overview, &model);
		result = result_of(overview, &model);
		assert_true(result.nr_buckets <= 65536);
		assert_true(result.bucket_ns >= ((uint64_t)1 << 63) / 65536);
		for (size_t i = 0; i < result.nr; i++) {
			const struct table *table = &result.tables[i];

			if (table->kind != SPANS && table->kind != KERNEL)
				free(rows_of_buckets(&result, table, 0, table->nr));
		}
		free_result(&result);
	}
}

/* An interrupt inside another one takes none of the bucket's time again. */
static void test_inner_interrupts(void **state)
{
	struct overview *overview;
	struct result result;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, FIRST_TID, TRACE_OUT_RUNNABLE);
	feed_interrupt_begin_at(1100, 0, FIRST_TID, TRACE_SOFTIRQ, 3, false);
	feed_interrupt_begin_at(1150, 0, FIRST_TID, TRACE_HARDIRQ, 9, true);
	feed_interrupt_end_at(1450, 0, FIRST_TID, TRACE_HARDIRQ, 9);
	feed_interrupt_end_at(1500, 0, FIRST_TID, TRACE_SOFTIRQ, 3);
	feed_switch_at(2000, 0, FIRST_TID, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	assert_int_equal(model->cpus[0].interrupts.nr, 2);
	overview = overview_new(model->duration_ns, 2);
	overview_add(overview, model);
	result = result_of(overview, model);
	check_result(&result, model);
	free_result(&result);
	model_free(model);
}

static void test_nothing(void **state)
{
	static const struct model nothing;
	struct overview *overview = overview_new(0, 0);
	struct result result;

	(void)state;
	overview_add(overview, &nothing);
	result = result_of(overview, &nothing);
	assert_int_equal(result.nr, 0);
	assert_int_equal(result.nr_buckets, 1);
	free_result(&result);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_wider),
		cmocka_unit_test(test_widen),
		cmocka_unit_test(test_late_marks),
		cmocka_unit_test(test_any_order),
		cmocka_unit_test(test_longest_of_pieces),
		cmocka_unit_test(test_memory),
		cmocka_unit_test(test_absurd),
		cmocka_unit_test(test_inner_interrupts),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("page overview", tests, NULL, NULL);
}
