// SPDX-License-Identifier: GPL-2.0
#include "analysis/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/tasks/task_events.h"
#include "analysis/instances/whole_spans.h"
#include "analysis/stats/distribution.h"
#include "analysis/stats/rank_test.h"
#include "model/account.h"
#include "util/xalloc.h"

/* Errors hold in 95 of 100 cases: these are three standard deviations. */
#define ERRORS_APART 1.5

/* Of the instances of each task of one trace, in the order of their spans. */
struct instances {
	struct whole_spans spans;
	uint64_t *wall_ns;
	uint64_t *on_cpu_ns;
};

struct named_task {
	const char *name;
	enum trace_span_kind kind;
	size_t task; /* of its side's analysis */
};

static struct instances collect_instances(const struct diff_side *side)
{
	struct instances instances = { .spans = whole_spans_collect(side->model, side->stats) };
	size_t nr = instances.spans.first[side->stats->nr_tasks];

	instances.wall_ns = xcalloc(nr, sizeof(*instances.wall_ns));
	instances.on_cpu_ns = xcalloc(nr, sizeof(*instances.on_cpu_ns));
	for (size_t i = 0; i < nr; i++) {
		const struct instance *instance = &instances.spans.rows[i];
		struct thread_account account;

		model_account(side->model, instance->thread, instance->from_ns, instance->to_ns,
			      &account);
		instances.wall_ns[i] = instance_wall_ns(instance);
		instances.on_cpu_ns[i] = account.state_ns[STATE_RUNNING];
	}
	return instances;
}

static void free_instances(struct instances *instances)
{
	whole_spans_free(&instances->spans);
	free(instances->wall_ns);
	free(instances->on_cpu_ns);
}

static int compare_names(const struct named_task *first, const struct named_task *second)
{
	int order = strcmp(first->name, second->name);

	return order ? order : (int)first->kind - (int)second->kind;
}

static int compare_named(const void *a, const void *b)
{
	return compare_names(a, b);
}

static struct named_task *sorted_tasks(const struct diff_side *side)
{
	const struct task_stats *stats = side->stats;
	struct named_task *tasks = xcalloc(stats->nr_tasks, sizeof(*tasks));

	for (size_t i = 0; i < stats->nr_tasks; i++)
		tasks[i] =
			(struct named_task){ trace_string(side->model->trace, stats->tasks[i].name),
					     stats->tasks[i].kind, i };
	if (stats->nr_tasks)
		qsort(tasks, stats->nr_tasks, sizeof(*tasks), compare_named);
	return tasks;
}

/* Of sorted values. */
static struct spread spread_of(const uint64_t *values, size_t nr)
{
	if (!nr)
		return (struct spread){ 0 };
	return (struct spread){
		.nr = nr,
		.median = distribution_middle(values[(nr - 1) / 2], values[nr / 2]),
		.low = values[(nr - 1) / 4],
		.high = values[(nr - 1) - (nr - 1) / 4],
	};
}

/* From nothing to something is more than any share; from nothing to nothing is no change. */
static double change_of(double before, double after)
{
	if (before > 0)
		return (after - before) / before;
	return after > 0 ? INFINITY : 0;
}

static struct diff_time compare_times(uint64_t *before, size_t nr_before, uint64_t *after,
				      size_t nr_after, size_t nr_tasks)
{
	struct rank_test test = rank_test(before, nr_before, after, nr_after);
	struct diff_time time = {
		.spreads = { spread_of(before, nr_before), spread_of(after, nr_after) },
		.superiority = test.superiority,
		.p_value = test.p_value,
	};

	time.change = change_of((double)time.spreads[0].median, (double)time.spreads[1].median);
	time.stands_out = test.p_value * (double)nr_tasks <= DIFF_MOST_P &&
			  fabs(time.change) >= DIFF_LEAST_CHANGE &&
			  (test.superiority >= DIFF_LEAST_SUPERIORITY ||
			   test.superiority <= 1 - DIFF_LEAST_SUPERIORITY);
	return time;
}

static const struct event_figures *
event_called(const struct diff_side *side, const struct task *task, const char *name, size_t *event)
{
	for (*event = 0; *event < side->model->nr_pmu_events; (*event)++) {
		const struct pmu_event *row = &side->model->pmu_events[*event];

		if (!row->is_merged && task->events[*event].measured &&
		    !strcmp(trace_string(side->model->trace, row->name), name))
			return &task->events[*event];
	}
	return NULL;
}

static void compare_event(struct diff_event *event, const struct diff_side sides[2],
			  const struct task *const tasks[2], const struct event_figures *figures[2],
			  const size_t rows[2])
{
	double error;

	for (int i = 0; i < 2; i++) {
		double instances = (double)tasks[i]->instances;

		event->counts[i] = figures[i]->count / instances;
		event->errors[i] = event_error(sides[i].model, rows[i], figures[i]) / instances;
	}
	event->change = change_of(event->counts[0], event->counts[1]);
	error = hypot(event->errors[0], event->errors[1]);
	event->stands_out = fabs(event->counts[1] - event->counts[0]) > ERRORS_APART * error &&
			    fabs(event->change) >= DIFF_LEAST_CHANGE;
}

static void compare_events(struct diff_task *row, const struct diff_side sides[2],
			   const struct task *const tasks[2])
{
	const struct model *before = sides[0].model;

	row->events = xcalloc(before->nr_pmu_events, sizeof(*row->events));
	for (size_t i = 0; i < before->nr_pmu_events; i++) {
		const char *name = trace_string(before->trace, before->pmu_events[i].name);
		const struct event_figures *figures[2] = { &tasks[0]->events[i] };
		size_t rows[2] = { i };

		if (before->pmu_events[i].is_merged || !figures[0]->measured)
			continue;
		figures[1] = event_called(&sides[1], tasks[1], name, &rows[1]);
		if (!figures[1])
			continue;
		row->events[row->nr_events].name = name;
		compare_event(&row->events[row->nr_events++], sides, tasks, figures, rows);
	}
}

/* Task @named of either trace, NULL where it is of one only. */
static void compare_task(struct diff *diff, const struct diff_side sides[2],
			 struct instances instances[2], const struct named_task *const named[2],
			 size_t nr_tasks)
{
	const struct named_task *any = named[0] ? named[0] : named[1];
	struct diff_task row = { .name = any->name, .kind = any->kind };
	const struct task *tasks[2] = { NULL, NULL };
	size_t first[2] = { 0 }, nr[2] = { 0 };

	for (int i = 0; i < 2; i++) {
		if (!named[i])
			continue;
		tasks[i] = &sides[i].stats->tasks[named[i]->task];
		first[i] = instances[i].spans.first[named[i]->task];
		nr[i] = whole_spans_nr(&instances[i].spans, named[i]->task);
		for (size_t j = 0; j < nr[i]; j++)
			row.sum_ns[i] += instances[i].wall_ns[first[i] + j];
	}
	/* Of threads that are not of the session, or cut. */
	if (!nr[0] && !nr[1])
		return;
	row.wall = compare_times(instances[0].wall_ns + first[0], nr[0],
				 instances[1].wall_ns + first[1], nr[1], nr_tasks);
	row.on_cpu = compare_times(instances[0].on_cpu_ns + first[0], nr[0],
				   instances[1].on_cpu_ns + first[1], nr[1], nr_tasks);
	if (tasks[0] && tasks[1])
		compare_events(&row, sides, tasks);
	diff->tasks[diff->nr_tasks++] = row;
}

static void compare_all_tasks(struct diff *diff, const struct diff_side sides[2])
{
	struct instances instances[2] = { collect_instances(&sides[0]),
					  collect_instances(&sides[1]) };
	struct named_task *tasks[2] = { sorted_tasks(&sides[0]), sorted_tasks(&sides[1]) };
	size_t nr[2] = { sides[0].stats->nr_tasks, sides[1].stats->nr_tasks }, i = 0, j = 0;

	diff->tasks = xcalloc(nr[0] + nr[1], sizeof(*diff->tasks));
	while (i < nr[0] || j < nr[1]) {
		int order = i == nr[0] ? 1 :
			    j == nr[1] ? -1 :
					 compare_names(&tasks[0][i], &tasks[1][j]);
		const struct named_task *named[2] = {
			order <= 0 ? &tasks[0][i] : NULL,
			order >= 0 ? &tasks[1][j] : NULL,
		};

		compare_task(diff, sides, instances, named, nr[0] > nr[1] ? nr[0] : nr[1]);
		i += order <= 0;
		j += order >= 0;
	}
	for (int side = 0; side < 2; side++) {
		free_instances(&instances[side]);
		free(tasks[side]);
	}
}

static double share_of(uint64_t ns, uint64_t all_ns)
{
	return all_ns ? (double)ns / (double)all_ns : 0;
}

static void compare_findings(struct diff *diff, const struct diff_side sides[2])
{
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		struct diff_finding row = { .kind = (enum finding_kind)kind };

		for (int i = 0; i < 2; i++) {
			const struct finding *finding = findings_worst(sides[i].findings, row.kind);

			if (finding) {
				row.lost_ns[i] = finding->time_lost_at_most_ns;
				row.texts[i] = finding->text;
			}
		}
		if (!row.texts[0] && !row.texts[1])
			continue;
		row.stands_out = fabs(share_of(row.lost_ns[0], diff->session_ns[0]) -
				      share_of(row.lost_ns[1], diff->session_ns[1])) >=
				 DIFF_LEAST_SHARE;
		diff->findings[diff->nr_findings++] = row;
	}
}

static uint64_t changed_ns(const struct diff_task *task)
{
	return task->sum_ns[0] > task->sum_ns[1] ? task->sum_ns[0] - task->sum_ns[1] :
						   task->sum_ns[1] - task->sum_ns[0];
}

static int compare_changes(const void *a, const void *b)
{
	uint64_t first_ns = changed_ns(a), second_ns = changed_ns(b);
	const struct diff_task *first = a, *second = b;

	if (first_ns != second_ns)
		return first_ns > second_ns ? -1 : 1;
	return strcmp(first->name, second->name);
}

static bool task_stands_out(const struct diff_task *task)
{
	bool stands_out = task->wall.stands_out || task->on_cpu.stands_out;

	for (size_t i = 0; i < task->nr_events; i++)
		stands_out |= task->events[i].stands_out;
	return stands_out;
}

struct diff *diff_compute(const struct diff_side sides[2])
{
	struct diff *diff = xcalloc(1, sizeof(*diff));

	for (int i = 0; i < 2; i++)
		diff->session_ns[i] = sides[i].findings->session_to_ns -
				      sides[i].findings->session_from_ns;
	compare_all_tasks(diff, sides);
	compare_findings(diff, sides);
	for (size_t i = 0; i < diff->nr_tasks; i++)
		diff->stands_out |= task_stands_out(&diff->tasks[i]);
	for (size_t i = 0; i < diff->nr_findings; i++)
		diff->stands_out |= diff->findings[i].stands_out;
	if (diff->nr_tasks)
		qsort(diff->tasks, diff->nr_tasks, sizeof(*diff->tasks), compare_changes);
	return diff;
}

void diff_free(struct diff *diff)
{
	for (size_t i = 0; i < diff->nr_tasks; i++)
		free(diff->tasks[i].events);
	free(diff->tasks);
	free(diff);
}
