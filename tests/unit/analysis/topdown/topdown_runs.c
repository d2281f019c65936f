// SPDX-License-Identifier: GPL-2.0
#include "topdown_runs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "events.h"
#include "util/random.h"

#define A 101
#define MS 1000000ull

const struct topdown_task topdown_tasks[NR_TOPDOWN_TASKS] = {
	{ "computing", &computing },
	{ "chasing", &chasing },
	{ "branching", &branching },
};

static struct trace *trace; /* only so that there are strings */
static struct random random_numbers;

int topdown_open_strings(void **state)
{
	(void)state;
	return trace_open("tests/data/scene-quiet.dat", &trace);
}

int topdown_close_strings(void **state)
{
	(void)state;
	trace_close(trace);
	return 0;
}

/* Retiring goes up and down, and memory bound the other way. */
static struct truth with_noise(const struct truth *truth, double noise)
{
	struct truth noisy = *truth;
	double change = noise * (2 * random_share(&random_numbers) - 1);

	noisy.retiring += change;
	noisy.memory -= change;
	return noisy;
}

/* Those that have no counter in slice @i. */
static uint32_t turn_of_others(const struct topdown_run *run, uint64_t i)
{
	uint32_t nr = topdown_way_events(run->way), first = (uint32_t)(i / 4) % nr, invalid = 0;

	for (uint32_t j = 0; run->nr_shared && j < nr; j++) {
		if ((j + nr - first) % nr >= run->nr_shared)
			invalid |= 1u << j;
	}
	return invalid;
}

static void feed_slices(const struct topdown_run *run, const struct truth *truth, const char *task,
			uint64_t *ms)
{
	uint64_t counts[MOST_EVENTS] = { 0 };
	struct truth own = *truth;

	feed_begin_at(*ms * MS, 0, A, trace_intern(trace, task), TRACE_SPAN_WORK);
	for (uint64_t i = 0; i < run->nr; i++) {
		uint32_t invalid = run->left_out ? 1u << (run->left_out - 1) : 0;
		bool is_missing = random_share(&random_numbers) < run->missing;

		if (i % (run->hold ? run->hold : 1) == 0)
			own = with_noise(truth, run->noise);
		invalid |= is_missing ? run->missing_counters : 0;
		invalid |= turn_of_others(run, i);

		++*ms;
		run->way->count(&own, counts);
		for (uint32_t j = 0; j < topdown_way_events(run->way); j++) {
			if (invalid & 1u << j)
				counts[j] /= 3;
		}
		feed_counts_at(*ms * MS, 0, A, counts, topdown_way_events(run->way), invalid);
		feed_switch_at(*ms * MS, 0, A, 0, TRACE_OUT_RUNNABLE);
		feed_switch_at(*ms * MS, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	feed_end_at(*ms * MS, 0, A);
}

static void feed_event(const struct topdown_run *run, uint32_t i)
{
	uint32_t name = trace_intern(trace, run->way->names[i]);

	if (run->nr_shared)
		feed_shared_event_at(0, (uint8_t)i, name);
	else
		feed_pmu_event_at(0, (uint8_t)i, name, 0, run->left_out == i + 1 ? 16 : 0);
}

static struct model *make(const struct topdown_run *run)
{
	struct model_builder *builder = script_begin();
	uint64_t ms = 0;
	struct model *model;

	for (int cpu = 0; cpu < 2; cpu++) {
		struct trace_event event = { .kind = TRACE_CPU_TOPOLOGY };

		event.cpu_topology.number = cpu;
		event.cpu_topology.core = run->has_siblings ? 0 : cpu;
		model_builder_feed(builder, &event);
	}
	feed_switch_at(0, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(0, 0, A);
	for (uint32_t i = 0; i < topdown_way_events(run->way); i++)
		feed_event(run, i);
	feed_slices(run, &computing, "computing", &ms);
	feed_slices(run, &chasing, "chasing", &ms);
	feed_slices(run, &branching, "branching", &ms);
	feed_exit_at(ms * MS, 0, A);
	feed_switch_at(ms * MS, 0, A, 0, TRACE_OUT_DEAD);
	model = script_end();
	model->trace = trace;
	return model;
}

struct topdown_result topdown_run_compute(const struct topdown_run *run)
{
	static const double miss_ns[MOST_EVENTS];
	struct topdown_result result = { .model = make(run) };

	result.stats = task_stats_compute(result.model);
	result.regions = regions_compute(result.model, result.stats, miss_ns);
	result.topdown = topdown_compute(result.model, result.stats, result.regions);
	result.findings = findings_new(result.model);
	topdown_add_findings(result.model, result.stats, &result.topdown, NULL, &result.findings);
	return result;
}

void topdown_run_end(struct topdown_result *result)
{
	findings_free(&result->findings);
	topdown_free(&result->topdown);
	regions_free(result->regions);
	task_stats_free(result->stats);
	result->model->trace = NULL;
	model_free(result->model);
}

const struct topdown_row *topdown_row_of(const struct topdown_result *result, const char *task)
{
	for (size_t i = 0; i < result->topdown.nr_tasks; i++) {
		const struct topdown_row *row = &result->topdown.tasks[i];

		if (!strcmp(trace_string(trace, result->stats->tasks[row->task].name), task))
			return row;
	}
	fail();
	return NULL;
}

void topdown_check(const struct topdown_row *row, enum topdown_figure figure, double truth)
{
	const struct metric_estimate *estimate = &row->figures[figure];

	if (!estimate->is_known || fabs(estimate->value - truth) > 0.001)
		fail_msg("%s is %g, not %g", topdown_figure_name(figure),
			 estimate->is_known ? estimate->value : NAN, truth);
}

void topdown_check_slots(const struct topdown_row *row, const struct truth *truth)
{
	topdown_check(row, TOPDOWN_RETIRING, truth->retiring);
	topdown_check(row, TOPDOWN_BAD_SPECULATION, truth->bad);
	topdown_check(row, TOPDOWN_FRONTEND_BOUND, truth->front);
	topdown_check(row, TOPDOWN_BACKEND_BOUND, topdown_backend(truth));
}

void topdown_check_memory(const struct topdown_row *row, const struct truth *truth)
{
	topdown_check(row, TOPDOWN_MEMORY_BOUND, truth->memory);
	topdown_check(row, TOPDOWN_CORE_BOUND, truth->core);
}

void topdown_check_levels(const struct topdown_row *row, const struct truth *truth)
{
	topdown_check(row, TOPDOWN_L1_BOUND, truth->l1);
	topdown_check(row, TOPDOWN_L2_BOUND, truth->l2);
	topdown_check(row, TOPDOWN_L3_BOUND, truth->l3);
	topdown_check(row, TOPDOWN_DRAM_BOUND, truth->dram);
}

void topdown_check_unknown(const struct topdown_row *row, enum topdown_figure figure)
{
	assert_false(row->figures[figure].is_known);
}

const struct finding *topdown_finding_of(const struct topdown_result *result,
					 enum finding_kind kind)
{
	for (size_t i = 0; i < result->findings.nr; i++) {
		if (result->findings.rows[i].kind == kind)
			return &result->findings.rows[i];
	}
	return NULL;
}

void topdown_run_seed(uint64_t seed)
{
	random_numbers = (struct random){ seed };
}
