// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * What was measured -> columns: of which event, of whom, from when to when.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "events.h"
#include "model/pmu/pmu.h"

#define A 101
#define B 102

/* String ids, of texts that tell of events. */
#define MISS 11
#define LOADS 12
#define INSTRUCTIONS 13
#define CYCLES 14

#define COUNTS(...) ((const uint64_t[]){ __VA_ARGS__ })

static void test_samples(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_pmu_event_at(1000, 2, LOADS, 1000, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	for (uint64_t i = 0; i < 100; i++)
		feed_sample_at(1001 + i, 0, A, i % 2 ? 2 : 0, i % 2 ? 1000 : 100, 0x400000 + i);
	feed_switch_at(1200, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_sample_at(1300, 0, 0, 0, 100, 0xffff);
	model = script_end();

	assert_int_equal(model->nr_pmu_events, 2);
	assert_int_equal(model->pmu_events[1].name, LOADS);
	assert_int_equal(model->pmu_events[1].period, 1000);
	assert_true(model->pmu_events[1].user && !model->pmu_events[1].kernel);
	assert_int_equal(model->samples.nr, 101);
	for (uint64_t i = 0; i < 100; i++) {
		assert_int_equal(model->samples.time_ns[i], 1 + i);
		assert_int_equal(model->samples.thread[i], thread_of(model, A, 0));
		assert_int_equal(model->samples.event[i], i % 2);
		assert_int_equal(model->samples.period[i], i % 2 ? 1000 : 100);
		assert_int_equal(model->samples.ip[i], 0x400000 + i);
		assert_int_equal(model->samples.has[i], ANNOT_SAMPLE_USER);
	}
	assert_int_equal(model->samples.thread[100], MODEL_NO_THREAD);
	model_free(model);
}

static void feed_registers(struct model_builder *builder, uint64_t time_ns, uint32_t nr)
{
	uint64_t regs[8];
	struct trace_event event = { .time_ns = time_ns, .tid = A, .kind = TRACE_SAMPLE };

	for (uint32_t i = 0; i < nr; i++)
		regs[i] = 100 * time_ns + i;
	event.sample.regs = regs;
	event.sample.nr_regs = nr;
	event.sample.period = 1;
	model_builder_feed(builder, &event);
}

/* Each sample has its own number of them. */
static void test_registers(void **state)
{
	struct model_builder *builder = script_begin();
	const struct sample_table *samples;
	struct model *model;

	(void)state;
	for (uint32_t i = 0; i < 50; i++)
		feed_registers(builder, 1000 + i, i % 3 * 4);
	model = script_end();

	samples = &model->samples;
	assert_int_equal(samples->nr, 50);
	assert_int_equal(samples->first_reg[0], 0);
	for (size_t i = 0; i < samples->nr; i++) {
		size_t nr = samples->first_reg[i + 1] - samples->first_reg[i];

		assert_int_equal(nr, i % 3 * 4);
		for (size_t reg = 0; reg < nr; reg++)
			assert_int_equal(samples->regs[samples->first_reg[i] + reg],
					 100 * (1000 + i) + reg);
	}
	model_free(model);
}

/* A tid that is given anew is somebody else from then on. */
static void test_sample_of_a_reused_tid(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_sample_at(1100, 0, A, 0, 100, 1);
	feed_switch_at(1200, 0, A, B, TRACE_OUT_DEAD);
	feed_fork_at(1300, 0, B, A, false);
	feed_switch_at(1400, 0, B, A, TRACE_OUT_SLEEPING);
	feed_sample_at(1500, 0, A, 0, 100, 2);
	model = script_end();

	assert_int_equal(model->samples.nr, 2);
	assert_int_equal(model->samples.thread[0], thread_of(model, A, 0));
	assert_int_equal(model->samples.thread[1], thread_of(model, A, 1));
	model_free(model);
}

/* Between an exec by another thread than the leader and its event, the thread has its new tid. */
static void test_sample_within_an_exec(void **state)
{
	struct model *model;
	uint32_t thread;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_fork_at(1100, 0, A, B, true);
	feed_mark_of_process_at(1150, 0, A, A);
	feed_switch_at(1200, 0, A, B, TRACE_OUT_DEAD);
	feed_sample_at(1300, 0, B, 0, 100, 1);
	feed_mark_of_process_at(1310, 0, B, A);
	feed_sample_at(1400, 0, A, 0, 100, 2);
	feed_exec_at(1500, 0, A, B, 1);
	feed_sample_at(1600, 0, A, 0, 100, 3);
	model = script_end();

	/* The row keeps its place; its tid is the leader's now, as that of the dead one. */
	thread = thread_of(model, A, 1);
	for (int i = 0; i < 3; i++)
		assert_int_equal(model->samples.thread[i], thread);
	assert_int_equal(model->nr_threads, 2);
	model_free(model);
}

static void assert_counts(const struct model *model, size_t row, uint64_t start_ns, uint64_t end_ns,
			  uint32_t thread, uint32_t invalid, uint64_t first, uint64_t second)
{
	const struct slice_count_table *counts = &model->slice_counts;

	assert_int_equal(counts->start_ns[row], start_ns);
	assert_int_equal(counts->end_ns[row], end_ns);
	assert_int_equal(counts->thread[row], thread);
	assert_int_equal(counts->invalid[row], invalid);
	assert_int_equal(counts->counts[2 * row], first);
	assert_int_equal(counts->counts[2 * row + 1], second);
}

static void test_slice_counts(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, INSTRUCTIONS, 0, 0);
	feed_pmu_event_at(1000, 1, MISS, 100, 0);
	feed_pmu_event_at(1000, 5, CYCLES, 0, 0);
	feed_switch_at(1100, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1250, 0, A, COUNTS(10, 20), 2, 0);
	feed_switch_at(1250, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_counts_at(1400, 0, 0, COUNTS(30, 40), 2, 2);
	feed_switch_at(1400, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_lost_at(1500, 0, 1450, 3);
	feed_counts_at(1600, 0, B, COUNTS(50, 60), 2, 3);
	model = script_end();

	assert_int_equal(model->slice_counts.nr, 3);
	assert_int_equal(model->slice_counts.nr_counters, 2);
	assert_int_equal(model->pmu_events[0].counter, 0);
	assert_int_equal(model->pmu_events[2].counter, 1);
	assert_counts(model, 0, 100, 250, thread_of(model, A, 0), 0, 10, 20);
	assert_counts(model, 1, 250, 400, MODEL_NO_THREAD, 2, 30, 40);
	/* Who ran after the loss shows only with this: of how long it counts, nobody knows. */
	assert_counts(model, 2, 600, 600, thread_of(model, B, 0), 3, 50, 60);
	assert_int_equal(model->nr_odd_counts, 0);
	model_free(model);
}

/* Refused ones may stand in the counts, or be left out. */
static void test_counts_of_refused_events(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, INSTRUCTIONS, 0, 19);
	feed_pmu_event_at(1000, 1, CYCLES, 0, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1100, 0, A, COUNTS(7), 1, 0);
	feed_counts_at(1200, 0, A, COUNTS(0, 8), 2, 1);
	feed_counts_at(1300, 0, A, COUNTS(1, 2, 3), 3, 0);
	model = script_end();

	assert_int_equal(model->pmu_events[0].error, 19);
	assert_int_equal(model->slice_counts.nr, 2);
	assert_counts(model, 0, 0, 100, thread_of(model, A, 0), 1, 0, 7);
	assert_counts(model, 1, 100, 200, thread_of(model, A, 0), 1, 0, 8);
	assert_int_equal(model->nr_odd_counts, 1);
	model_free(model);
}

/* A counter may have started before the trace tells which it is. */
static void test_started_before_told(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_state_at(1000, 0, 0, ANNOT_PMU_STARTED, 0);
	feed_pmu_state_at(1000, 0, 1, ANNOT_PMU_STARTED, 0);
	feed_pmu_state_at(1000, 0, 2, ANNOT_PMU_STARTED, 0);
	feed_sample_at(1005, 0, A, 2, 100, 1);
	feed_pmu_event_at(1010, 0, INSTRUCTIONS, 0, 0);
	feed_pmu_event_at(1010, 1, MISS, 100, 0);
	feed_pmu_event_at(1010, 2, CYCLES, 0, 0);
	feed_switch_at(1100, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1200, 0, A, COUNTS(5, 6), 2, 0);
	feed_pmu_state_at(1300, 0, 0, ANNOT_PMU_STOPPED, 5);
	model = script_end();

	/* What was sampled is not what is counted. */
	assert_int_equal(model->nr_pmu_events, 4);
	assert_int_equal(model->pmu_events[0].name, INSTRUCTIONS);
	assert_true(model->pmu_events[0].is_counted && model->pmu_events[0].has_total);
	assert_int_equal(model->pmu_events[0].total, 5);
	assert_int_equal(model->pmu_events[1].name, MISS);
	assert_int_equal(model->pmu_events[3].name, CYCLES);
	assert_int_equal(model->slice_counts.nr_counters, 2);
	assert_counts(model, 0, 100, 200, thread_of(model, A, 0), 0, 5, 6);
	model_free(model);
}

/* What was counted before that is not another event, nor are the others' numbers shifted. */
static void test_counted_before_told(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1100, 0, A, COUNTS(5, 6), 2, 2);
	feed_pmu_state_at(1110, 0, 0, ANNOT_PMU_STARTED, 5);
	feed_pmu_state_at(1110, 0, 1, ANNOT_PMU_STARTED, 5);
	feed_pmu_state_at(1110, 0, 2, ANNOT_PMU_STARTED, 5);
	feed_pmu_event_at(1120, 0, INSTRUCTIONS, 0, 0);
	feed_pmu_event_at(1120, 1, MISS, 100, 0);
	feed_pmu_event_at(1120, 2, CYCLES, 0, 0);
	feed_sample_at(1130, 0, A, 1, 100, 1);
	feed_counts_at(1200, 0, A, COUNTS(7, 8), 2, 0);
	/* Then a set that counts nothing, and another one that does, before it is told. */
	feed_pmu_event_at(1300, 0, LOADS, 100, 0);
	feed_counts_at(1400, 0, A, COUNTS(9, 10), 2, 0);
	feed_pmu_event_at(1500, 0, CYCLES, 0, 0);
	feed_pmu_event_at(1500, 1, INSTRUCTIONS, 0, 0);
	model = script_end();

	assert_int_equal(model->nr_pmu_events, 4);
	assert_counts(model, 2, 200, 400, thread_of(model, A, 0), 0, 10, 9);
	assert_int_equal(model->pmu_events[0].name, INSTRUCTIONS);
	assert_int_equal(model->pmu_events[model->samples.event[0]].name, MISS);
	assert_int_equal(model->pmu_events[2].name, CYCLES);
	assert_int_equal(model->pmu_events[0].counter, 0);
	assert_int_equal(model->pmu_events[2].counter, 1);
	assert_int_equal(model->slice_counts.nr, 3);
	assert_int_equal(model->slice_counts.nr_counters, 2);
	assert_counts(model, 0, 0, 100, thread_of(model, A, 0), 2, 5, 6);
	assert_counts(model, 1, 100, 200, thread_of(model, A, 0), 0, 7, 8);
	assert_int_equal(model->nr_odd_counts, 0);
	model_free(model);
}

/* Counts stand behind a begin and before an end; what they tell is cut at these. */
static void test_cut_by_spans(void **state)
{
	struct model *model;
	uint32_t a;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, INSTRUCTIONS, 0, 0);
	feed_pmu_event_at(1000, 1, CYCLES, 0, 0);
	feed_switch_at(1100, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1200, 0, A, MISS, TRACE_SPAN_WORK);
	feed_counts_ended_by_at(1203, 0, A, COUNTS(10, 11), 2, 0, ANNOT_ENDED_BY_BEGIN);
	feed_counts_ended_by_at(1300, 0, A, COUNTS(70, 71), 2, 0, ANNOT_ENDED_BY_END);
	feed_end_at(1304, 0, A);
	feed_counts_at(1400, 0, A, COUNTS(5, 6), 2, 0);
	feed_switch_at(1400, 0, A, B, TRACE_OUT_SLEEPING);
	/* The end was lost, and the thread has left: the next one cuts nothing. */
	feed_counts_ended_by_at(1500, 0, B, COUNTS(3, 4), 2, 0, ANNOT_ENDED_BY_END);
	feed_switch_at(1600, 0, B, A, TRACE_OUT_SLEEPING);
	feed_switch_at(1700, 0, A, B, TRACE_OUT_SLEEPING);
	feed_end_at(1800, 0, B);
	model = script_end();

	a = thread_of(model, A, 0);
	assert_int_equal(model->slice_counts.nr, 4);
	assert_counts(model, 0, 100, 200, a, 0, 10, 11);
	assert_counts(model, 1, 200, 304, a, 0, 70, 71);
	assert_counts(model, 2, 304, 400, a, 0, 5, 6);
	assert_counts(model, 3, 400, 500, thread_of(model, B, 0), 0, 3, 4);
	model_free(model);
}

/* The end comes after many counts of other CPUs. */
static void test_cut_late(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, INSTRUCTIONS, 0, 0);
	feed_pmu_event_at(1000, 1, CYCLES, 0, 0);
	feed_switch_at(1050, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1200, 0, A, MISS, TRACE_SPAN_WORK);
	feed_counts_ended_by_at(1300, 0, A, COUNTS(70, 71), 2, 0, ANNOT_ENDED_BY_END);
	for (int i = 0; i < 100; i++)
		feed_counts_at(1301 + (uint64_t)i, 1, B, COUNTS(1, 2), 2, 0);
	feed_end_at(1450, 0, A);
	model = script_end();

	assert_int_equal(model->slice_counts.nr, 101);
	assert_counts(model, 100, 100, 450, thread_of(model, A, 0), 0, 70, 71);
	model_free(model);
}

/*
 * A batch speaks of the past, and its annotations end what was counted: also where one seems to be
 * from before its thread's slice, for that cannot be. Rows are in the order of their ends.
 */
static void test_cut_in_batches(void **state)
{
	struct model *model;
	uint32_t a, b;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, INSTRUCTIONS, 0, 0);
	feed_pmu_event_at(1000, 1, CYCLES, 0, 0);
	feed_switch_at(1050, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1250, 1, B, COUNTS(1, 2), 2, 0);
	feed_switch_at(1250, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_counts_of_batch_at(1400, 0, A, COUNTS(10, 11), 2);
	feed_drained_at(1400);
	feed_begin_at(1090, 0, A, MISS, TRACE_SPAN_WORK);
	feed_counts_of_batch_at(1400, 0, A, COUNTS(20, 21), 2);
	feed_end_at(1200, 0, A);
	feed_counts_of_batch_at(1400, 0, A, COUNTS(30, 31), 2);
	feed_begin_at(1300, 0, A, MISS, TRACE_SPAN_WORK);
	feed_drained_at(0);
	feed_counts_at(1400, 0, A, COUNTS(40, 41), 2, 0);
	feed_switch_at(1400, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	a = thread_of(model, A, 0);
	b = thread_of(model, B, 0);
	assert_int_equal(model->slice_counts.nr, 5);
	assert_counts(model, 0, 100, 101, a, 0, 10, 11);
	assert_counts(model, 1, 101, 200, a, 0, 20, 21);
	assert_counts(model, 2, 50, 250, b, 0, 1, 2);
	assert_counts(model, 3, 200, 300, a, 0, 30, 31);
	assert_counts(model, 4, 300, 400, a, 0, 40, 41);
	assert_int_equal(model->threads[a].spans.start_ns[0], 101);
	assert_int_equal(model->threads[a].spans.end_ns[0], 200);
	model_free(model);
}

/* Each recording tells the set again. */
static void test_set_told_again(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	for (int i = 0; i < 3; i++) {
		feed_pmu_event_at(1000 + 10 * i, 0, MISS, 100, 0);
		feed_pmu_event_at(1001 + 10 * i, 1, CYCLES, 0, 0);
		feed_sample_at(1002 + 10 * i, 0, A, 0, 100, 1);
		feed_counts_at(1003 + 10 * i, 0, A, COUNTS(5), 1, 0);
	}
	model = script_end();

	assert_int_equal(model->nr_pmu_events, 2);
	assert_int_equal(model->samples.nr, 3);
	assert_int_equal(model->slice_counts.nr, 3);
	assert_int_equal(model->slice_counts.nr_counters, 1);
	model_free(model);
}

/* Two recordings with different sets: the same number means another event. */
static void test_set_replaced(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_pmu_event_at(1000, 1, INSTRUCTIONS, 0, 0);
	feed_sample_at(1100, 0, A, 0, 100, 1);
	feed_counts_at(1200, 0, A, COUNTS(5), 1, 0);
	feed_pmu_event_at(1300, 0, LOADS, 1000, 0);
	feed_pmu_event_at(1300, 1, CYCLES, 0, 0);
	feed_sample_at(1400, 0, A, 0, 1000, 1);
	feed_counts_at(1500, 0, A, COUNTS(6), 1, 0);
	feed_pmu_event_at(1600, 0, MISS, 100, 0);
	feed_sample_at(1700, 0, A, 0, 100, 1);
	model = script_end();

	assert_int_equal(model->nr_pmu_events, 4);
	assert_int_equal(model->pmu_events[model->samples.event[0]].name, MISS);
	assert_int_equal(model->pmu_events[model->samples.event[1]].name, LOADS);
	assert_int_equal(model->pmu_events[model->samples.event[2]].name, MISS);
	/* What was not in the set was not measured; that is not the same as 0. */
	assert_int_equal(model->slice_counts.nr_counters, 2);
	assert_counts(model, 0, 0, 200, thread_of(model, A, 0), 2, 5, 0);
	assert_counts(model, 1, 200, 500, thread_of(model, A, 0), 1, 0, 6);
	model_free(model);
}

/* Nothing is left of the set before. */
static void test_set_replaced_by_a_smaller_one(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_pmu_event_at(1000, 0, INSTRUCTIONS, 0, 0);
	feed_pmu_event_at(1000, 1, CYCLES, 0, 0);
	feed_counts_at(1100, 0, A, COUNTS(5, 6), 2, 0);
	feed_pmu_event_at(1200, 0, CYCLES, 0, 0);
	feed_counts_at(1300, 0, A, COUNTS(7), 1, 0);
	model = script_end();

	assert_int_equal(model->nr_odd_counts, 0);
	assert_int_equal(model->nr_pmu_events, 2);
	assert_counts(model, 0, 0, 100, thread_of(model, A, 0), 0, 5, 6);
	assert_counts(model, 1, 100, 300, thread_of(model, A, 0), 1, 0, 7);
	model_free(model);
}

/* What told of them was lost: they are events all the same, and get their names when those come. */
static void test_nobody_told(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_sample_at(1000, 0, A, 3, 100, 1);
	feed_counts_at(1100, 0, A, COUNTS(5, 6), 2, 0);
	feed_counts_at(1200, 0, A, COUNTS(7, 8), 2, 0);
	feed_counts_at(1200, 0, A, COUNTS(7), 1, 0);
	feed_pmu_event_at(1300, 3, MISS, 100, 0);
	feed_sample_at(1400, 0, A, 3, 100, 1);
	model = script_end();

	assert_int_equal(model->nr_pmu_events, 3);
	assert_int_equal(model->samples.event[0], 0);
	assert_int_equal(model->samples.event[1], 0);
	assert_int_equal(model->pmu_events[0].name, MISS);
	assert_int_equal(model->slice_counts.nr, 2);
	assert_int_equal(model->slice_counts.counts[3], 8);
	assert_int_equal(model->nr_odd_counts, 1);
	model_free(model);
}

/* More sets than there are numbers for their events: the rest is left out. */
static void test_too_many_events(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	for (uint32_t i = 0; i < 300; i++) {
		feed_pmu_event_at(1000 + i, 0, 1000 + i, 100, 0);
		feed_sample_at(1000 + i, 0, A, 0, 100, 1);
	}
	for (uint32_t i = 0; i < 40; i++) {
		feed_pmu_event_at(2000 + i, 0, 2000 + i, 0, 0);
		feed_counts_at(2000 + i, 0, A, COUNTS(1), 1, 0);
	}
	model = script_end();

	assert_int_equal(model->nr_pmu_events, MODEL_MAX_PMU_EVENTS);
	assert_int_equal(model->samples.nr, MODEL_MAX_PMU_EVENTS);
	assert_int_equal(model->slice_counts.nr, 0);
	model_free(model);
}

static void test_too_many_counters(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	for (uint32_t i = 0; i < 40; i++) {
		feed_pmu_event_at(1000 + i, 0, 1000 + i, 0, 0);
		feed_counts_at(1000 + i, 0, A, COUNTS(i), 1, 0);
	}
	model = script_end();

	assert_int_equal(model->slice_counts.nr_counters, MODEL_MAX_COUNTERS);
	assert_int_equal(model->slice_counts.nr, MODEL_MAX_COUNTERS);
	for (uint32_t i = 0; i < MODEL_MAX_COUNTERS; i++) {
		assert_int_equal(model->slice_counts.counts[i * MODEL_MAX_COUNTERS + i], i);
		assert_int_equal(model->slice_counts.invalid[i], ~(1u << i));
	}
	model_free(model);
}

static void assert_gap(const struct model *model, size_t row, uint64_t start_ns, uint64_t end_ns,
		       int cpu, uint8_t event, uint8_t gap_state)
{
	const struct pmu_gap_table *gaps = &model->pmu_gaps;

	assert_true(row < gaps->nr);
	assert_int_equal(gaps->start_ns[row], start_ns);
	assert_int_equal(gaps->end_ns[row], end_ns);
	assert_int_equal(gaps->cpu[row], cpu);
	assert_int_equal(gaps->event[row], event);
	assert_int_equal(gaps->state[row], gap_state);
}

static void test_gaps(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_pmu_event_at(1000, 1, LOADS, 100, 0);
	feed_pmu_state_at(1000, 0, 0, ANNOT_PMU_STARTED, 0);
	feed_pmu_state_at(1000, 1, 0, ANNOT_PMU_FAILED, 16);
	feed_pmu_state_at(1100, 0, 0, ANNOT_PMU_THROTTLED, 0);
	feed_pmu_state_at(1150, 0, 0, ANNOT_PMU_THROTTLED, 0);
	feed_pmu_state_at(1200, 0, 0, ANNOT_PMU_UNTHROTTLED, 90);
	/* Its beginning was lost; its length is told. */
	feed_pmu_state_at(1300, 0, 1, ANNOT_PMU_UNTHROTTLED, 50);
	feed_pmu_state_at(1310, 1, 1, ANNOT_PMU_UNTHROTTLED, UINT64_MAX);
	/* A CPU comes up: a counter is to be had again. */
	feed_pmu_state_at(1400, 1, 0, ANNOT_PMU_STARTED, 0);
	feed_pmu_state_at(1500, 2, 0, ANNOT_PMU_FAILED, 16);
	feed_pmu_state_at(1510, 0, 0, ANNOT_PMU_THROTTLED, 0);
	feed_pmu_state_at(1520, 0, 0, ANNOT_PMU_STOPPED, 5);
	feed_pmu_state_at(1600, 0, 1, ANNOT_PMU_LOST_SAMPLES, 3);
	feed_pmu_state_at(1600, 1, 1, ANNOT_PMU_LOST_SAMPLES, 4);
	model = script_end();

	assert_int_equal(model->pmu_gaps.nr, 6);
	assert_gap(model, 0, 0, 310, 1, 1, ANNOT_PMU_THROTTLED);
	assert_gap(model, 1, 0, 400, 1, 0, ANNOT_PMU_FAILED);
	assert_gap(model, 2, 100, 200, 0, 0, ANNOT_PMU_THROTTLED);
	assert_gap(model, 3, 250, 300, 0, 1, ANNOT_PMU_THROTTLED);
	assert_gap(model, 4, 500, 600, 2, 0, ANNOT_PMU_FAILED);
	assert_gap(model, 5, 510, 520, 0, 0, ANNOT_PMU_THROTTLED);
	assert_int_equal(model->pmu_events[0].nr_lost, 0);
	assert_int_equal(model->pmu_events[1].nr_lost, 7);
	model_free(model);
}

static void test_totals(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_pmu_event_at(1000, 1, LOADS, 100, 0);
	feed_pmu_event_at(1000, 2, CYCLES, 0, 0);
	for (int cpu = 0; cpu < 2; cpu++)
		for (uint8_t index = 0; index < 2; index++)
			feed_pmu_state_at(1000, cpu, index, ANNOT_PMU_STARTED, 0);
	feed_pmu_state_at(1100, 0, 0, ANNOT_PMU_LIMIT_REACHED, 0);
	feed_pmu_state_at(1110, 1, 0, ANNOT_PMU_LIMIT_REACHED, 0);
	feed_pmu_state_at(1200, 0, 0, ANNOT_PMU_STOPPED, 1000);
	feed_pmu_state_at(1200, 1, 0, ANNOT_PMU_STOPPED, 234);
	feed_pmu_state_at(1200, 0, 1, ANNOT_PMU_STOPPED, 5);
	model = script_end();

	assert_true(model->pmu_events[0].has_total);
	assert_int_equal(model->pmu_events[0].total, 1234);
	assert_int_equal(model->pmu_events[0].enough_ns, 100);
	/* One CPU never told: the sum is none of all. */
	assert_false(model->pmu_events[1].has_total);
	assert_false(model->pmu_events[2].has_total);
	assert_true(model->pmu_events[2].enough_ns == UINT64_MAX);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_sample_of_a_reused_tid),
		cmocka_unit_test(test_sample_within_an_exec),
		cmocka_unit_test(test_slice_counts),
		cmocka_unit_test(test_counts_of_refused_events),
		cmocka_unit_test(test_started_before_told),
		cmocka_unit_test(test_counted_before_told),
		cmocka_unit_test(test_cut_by_spans),
		cmocka_unit_test(test_cut_late),
		cmocka_unit_test(test_cut_in_batches),
		cmocka_unit_test(test_set_told_again),
		cmocka_unit_test(test_set_replaced),
		cmocka_unit_test(test_set_replaced_by_a_smaller_one),
		cmocka_unit_test(test_nobody_told),
		cmocka_unit_test(test_too_many_events),
		cmocka_unit_test(test_too_many_counters),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_totals),
	};

	return RUN_IN_WINDOWS(tests);
}
