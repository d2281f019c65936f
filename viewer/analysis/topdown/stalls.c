// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/stalls.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/events/event_rates.h"
#include "analysis/tasks/clock_rate.h"
#include "util/xalloc.h"

#define BRANCH_CYCLES 17
#define FETCH_CYCLES 14

static const double cycles_each[NR_STALLS] = {
	[STALL_BRANCH] = BRANCH_CYCLES,
	[STALL_FETCH] = FETCH_CYCLES,
	[STALL_WALK] = 1,
};

/* A name that has both words, in small letters, is of that stall. */
static const struct {
	const char *first;
	const char *second;
	enum stall stall;
} words[] = {
	{ "br_misp", "", STALL_BRANCH },  { "branch", "mis", STALL_BRANCH },
	{ "l1i", "miss", STALL_FETCH },	  { "icache", "miss", STALL_FETCH },
	{ "walk", "active", STALL_WALK }, { "walk", "duration", STALL_WALK },
	{ "walk", "cycles", STALL_WALK },
};

enum stall stall_of_name(const char *name)
{
	char small[96];

	strncpy(small, name, sizeof(small) - 1);
	small[sizeof(small) - 1] = '\0';
	for (char *at = small; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strstr(small, words[i].first) && strstr(small, words[i].second))
			return words[i].stall;
	}
	return NR_STALLS;
}

bool stall_is_assumed(enum stall stall)
{
	return stall != STALL_WALK;
}

struct builder {
	const struct model *model;
	size_t capacity;
	struct stalls result;
};

static double share_of(const struct stalls *stalls, const struct stall_row *row, double count)
{
	double ns = count * row->cycles_each / stalls->ghz;

	if (!(ns > 0))
		return 0;
	return ns < (double)row->on_cpu_ns ? ns / (double)row->on_cpu_ns : 1;
}

/* Of a count that was measured, for some time on a CPU. */
static void add_row(struct builder *builder, size_t event, uint32_t task, uint64_t on_cpu_ns,
		    double count, double error)
{
	enum stall stall = stall_of_name(
		trace_string(builder->model->trace, builder->model->pmu_events[event].name));
	struct stalls *result = &builder->result;
	struct stall_row *row;

	if (!on_cpu_ns)
		return;
	ARRAY_MAKE_ROOM(result->rows, result->nr, builder->capacity);
	row = &result->rows[result->nr++];
	*row = (struct stall_row){
		.event = event,
		.stall = stall,
		.task = task,
		.count = count,
		.error = error,
		.cycles_each = cycles_each[stall],
		.on_cpu_ns = on_cpu_ns,
	};
	row->share = share_of(result, row, count);
	row->low = isfinite(error) ? share_of(result, row, count - error) : 0;
	row->high = isfinite(error) ? share_of(result, row, count + error) : 1;
}

/* All that the session's threads did, in tasks and outside. */
static void add_session(struct builder *builder, const struct task_stats *stats, size_t event)
{
	const struct model *model = builder->model;
	double count = 0, variance = 0;
	uint64_t on_cpu_ns = 0;

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		const struct event_figures *figures = &stats->threads[i].events[event];
		double error = event_error(model, event, figures);

		if (!model->threads[i].in_session || !figures->measured)
			continue;
		count += figures->count;
		variance += error * error;
		on_cpu_ns += figures->on_cpu_ns;
	}
	add_row(builder, event, NO_TASK, on_cpu_ns, count, sqrt(variance));
}

static int compare_rows(const void *a, const void *b)
{
	const struct stall_row *first = a, *second = b;

	if (first->on_cpu_ns != second->on_cpu_ns)
		return first->on_cpu_ns > second->on_cpu_ns ? -1 : 1;
	return first->task < second->task ? -1 : first->task > second->task;
}

static void add_event(struct builder *builder, const struct task_stats *stats, size_t event)
{
	size_t first;

	add_session(builder, stats, event);
	first = builder->result.nr;
	for (uint32_t i = 0; i < stats->nr_tasks; i++) {
		const struct event_figures *figures = &stats->tasks[i].events[event];

		if (figures->measured)
			add_row(builder, event, i, figures->on_cpu_ns, figures->count,
				event_error(builder->model, event, figures));
	}
	if (builder->result.nr > first)
		qsort(builder->result.rows + first, builder->result.nr - first,
		      sizeof(*builder->result.rows), compare_rows);
}

struct stalls stalls_compute(const struct model *model, const struct task_stats *stats)
{
	struct builder builder = { .model = model };
	double ghz = clock_rate_counted_ghz(model, stats);

	builder.result.is_clock_counted = ghz > 0;
	builder.result.ghz = ghz > 0 ? ghz : ASSUMED_GHZ;
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		const struct pmu_event *row = &model->pmu_events[event];

		if (!row->error && !row->is_merged && !row->by_ratio &&
		    stall_of_name(trace_string(model->trace, row->name)) != NR_STALLS)
			add_event(&builder, stats, event);
	}
	return builder.result;
}

void stalls_free(struct stalls *stalls)
{
	free(stalls->rows);
}
