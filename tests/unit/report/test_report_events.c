// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Counts of tasks and threads, from samples and from slices, each worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <uapi/annot.h>

#include "analysis/tasks/task_events.h"
#include "events.h"

#define A 101
#define B 102

#define MISS 11
#define LOADS 12
#define CYCLES 13

#define OUTER 1
#define INNER 2
#define COLD 3

#define COUNTS(...) ((const uint64_t[]){ __VA_ARGS__ })

static const struct task *task_of(const struct task_stats *stats, uint32_t name)
{
	uint32_t task = task_stats_find(stats, name, TRACE_SPAN_WORK);

	assert_true(task != NO_TASK);
	return &stats->tasks[task];
}

/*
 * The most that may be due where so many are seen, one time in 40 (the 0.975 quantile of chi-squared
 * with 2 n + 2 degrees of freedom, halved), from tables.
 */
static const double most_due[] = { 3.6889,  5.5716,  7.2247,  8.7673, 10.2416,
				   11.6683, 13.0595, 14.4227, 15.7632 };

/* Samples of a period of 100. */
static void assert_sampled(const struct model *model, const struct event_figures *figures,
			   uint64_t nr_samples, double count)
{
	double error = 100 * (most_due[nr_samples] - (double)nr_samples);

	assert_true(figures->measured);
	assert_int_equal(figures->nr_samples, nr_samples);
	assert_float_equal(figures->count, count, 1e-9);
	assert_float_equal(event_error(model, 0, figures), error, 0.01 * error);
}

static void assert_counted(const struct model *model, size_t event,
			   const struct event_figures *figures, double count, double error)
{
	assert_true(figures->measured);
	assert_float_equal(figures->count, count, 1e-9);
	assert_float_equal(event_error(model, event, figures), error, 1e-9);
}

/* Where a sample falls: into a span, its parent, between two, on a border, into another thread. */
static void test_samples_in_spans(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_sample_at(1050, 0, A, 0, 100, 1); /* before any */
	feed_begin_at(1100, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_sample_at(1100, 0, A, 0, 100, 1); /* OUTER, as it begins */
	feed_begin_at(1200, 0, A, INNER, TRACE_SPAN_WORK);
	feed_sample_at(1250, 0, A, 0, 100, 1); /* both */
	feed_sample_at(1260, 0, A, 0, 100, 1); /* both */
	feed_sample_at(1270, 1, B, 0, 100, 1); /* B has no spans */
	feed_end_at(1300, 0, A);
	feed_sample_at(1300, 0, A, 0, 100, 1); /* OUTER, as INNER ends */
	feed_end_at(1400, 0, A);
	feed_sample_at(1400, 0, A, 0, 100, 1); /* none, as OUTER ends */
	feed_begin_at(1500, 0, A, COLD, TRACE_SPAN_WORK);
	feed_end_at(1600, 0, A);
	feed_sample_at(1650, 0, 0, 0, 100, 1); /* idle */
	model = script_end();
	stats = task_stats_compute(model);

	assert_sampled(model, &task_of(stats, OUTER)->events[0], 4, 400);
	assert_sampled(model, &task_of(stats, INNER)->events[0], 2, 200);
	assert_sampled(model, &task_of(stats, COLD)->events[0], 0, 0);
	assert_sampled(model, &stats->threads[thread_of(model, A, 0)].events[0], 6, 600);
	assert_sampled(model, &stats->threads[thread_of(model, B, 0)].events[0], 1, 100);
	assert_sampled(model, &stats->events[0], 8, 800);
	assert_int_equal(task_of(stats, OUTER)->events[0].on_cpu_ns, 300);
	task_stats_free(stats);
	model_free(model);
}

/* A task inside itself has its samples once; another between them has its own. */
static void test_recursion(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1100, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1200, 0, A, INNER, TRACE_SPAN_WORK);
	feed_begin_at(1300, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_sample_at(1350, 0, A, 0, 100, 1);
	feed_end_at(1400, 0, A);
	feed_end_at(1500, 0, A);
	feed_end_at(1600, 0, A);
	model = script_end();
	stats = task_stats_compute(model);

	assert_sampled(model, &task_of(stats, OUTER)->events[0], 1, 100);
	assert_sampled(model, &task_of(stats, INNER)->events[0], 1, 100);
	assert_int_equal(task_of(stats, OUTER)->events[0].on_cpu_ns, 500);
	assert_int_equal(task_of(stats, OUTER)->ns[METRIC_ON_CPU].sum, 600);
	task_stats_free(stats);
	model_free(model);
}

/* Two threads of one task, and several events: each with its own figures. */
static void test_threads_of_a_task(void **state)
{
	struct task_stats *stats;
	const struct task *task;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_pmu_event_at(1000, 1, LOADS, 7, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	for (int32_t tid = A; tid <= B; tid++) {
		int cpu = tid - A;

		feed_begin_at(1100, cpu, tid, OUTER, TRACE_SPAN_WORK);
		feed_sample_at(1150, cpu, tid, 1, 7, 1);
		if (tid == B)
			feed_sample_at(1160, cpu, tid, 0, 100, 1);
	}
	feed_end_at(1200, 0, A);
	feed_end_at(1200, 1, B);
	model = script_end();
	stats = task_stats_compute(model);

	task = task_of(stats, OUTER);
	assert_int_equal(task->nr_threads, 2);
	assert_sampled(model, &task->threads[0].events[0], 0, 0);
	assert_sampled(model, &task->threads[1].events[0], 1, 100);
	assert_int_equal(task->threads[0].events[1].nr_samples, 1);
	assert_int_equal(task->events[1].nr_samples, 2);
	assert_float_equal(task->events[1].count, 14, 1e-9);
	assert_int_equal(task->events[1].on_cpu_ns, 200);
	task_stats_free(stats);
	model_free(model);
}

/*
 * Slices of 100 ns: one of which INNER has three quarters, in two pieces, all inside OUTER; one that
 * lies in OUTER as a whole; one outside.
 */
static void test_slices_shared(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, CYCLES, 0, 0);
	feed_pmu_event_at(1000, 1, LOADS, 0, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1010, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1010, 0, A, INNER, TRACE_SPAN_WORK);
	feed_end_at(1060, 0, A);
	feed_begin_at(1070, 0, A, INNER, TRACE_SPAN_WORK);
	feed_end_at(1095, 0, A);
	feed_counts_at(1100, 0, A, COUNTS(1000, 40), 2, 0);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1300, 0, A, COUNTS(500, 0), 2, 2);
	feed_switch_at(1300, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1400, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_end_at(1400, 0, A);
	feed_counts_at(1500, 0, A, COUNTS(7, 8), 2, 0);
	feed_switch_at(1500, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	stats = task_stats_compute(model);

	assert_counted(model, 0, &task_of(stats, INNER)->events[0], 750, 750);
	assert_counted(model, 1, &task_of(stats, INNER)->events[1], 30, 30);
	assert_counted(model, 0, &task_of(stats, OUTER)->events[0], 900 + 500, 900);
	assert_int_equal(task_of(stats, OUTER)->events[0].on_cpu_ns, 190);
	assert_int_equal(task_of(stats, OUTER)->events[0].nr_incomplete, 0);
	assert_int_equal(task_of(stats, OUTER)->events[1].nr_incomplete, 1);
	/* Of the thread as a whole the counts are exact. */
	assert_counted(model, 0, &stats->threads[thread_of(model, A, 0)].events[0], 1507, 0);
	assert_counted(model, 1, &stats->events[1], 48, 0);
	task_stats_free(stats);
	model_free(model);
}

/* Nobody counted: there is no count, and it is not 0. */
static void test_absent(void **state)
{
	struct task_stats *stats;
	const struct event_figures *figures;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 2); /* refused */
	feed_pmu_event_at(1000, 1, LOADS, 0, 2); /* refused */
	feed_pmu_event_at(1000, 2, CYCLES, 0, 0); /* never ran */
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_end_at(1100, 0, A);
	feed_counts_at(1200, 0, A, COUNTS(0, 0), 2, 3);
	feed_switch_at(1200, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	stats = task_stats_compute(model);

	figures = task_of(stats, OUTER)->events;
	for (int event = 0; event < 3; event++) {
		assert_false(figures[event].measured);
		assert_false(stats->events[event].measured);
		assert_false(stats->threads[thread_of(model, A, 0)].events[event].measured);
	}
	task_stats_free(stats);
	model_free(model);
}

/* What is not told of was not there: a slice that counted nothing is left out of the trace. */
static void test_slice_without_counts(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, CYCLES, 0, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1010, 0, A, COLD, TRACE_SPAN_WORK);
	feed_end_at(1060, 0, A);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(1300, 0, A, COUNTS(5), 1, 0);
	feed_switch_at(1300, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	stats = task_stats_compute(model);

	assert_counted(model, 0, &task_of(stats, COLD)->events[0], 0, 0);
	task_stats_free(stats);
	model_free(model);
}

/* The slice at the trace's end was not counted: of a task that is all in it, nothing is known. */
static void test_last_slice(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, CYCLES, 0, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_counts_at(1100, 0, A, COUNTS(50), 1, 0);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1250, 0, A, COLD, TRACE_SPAN_WORK);
	feed_mark_at(1500, 0, A, 9);
	model = script_end();
	stats = task_stats_compute(model);

	assert_counted(model, 0, &task_of(stats, OUTER)->events[0], 50, 0);
	assert_int_equal(task_of(stats, OUTER)->events[0].on_cpu_ns, 100);
	assert_int_equal(task_of(stats, OUTER)->events[0].unmeasured_ns, 300);
	assert_false(task_of(stats, COLD)->events[0].measured);
	assert_int_equal(stats->threads[thread_of(model, A, 0)].events[0].on_cpu_ns, 100);
	task_stats_free(stats);
	model_free(model);
}

/* The time in which an event was throttled on the CPU where the task ran is not its time. */
static void test_gaps(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_pmu_event_at(1000, 1, LOADS, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, OUTER, TRACE_SPAN_WORK);
	feed_sample_at(1050, 0, A, 0, 100, 1);
	feed_pmu_state_at(1100, 0, 0, ANNOT_PMU_THROTTLED, 0);
	feed_switch_at(1200, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_pmu_state_at(1300, 0, 0, ANNOT_PMU_UNTHROTTLED, 200);
	feed_pmu_state_at(1350, 0, 1, ANNOT_PMU_UNTHROTTLED, 200);
	feed_switch_at(1400, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_end_at(1500, 0, A);
	feed_end_at(1500, 1, B);
	model = script_end();
	stats = task_stats_compute(model);

	/* A ran from 0 to 200 and from 400 to 500, B all of the time. */
	assert_int_equal(task_of(stats, OUTER)->events[0].on_cpu_ns, 300 - 100 + 500);
	assert_int_equal(task_of(stats, OUTER)->events[1].on_cpu_ns, 300 - 50 + 500);
	assert_sampled(model, &task_of(stats, OUTER)->events[0], 1, 100);
	task_stats_free(stats);
	model_free(model);
}

/* Throttled after each sample: how often that happens is not how often the event does. */
static void test_hardly_measured(void **state)
{
	struct task_stats *stats;
	struct model *model;
	double per_us;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_pmu_event_at(1000, 1, CYCLES, 0, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_sample_at(1010, 0, A, 0, 100, 1);
	feed_pmu_state_at(1010, 0, 0, ANNOT_PMU_THROTTLED, 0);
	feed_pmu_state_at(1100, 0, 0, ANNOT_PMU_UNTHROTTLED, 90);
	feed_end_at(1100, 0, A);
	feed_begin_at(1100, 0, A, INNER, TRACE_SPAN_WORK);
	feed_sample_at(1109, 0, A, 0, 100, 1);
	feed_pmu_state_at(1109, 0, 0, ANNOT_PMU_THROTTLED, 0);
	feed_pmu_state_at(1200, 0, 0, ANNOT_PMU_UNTHROTTLED, 91);
	feed_counts_at(1200, 0, A, COUNTS(1000), 1, 0);
	feed_end_at(1200, 0, A);
	model = script_end();
	stats = task_stats_compute(model);

	assert_true(event_per_us(&task_of(stats, OUTER)->events[0], &per_us));
	assert_float_equal(per_us, 100 / 0.01, 1e-6);
	assert_false(event_per_us(&task_of(stats, INNER)->events[0], &per_us));
	assert_true(isinf(
		event_ratio(model, 0, 1, stats->threads[thread_of(model, A, 0)].events).error));
	task_stats_free(stats);
	model_free(model);
}

/* No counter on this CPU all the time: what ran only there was not measured. */
static void test_cpu_without_a_counter(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_pmu_state_at(1000, 1, 0, ANNOT_PMU_FAILED, 16);
	feed_begin_at(1000, 1, B, COLD, TRACE_SPAN_WORK);
	feed_end_at(1500, 1, B);
	model = script_end();
	stats = task_stats_compute(model);

	assert_false(task_of(stats, COLD)->events[0].measured);
	assert_int_equal(task_of(stats, COLD)->events[0].unmeasured_ns, 500);
	task_stats_free(stats);
	model_free(model);
}

/* Enough samples: from there on nothing is known. */
static void test_enough(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1000, 0, A, OUTER, TRACE_SPAN_WORK);
	feed_sample_at(1050, 0, A, 0, 100, 1);
	feed_pmu_state_at(1050, 0, 0, ANNOT_PMU_LIMIT_REACHED, 0);
	feed_end_at(1100, 0, A);
	feed_begin_at(1100, 0, A, COLD, TRACE_SPAN_WORK);
	feed_end_at(1200, 0, A);
	model = script_end();
	stats = task_stats_compute(model);

	assert_sampled(model, &task_of(stats, OUTER)->events[0], 1, 100);
	assert_int_equal(task_of(stats, OUTER)->events[0].on_cpu_ns, 50);
	assert_false(task_of(stats, COLD)->events[0].measured);
	task_stats_free(stats);
	model_free(model);
}

/* A task that never was on a CPU missed nothing. */
static void test_never_on_cpu(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1100, 0, A, COLD, TRACE_SPAN_WORK);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_end_at(1200, 0, A);
	model = script_end();
	stats = task_stats_compute(model);

	assert_sampled(model, &task_of(stats, COLD)->events[0], 0, 0);
	assert_int_equal(task_of(stats, COLD)->events[0].on_cpu_ns, 0);
	task_stats_free(stats);
	model_free(model);
}

/* Many spans and samples, against a count of each sample by looking at all spans. */
static void test_many(void **state)
{
	uint64_t plain[4] = { 0 }, seed = 12345;
	struct task_stats *stats;
	struct model *model;
	int depth = 0;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, MISS, 1, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	for (uint64_t time = 1001; time < 20000; time++) {
		seed = seed * 6364136223846793005ull + 1442695040888963407ull;
		switch (seed >> 61) {
		case 0:
		case 1:
			if (depth < 6)
				feed_begin_at(time, 0, A, 1 + (seed >> 40) % 3, TRACE_SPAN_WORK);
			depth += depth < 6;
			break;
		case 2:
		case 3:
			if (depth)
				feed_end_at(time, 0, A);
			depth -= depth > 0;
			break;
		default:
			feed_sample_at(time, 0, A, 0, 1, 1);
		}
	}
	model = script_end();
	stats = task_stats_compute(model);

	for (size_t sample = 0; sample < model->samples.nr; sample++) {
		const struct span_table *spans = &model->threads[model->samples.thread[0]].spans;
		uint64_t time = model->samples.time_ns[sample];
		bool inside[4] = { false };

		for (size_t span = 0; span < spans->nr; span++)
			if (spans->start_ns[span] <= time && time < spans->end_ns[span])
				inside[spans->name[span]] = true;
		for (int name = 1; name < 4; name++)
			plain[name] += inside[name];
	}
	for (uint32_t name = 1; name < 4; name++) {
		assert_true(plain[name] > 1000);
		assert_int_equal(task_of(stats, name)->events[0].nr_samples, plain[name]);
	}
	task_stats_free(stats);
	model_free(model);
}

static void test_instructions(void **state)
{
	static const char *const yes[] = {
		"instructions",
		"instr_retired",
		"INST_RETIRED:ANY_P:u",
		"inst_retired.any",
		"skl::INSTRUCTION_RETIRED",
		"perf::PERF_COUNT_HW_INSTRUCTIONS",
		"INSTRUCTIONS_RETIRED",
		"r00c0",
	};
	static const char *const no[] = {
		"br_inst_retired",   "MEM_INST_RETIRED:ALL_LOADS",
		"instructions_spec", "cycles",
		"l1_cache_miss",     "",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++)
		assert_true(event_is_instructions(yes[i]));
	for (size_t i = 0; i < sizeof(no) / sizeof(no[0]); i++)
		assert_false(event_is_instructions(no[i]));
}

#define MS 1000000

/*
 * Two events take turns of 1 ms: MISS happens 10 times in each, LOADS 20 times in the first half of A's time, and 40 times in the
 * second. B runs after it, with twice as much. In the turn of the other, a counter counts something, which is not used.
 */
static struct model *take_turns(void)
{
	script_begin();
	feed_shared_event_at(MS, 0, MISS);
	feed_shared_event_at(MS, 1, LOADS);
	feed_pmu_event_at(MS, 2, CYCLES, 0, 0);
	feed_switch_at(MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	for (unsigned int i = 1; i <= 80; i++) {
		int32_t tid = i <= 40 ? A : B;
		uint64_t times = tid == A ? 1 : 2;
		uint64_t loads = (i - 1) % 40 < 20 ? 20 : 40;

		if (i == 11)
			feed_begin_at(i * MS, 0, A, OUTER, TRACE_SPAN_WORK);
		if (i == 21)
			feed_end_at(i * MS, 0, A);
		if (i % 2)
			feed_counts_at((i + 1) * MS, 0, tid, COUNTS(10 * times, 3, 7), 3, 2);
		else
			feed_counts_at((i + 1) * MS, 0, tid, COUNTS(4, loads * times, 7), 3, 1);
		if (i == 40)
			feed_switch_at((i + 1) * MS, 0, A, B, TRACE_OUT_RUNNABLE);
	}
	return script_end();
}

static void test_turns(void **state)
{
	struct model *model = take_turns();
	struct task_stats *stats = task_stats_compute(model);
	const struct event_figures *a = stats->threads[thread_of(model, A, 0)].events;
	const struct event_figures *b = stats->threads[thread_of(model, B, 0)].events;
	struct event_reliability own;

	(void)state;
	assert_counted(model, 0, &a[0], 400, 0);
	assert_counted(model, 0, &b[0], 800, 0);
	assert_counted(model, 0, &stats->events[0], 1200, 0);
	/* Between 20 and 40, there is one gap. */
	assert_float_equal(a[1].count, 20 * 20 + 20 * 40 + 10, 20);
	assert_true(event_error(model, 1, &a[1]) > 0);
	assert_float_equal(stats->events[1].count, a[1].count + b[1].count, 1e-6);
	assert_true(event_error(model, 1, &stats->events[1]) <
		    event_error(model, 1, &a[1]) + event_error(model, 1, &b[1]));
	/* Which counted all the time is exact, and takes no turns. */
	assert_counted(model, 2, &a[2], 280, 0);
	assert_false(event_reliability_of(model, 2, &a[2], &own));
	assert_true(event_reliability_of(model, 0, &a[0], &own));
	assert_float_equal(own.measured_share, 0.5, 1e-9);
	assert_float_equal(own.reliability, 1, 1e-9);
	assert_true(event_reliability_of(model, 1, &a[1], &own));
	assert_float_equal(own.reliability, 1 - event_error(model, 1, &a[1]) / a[1].count, 1e-9);
	/* Ten slices of the task, of which MISS had five. */
	assert_counted(model, 0, &task_of(stats, OUTER)->events[0], 100, 0);
	task_stats_free(stats);
	model_free(model);
}

/* An event that never had its turn is not known. */
static void test_no_turn(void **state)
{
	struct task_stats *stats;
	struct model *model;

	(void)state;
	script_begin();
	feed_shared_event_at(MS, 0, MISS);
	feed_switch_at(MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_counts_at(2 * MS, 0, A, COUNTS(3), 1, 1);
	feed_counts_at(3 * MS, 0, A, COUNTS(3), 1, 1);
	feed_switch_at(3 * MS, 0, A, 0, TRACE_OUT_RUNNABLE);
	model = script_end();
	stats = task_stats_compute(model);
	assert_false(stats->threads[thread_of(model, A, 0)].events[0].measured);
	assert_false(stats->events[0].measured);
	task_stats_free(stats);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_samples_in_spans),
		cmocka_unit_test(test_recursion),
		cmocka_unit_test(test_threads_of_a_task),
		cmocka_unit_test(test_slices_shared),
		cmocka_unit_test(test_absent),
		cmocka_unit_test(test_slice_without_counts),
		cmocka_unit_test(test_last_slice),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_hardly_measured),
		cmocka_unit_test(test_cpu_without_a_counter),
		cmocka_unit_test(test_enough),
		cmocka_unit_test(test_never_on_cpu),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_instructions),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_no_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
