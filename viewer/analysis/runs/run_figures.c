// SPDX-License-Identifier: GPL-2.0
#include "analysis/runs/run_figures.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tasks/task_events.h"
#include "analysis/events/miss_level.h"
#include "analysis/instances/whole_spans.h"
#include "util/lower_bound.h"
#include "util/sort.h"
#include "util/xalloc.h"

/* What the figures of one run are made from. */
struct source {
	const struct model *model;
	const struct task_stats *stats;
	struct string_table *names;
	struct whole_spans spans;
	struct instance_reader reader;
};

/* A string of the trace as one of all runs. */
static uint32_t intern(const struct source *source, uint32_t string)
{
	const char *text;

	if (string == TRACE_NO_STRING)
		return TRACE_NO_STRING;
	text = trace_string(source->model->trace, string);
	return string_table_intern(source->names, text, strlen(text));
}

/* Sorts @wall_ns. */
static void find_lengths(struct run_task *task, uint64_t *wall_ns, size_t nr)
{
	static const double shares[NR_RUN_LENGTHS] = {
		[RUN_P50] = 0.5, [RUN_P90] = 0.9, [RUN_P95] = 0.95, [RUN_P99] = 0.99, [RUN_MAX] = 1,
	};
	double sum_ns = 0;

	sort_u64(wall_ns, nr);
	for (size_t i = 0; i < nr; i++)
		sum_ns += (double)wall_ns[i];
	for (int length = 0; length < NR_RUN_LENGTHS; length++) {
		if (shares[length] > 0)
			task->wall_ns[length] =
				(double)wall_ns[(size_t)ceil(shares[length] * (double)nr) - 1];
	}
	task->wall_ns[RUN_MEAN] = sum_ns / (double)nr;
	task->wall_ns[RUN_TOTAL] = sum_ns;
}

/* Of @sum, each instance's part. */
static struct instance_times mean_times(const struct source *source,
					const struct instance_times *sum)
{
	struct instance_times mean = *sum;
	double nr = (double)sum->nr;

	mean.nr = 1;
	for (int i = 0; i < NR_INSTANCE_TIMES; i++)
		mean.ns[i] /= nr;
	mean.instructions /= nr;
	mean.cycles /= nr;
	mean.misses /= nr;
	mean.instructions_variance /= nr * nr;
	mean.cycles_variance /= nr * nr;
	mean.sibling_ns /= nr;
	for (size_t i = 0; i < mean.nr_causes; i++) {
		mean.causes[i].cause = intern(source, mean.causes[i].cause);
		mean.causes[i].ns /= nr;
	}
	return mean;
}

static void find_times(struct run_task *task, const struct source *source, size_t row)
{
	const struct instance *instances = &source->spans.rows[source->spans.first[row]];
	uint64_t *wall_ns = xcalloc(task->nr_instances, sizeof(*wall_ns));
	struct instance_times sum = { 0 };

	for (size_t i = 0; i < task->nr_instances; i++) {
		struct instance_times times =
			instance_times_of(&source->reader, instances[i].thread,
					  instances[i].from_ns, instances[i].to_ns);

		instance_split_learn(&task->rates, &times);
		instance_times_add(&sum, &times);
		wall_ns[i] = instance_wall_ns(&instances[i]);
	}
	task->times = mean_times(source, &sum);
	task->with_kernel = source->reader.with_kernel;
	task->on_cpu_ns = task->times.ns[INSTANCE_USEFUL] + task->times.ns[INSTANCE_STOLEN] +
			  task->times.ns[INSTANCE_SPINNING];
	find_lengths(task, wall_ns, task->nr_instances);
	free(wall_ns);
}

static void find_events(struct run_task *task, const struct source *source, size_t row)
{
	const struct model *model = source->model;
	const struct task *figures = &source->stats->tasks[row];
	enum miss_level last = MISS_NONE;

	task->events = xcalloc(model->nr_pmu_events, sizeof(*task->events));
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		enum miss_level level = miss_level_of_event(model, i);
		double count = figures->events[i].count / (double)figures->instances;

		if (model->pmu_events[i].is_merged || !figures->events[i].measured)
			continue;
		task->events[task->nr_events++] = (struct run_event){
			.name = intern(source, model->pmu_events[i].name),
			.count = count,
		};
		if (level <= last)
			continue;
		last = level;
		task->has_misses = true;
		task->misses = count;
	}
}

static int compare_tasks(const void *a, const void *b)
{
	const struct run_task *first = a, *second = b;

	if (first->name != second->name)
		return first->name < second->name ? -1 : 1;
	return (int)first->kind - (int)second->kind;
}

static void find_tasks(struct run_figures *run, const struct source *source)
{
	const struct task_stats *stats = source->stats;

	run->tasks = xcalloc(stats->nr_tasks, sizeof(*run->tasks));
	for (size_t row = 0; row < stats->nr_tasks; row++) {
		struct run_task *task = &run->tasks[run->nr_tasks];

		*task = (struct run_task){
			.name = intern(source, stats->tasks[row].name),
			.kind = stats->tasks[row].kind,
			.nr_instances = whole_spans_nr(&source->spans, row),
			.migrations = (double)stats->tasks[row].counts.migrations /
				      (double)stats->tasks[row].instances,
		};
		/* Of threads that are not of the session, or cut. */
		if (!task->nr_instances)
			continue;
		find_times(task, source, row);
		find_events(task, source, row);
		run->nr_tasks++;
	}
	if (run->nr_tasks)
		qsort(run->tasks, run->nr_tasks, sizeof(*run->tasks), compare_tasks);
}

static void find_findings(struct run_figures *run, const struct findings *findings)
{
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		const struct finding *worst = findings_worst(findings, (enum finding_kind)kind);

		run->findings[kind].any_lost_ns = findings_most_lost_ns(findings,
									(enum finding_kind)kind);
		if (!worst)
			continue;
		run->findings[kind].lost_ns = worst->time_lost_at_most_ns;
		run->findings[kind].text = xstrndup(worst->text, strlen(worst->text));
	}
}

static bool is_same_line(const struct run_path_line *line, const struct run_path_line *other)
{
	return line->task == other->task && line->kind == other->kind &&
	       line->waits_for == other->waits_for;
}

/* Threads are not told apart: those of another run have other names. */
static void find_path(struct run_figures *run, const struct source *source,
		      const struct critical_path *path)
{
	run->path_lines = xcalloc(path->nr_lines, sizeof(*run->path_lines));
	for (size_t i = 0; i < path->nr_lines; i++) {
		const struct run_path_line line = {
			.task = intern(source, path->lines[i].task),
			.kind = path->lines[i].kind,
			.waits_for = intern(source, path->lines[i].waits_for),
		};
		size_t at = 0;

		while (at < run->nr_path_lines && !is_same_line(&run->path_lines[at], &line))
			at++;
		if (at == run->nr_path_lines)
			run->path_lines[run->nr_path_lines++] = line;
		run->path_lines[at].ns += (double)path->lines[i].ns;
	}
}

struct run_figures run_figures_of(const struct model *model, const struct task_stats *stats,
				  const struct findings *findings, const struct critical_path *path,
				  struct string_table *names)
{
	struct run_figures run = { 0 };
	struct source source = {
		.model = model,
		.stats = stats,
		.names = names,
		.spans = whole_spans_collect(model, stats),
		.reader = instance_reader_new(model),
	};

	run.session_ns = findings->session_to_ns - findings->session_from_ns;
	run.losses = trace_losses_of(model->trace);
	find_tasks(&run, &source);
	find_findings(&run, findings);
	find_path(&run, &source, path);
	instance_reader_free(&source.reader);
	whole_spans_free(&source.spans);
	return run;
}

void run_figures_free(struct run_figures *run)
{
	for (size_t i = 0; i < run->nr_tasks; i++)
		free(run->tasks[i].events);
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++)
		free(run->findings[kind].text);
	free(run->tasks);
	free(run->path_lines);
	*run = (struct run_figures){ 0 };
}

const struct run_task *run_figures_task(const struct run_figures *run, uint32_t name,
					enum trace_span_kind kind)
{
	const struct run_task wanted = { .name = name, .kind = kind };
	size_t at = LOWER_BOUND(row, 0, run->nr_tasks,
				compare_tasks(&run->tasks[row], &wanted) < 0);

	return at < run->nr_tasks && !compare_tasks(&run->tasks[at], &wanted) ? &run->tasks[at] :
										NULL;
}
