// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Top-down by region, from hand-made events: of two threads that meet at a barrier after each of two sweeps, then one of them sweeps
 * alone. Each millisecond is a slice, and what retires in it is known.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/topdown/topdown.h"
#include "events.h"

#define A 101
#define B 102
#define MS 1000000ull
#define SLOTS 1000000.0 /* of a slice */
#define BACKEND 0.04
#define END_MS 40

/* Retiring, of all slots. */
#define OF_A 0.2
#define OF_B 0.5
#define OF_SPINNING 0.95
#define OF_ALONE 0.8

static const char *const names[] = { "slots", "topdown-retiring", "topdown-bad-spec",
				     "topdown-fe-bound", "topdown-be-bound" };
#define NR_EVENTS (sizeof(names) / sizeof(names[0]))
#define INVALID 2u /* topdown-retiring */

static struct trace *trace; /* only so that there are strings */

static int open_strings(void **state)
{
	(void)state;
	return trace_open("tests/data/scene-quiet.dat", &trace);
}

static int close_strings(void **state)
{
	(void)state;
	trace_close(trace);
	return 0;
}

/* What is fed; all in ms. */
struct run {
	uint64_t uncut_ms; /* where B's slice does not end; 0: nowhere */
	uint64_t invalid_from_ms; /* B's slices that end behind ... */
	uint64_t invalid_to_ms; /* ... up to this */
	uint64_t last_of_b_ms; /* B has no slices behind; 0: END_MS */
};

static double retiring_of_a(uint64_t ms)
{
	if (ms > 30)
		return OF_ALONE;
	return ms > 10 && ms <= 20 ? OF_SPINNING : OF_A;
}

static void feed_slice(uint64_t ms, int cpu, int32_t tid, double retiring, uint32_t invalid)
{
	uint64_t counts[NR_EVENTS] = { (uint64_t)SLOTS, (uint64_t)(SLOTS * retiring + 0.5), 0,
				       (uint64_t)(SLOTS * (1 - BACKEND - retiring) + 0.5),
				       (uint64_t)(SLOTS * BACKEND + 0.5) };

	if (invalid)
		counts[1] /= 3;
	feed_counts_at(ms * MS, cpu, tid, counts, NR_EVENTS, invalid);
}

static void feed_slices(const struct run *run, uint64_t ms)
{
	uint64_t last_of_b_ms = run->last_of_b_ms ? run->last_of_b_ms : END_MS;
	bool is_invalid = ms > run->invalid_from_ms && ms <= run->invalid_to_ms;

	feed_slice(ms, 0, A, retiring_of_a(ms), 0);
	if (ms <= last_of_b_ms && ms != run->uncut_ms)
		feed_slice(ms, 1, B, OF_B, is_invalid ? INVALID : 0);
}

static void begin_of(uint64_t ms, int cpu, const char *name, enum trace_span_kind kind)
{
	feed_begin_at(ms * MS, cpu, A + cpu, trace_intern(trace, name), kind);
}

static void end_of(uint64_t ms, int cpu)
{
	feed_end_at(ms * MS, cpu, A + cpu);
}

/* Each that is not at the barrier comes to it, and both go on. */
static void meet(uint64_t ms, bool a_is_there)
{
	for (int cpu = a_is_there; cpu < 2; cpu++) {
		end_of(ms, cpu);
		begin_of(ms, cpu, "barrier", TRACE_SPAN_WAIT);
	}
	for (int cpu = 0; cpu < 2; cpu++)
		end_of(ms, cpu);
}

static void feed_spans(uint64_t ms)
{
	if (ms == 10) {
		end_of(ms, 0);
		begin_of(ms, 0, "barrier", TRACE_SPAN_WAIT);
	} else if (ms == 20) {
		meet(ms, true);
		for (int cpu = 0; cpu < 2; cpu++)
			begin_of(ms, cpu, "sweep", TRACE_SPAN_WORK);
	} else if (ms == 30) {
		meet(ms, false);
		begin_of(ms, 0, "sweep", TRACE_SPAN_WORK);
	} else if (ms == END_MS) {
		end_of(ms, 0);
	}
}

static struct model *make(const struct run *run)
{
	struct model *model;

	script_begin();
	for (int cpu = 0; cpu < 2; cpu++)
		feed_switch_at(0, cpu, 0, A + cpu, TRACE_OUT_RUNNABLE);
	for (uint32_t i = 0; i < NR_EVENTS; i++)
		feed_pmu_event_at(0, (uint8_t)i, trace_intern(trace, names[i]), 0, 0);
	for (int cpu = 0; cpu < 2; cpu++)
		begin_of(0, cpu, "sweep", TRACE_SPAN_WORK);
	for (uint64_t ms = 1; ms <= END_MS; ms++) {
		feed_slices(run, ms);
		feed_spans(ms);
	}
	feed_switch_at(END_MS * MS, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	model->trace = trace;
	return model;
}

struct result {
	struct model *model;
	struct task_stats *stats;
	struct regions *regions;
	struct topdown topdown;
};

static struct result compute_of(struct model *model)
{
	static const double miss_ns[NR_EVENTS];
	struct result result = { .model = model };

	result.stats = task_stats_compute(result.model);
	result.regions = regions_compute(result.model, result.stats, miss_ns);
	result.topdown = topdown_compute(result.model, result.stats, result.regions);
	return result;
}

static struct result compute(const struct run *run)
{
	return compute_of(make(run));
}

static void end(struct result *result)
{
	topdown_free(&result->topdown);
	regions_free(result->regions);
	task_stats_free(result->stats);
	result->model->trace = NULL;
	model_free(result->model);
}

/* Of the only group. */
static const struct topdown_row *sweep_of(const struct result *result)
{
	const struct topdown_row *row = result->topdown.regions;
	const struct region_group *group;

	assert_int_equal(result->topdown.nr_regions, 1);
	assert_int_equal(row->task, NO_TASK);
	assert_int_equal(row->thread, MODEL_NO_THREAD);
	group = &result->regions->groups[row->region];
	assert_string_equal(trace_string(trace, group->name), "sweep");
	assert_int_equal(group->nr, 2);
	return row;
}

static void check(const struct topdown_row *row, enum topdown_figure figure, double truth)
{
	const struct metric_estimate *estimate = &row->figures[figure];

	if (!estimate->is_known || fabs(estimate->value - truth) > 1e-5)
		fail_msg("%s is %g, not %g", topdown_figure_name(figure),
			 estimate->is_known ? estimate->value : NAN, truth);
}

/* Not what A does at the barrier, nor alone: the task has that. */
static void test_all(void **state)
{
	static const struct run run;
	struct result result = compute(&run);
	const struct topdown_row *row = sweep_of(&result);
	double retiring = (20 * OF_A + 30 * OF_B) / 50;

	(void)state;
	check(row, TOPDOWN_RETIRING, retiring);
	check(row, TOPDOWN_BAD_SPECULATION, 0);
	check(row, TOPDOWN_FRONTEND_BOUND, 1 - BACKEND - retiring);
	check(row, TOPDOWN_BACKEND_BOUND, BACKEND);
	assert_false(row->figures[TOPDOWN_MEMORY_BOUND].is_known);
	assert_int_equal(row->on_cpu_ns, 50 * MS);
	assert_int_equal(row->doubt, TOPDOWN_SURE);
	assert_float_equal(row->measured, 1, 1e-9);
	for (size_t i = 0; i < result.topdown.nr_tasks; i++) {
		const struct topdown_row *task = &result.topdown.tasks[i];

		assert_int_equal(task->region, NO_REGION);
		if (task->on_cpu_ns == 60 * MS)
			check(task, TOPDOWN_RETIRING, (20 * OF_A + 30 * OF_B + 10 * OF_ALONE) / 60);
	}
	end(&result);
}

/* A slice that lies in two regions, one half in each, is of none, and not measured. */
static void test_uncut(void **state)
{
	static const struct run run = { .uncut_ms = 20 };
	struct result result = compute(&run);
	const struct topdown_row *row = sweep_of(&result);

	(void)state;
	check(row, TOPDOWN_RETIRING, (20 * OF_A + 28 * OF_B) / 48);
	assert_float_equal(row->measured, 48.0 / 50, 1e-6);
	assert_true(row->has_error && row->error > 0);
	end(&result);
}

static void test_invalid(void **state)
{
	static const struct run run = { .invalid_from_ms = 20, .invalid_to_ms = 30 };
	struct result result = compute(&run);
	const struct topdown_row *row = sweep_of(&result);

	(void)state;
	check(row, TOPDOWN_RETIRING, (20 * OF_A + 20 * OF_B) / 40);
	assert_float_equal(row->measured, 40.0 / 50, 1e-6);
	assert_int_equal(row->doubt, TOPDOWN_PARTLY);
	end(&result);
}

/* B runs on to the end of the trace, and the counts of that are missing: 5 ms of them in the second sweep. */
static void test_missing(void **state)
{
	static const struct run run = { .last_of_b_ms = 25 };
	struct result result = compute(&run);
	const struct topdown_row *row = sweep_of(&result);

	(void)state;
	check(row, TOPDOWN_RETIRING, (20 * OF_A + 25 * OF_B) / 45);
	assert_int_equal(row->on_cpu_ns, 50 * MS);
	assert_float_equal(row->measured, 45.0 / 50, 1e-6);
	end(&result);
}

/*
 * For 10 ms, of three threads: one is in "around", two are so for the first and the last ms only, and in "sweep" between. So both
 * what is around and what is between are regions that are called "sweep", by what takes most time in them.
 */
static struct model *make_overlapping(void)
{
	struct model *model;

	script_begin();
	for (int cpu = 0; cpu < 3; cpu++)
		feed_switch_at(0, cpu, 0, A + cpu, TRACE_OUT_RUNNABLE);
	for (uint32_t i = 0; i < NR_EVENTS; i++)
		feed_pmu_event_at(0, (uint8_t)i, trace_intern(trace, names[i]), 0, 0);
	for (int cpu = 0; cpu < 3; cpu++)
		begin_of(0, cpu, "around", TRACE_SPAN_WORK);
	for (uint64_t ms = 1; ms <= 10; ms++) {
		for (int cpu = 0; cpu < 3; cpu++)
			feed_slice(ms, cpu, A + cpu, cpu ? OF_B : OF_A, 0);
		for (int cpu = 0; cpu < 2 && (ms == 1 || ms == 9); cpu++) {
			end_of(ms, cpu);
			begin_of(ms, cpu, ms == 1 ? "sweep" : "around", TRACE_SPAN_WORK);
		}
	}
	for (int cpu = 0; cpu < 3; cpu++) {
		end_of(10, cpu);
		feed_switch_at(10 * MS, cpu, A + cpu, 0, TRACE_OUT_SLEEPING);
	}
	model = script_end();
	model->trace = trace;
	return model;
}

/* What a thread does in two regions of a group counts once. */
static void test_overlapping(void **state)
{
	struct result result = compute_of(make_overlapping());
	const struct topdown_row *row = sweep_of(&result);

	(void)state;
	assert_int_equal(row->on_cpu_ns, 30 * MS);
	check(row, TOPDOWN_RETIRING, (10 * OF_A + 20 * OF_B) / 30);
	assert_float_equal(row->measured, 1, 1e-9);
	end(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_all),	    cmocka_unit_test(test_uncut),
		cmocka_unit_test(test_invalid),	    cmocka_unit_test(test_missing),
		cmocka_unit_test(test_overlapping),
	};

	return cmocka_run_group_tests(tests, open_strings, close_strings);
}
