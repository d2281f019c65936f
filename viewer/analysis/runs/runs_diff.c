// SPDX-License-Identifier: GPL-2.0
#include "analysis/runs/runs_diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/stats/holm.h"
#include "util/sort.h"
#include "util/xalloc.h"

static struct runs_value compare_sessions(const struct runs *runs)
{
	struct runs_values values = runs_values_new(runs);

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++)
			runs_values_add(&values, side, (double)runs->rows[side][i].session_ns);
	}
	return runs_value_of(&values, welch_test_of_ratio);
}

static const struct run_event *event_called(const struct run_task *task, uint32_t name)
{
	for (size_t i = 0; i < task->nr_events; i++) {
		if (task->events[i].name == name)
			return &task->events[i];
	}
	return NULL;
}

/* Run @i of a side, as far as it has the task of @row; NULL: it has not. */
static const struct run_task *task_of(const struct runs *runs, int side, size_t i,
				      const struct runs_task *row)
{
	return run_figures_task(&runs->rows[side][i], row->name, row->kind);
}

static struct runs_value compare_event(const struct runs *runs, const struct runs_task *row,
				       uint32_t name)
{
	struct runs_values values = runs_values_new(runs);

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			const struct run_task *task = task_of(runs, side, i, row);
			const struct run_event *event = task ? event_called(task, name) : NULL;

			if (event)
				runs_values_add(&values, side, event->count);
		}
	}
	return runs_value_of(&values, welch_test_of_ratio);
}

/* Those of the first run that has the task: runs to be compared are recorded alike. */
static void compare_events(struct runs_task *row, const struct runs *runs)
{
	const struct run_task *first = NULL;

	for (size_t i = 0; i < runs->nr[0] && !first; i++)
		first = task_of(runs, 0, i, row);
	if (!first)
		return;
	row->events = xcalloc(first->nr_events, sizeof(*row->events));
	for (size_t i = 0; i < first->nr_events; i++) {
		struct runs_event *event = &row->events[row->nr_events];

		event->name = first->events[i].name;
		event->count = compare_event(runs, row, event->name);
		row->nr_events += runs_value_is_compared(&event->count);
	}
}

static void compare_times(struct runs_task *row, const struct runs *runs)
{
	struct runs_values wall = runs_values_new(runs), on_cpu = runs_values_new(runs);

	row->is_on_cpu = true;
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			const struct run_task *task = task_of(runs, side, i, row);

			if (!task)
				continue;
			row->instances[side] += task->nr_instances;
			row->is_on_cpu &= task->on_cpu_ns >=
					  RUNS_ALL_ON_CPU * task->wall_ns[RUN_MEAN];
			row->total_ns[side] += task->wall_ns[RUN_TOTAL] / (double)runs->nr[side];
			runs_values_add(&wall, side, task->wall_ns[RUN_MEAN]);
			runs_values_add(&on_cpu, side, task->on_cpu_ns);
		}
	}
	row->wall = runs_value_of(&wall, welch_test_of_ratio);
	row->on_cpu = runs_value_of(&on_cpu, welch_test_of_ratio);
}

static struct runs_task compare_task(const struct runs *runs, uint32_t name,
				     enum trace_span_kind kind)
{
	struct runs_task row = { .name = name, .kind = kind };

	compare_times(&row, runs);
	compare_events(&row, runs);
	return row;
}

/* The tasks of all runs, each once, as numbers: twice the name, and the kind. free() them. */
static uint64_t *tasks_of_all(const struct runs *runs, size_t *nr)
{
	size_t nr_all = 0, capacity = 0;
	uint64_t *all = NULL;

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			const struct run_figures *run = &runs->rows[side][i];

			for (size_t task = 0; task < run->nr_tasks; task++) {
				ARRAY_MAKE_ROOM(all, nr_all, capacity);
				all[nr_all++] = task_stats_place(run->tasks[task].name,
								 run->tasks[task].kind);
			}
		}
	}
	sort_u64(all, nr_all);
	*nr = 0;
	for (size_t i = 0; i < nr_all; i++) {
		if (!i || all[i] != all[i - 1])
			all[(*nr)++] = all[i];
	}
	return all;
}

static void compare_tasks(struct runs_diff *diff, const struct runs *runs)
{
	uint64_t *tasks = tasks_of_all(runs, &diff->nr_tasks);

	diff->tasks = xcalloc(diff->nr_tasks, sizeof(*diff->tasks));
	for (size_t i = 0; i < diff->nr_tasks; i++)
		diff->tasks[i] = compare_task(runs, (uint32_t)(tasks[i] / 2),
					      tasks[i] % 2 ? TRACE_SPAN_WAIT : TRACE_SPAN_WORK);
	free(tasks);
}

static struct runs_finding compare_finding(const struct runs *runs, enum finding_kind kind)
{
	struct runs_values values = runs_values_new(runs);
	struct runs_finding row = { .kind = kind };
	uint64_t most_ns[2] = { 0 };

	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < runs->nr[side]; i++) {
			const struct run_finding *finding = &runs->rows[side][i].findings[kind];

			runs_values_add(&values, side, (double)finding->lost_ns);
			row.nr_found[side] += finding->text != NULL;
			if (!finding->text ||
			    (row.texts[side] && finding->lost_ns <= most_ns[side]))
				continue;
			row.texts[side] = finding->text;
			most_ns[side] = finding->lost_ns;
		}
	}
	row.lost = runs_value_of(&values, welch_test_of_difference);
	return row;
}

static void compare_findings(struct runs_diff *diff, const struct runs *runs)
{
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		struct runs_finding row = compare_finding(runs, (enum finding_kind)kind);

		if (row.nr_found[0] || row.nr_found[1])
			diff->findings[diff->nr_findings++] = row;
	}
}

/* All that is tested, and whether it changed by so much that it matters. */
struct tested {
	size_t nr;
	size_t capacity;
	struct tested_row {
		struct runs_value *value;
		bool matters;
	} * rows;
};

static void add_tested(struct tested *tested, struct runs_value *value, bool matters)
{
	if (!value->test.is_tested)
		return;
	ARRAY_MAKE_ROOM(tested->rows, tested->nr, tested->capacity);
	tested->rows[tested->nr++] = (struct tested_row){ value, matters };
}

/* What is new or gone always matters; what never happened, as an event, cannot differ. */
static void add_ratio(struct tested *tested, struct runs_value *value)
{
	if (!(value->samples[0].mean > 0) && !(value->samples[1].mean > 0))
		return;
	add_tested(tested, value,
		   !value->test.has_ratio || fabs(value->test.estimate) >= RUNS_LEAST_CHANGE);
}

static struct tested all_tested(struct runs_diff *diff)
{
	double least_ns = RUNS_LEAST_SHARE * diff->session.samples[0].mean;
	struct tested tested = { 0 };

	add_ratio(&tested, &diff->session);
	for (size_t i = 0; i < diff->nr_tasks; i++) {
		struct runs_task *task = &diff->tasks[i];

		add_ratio(&tested, &task->wall);
		if (!task->is_on_cpu)
			add_ratio(&tested, &task->on_cpu);
		for (size_t event = 0; event < task->nr_events; event++)
			add_ratio(&tested, &task->events[event].count);
	}
	for (size_t i = 0; i < diff->nr_findings; i++) {
		struct runs_value *lost = &diff->findings[i].lost;

		add_tested(&tested, lost, fabs(lost->test.estimate) >= least_ns);
	}
	return tested;
}

/* The one is no other figure than the other. */
static void judge_as(struct runs_value *value, const struct runs_value *other)
{
	value->adjusted_p = other->adjusted_p;
	value->stands_out = other->stands_out;
}

static void judge(struct runs_diff *diff)
{
	struct tested tested = all_tested(diff);
	double *p_values = xcalloc(tested.nr, sizeof(*p_values));

	for (size_t i = 0; i < tested.nr; i++)
		p_values[i] = tested.rows[i].value->test.p_value;
	holm_adjust(p_values, tested.nr);
	for (size_t i = 0; i < tested.nr; i++) {
		struct runs_value *value = tested.rows[i].value;

		value->adjusted_p = p_values[i];
		value->stands_out = p_values[i] <= RUNS_MOST_P && tested.rows[i].matters;
		diff->stands_out |= value->stands_out;
	}
	for (size_t i = 0; i < diff->nr_tasks; i++) {
		if (diff->tasks[i].is_on_cpu)
			judge_as(&diff->tasks[i].on_cpu, &diff->tasks[i].wall);
	}
	diff->nr_compared = tested.nr;
	free(p_values);
	free(tested.rows);
}

static double changed_ns(const struct runs_task *task)
{
	return fabs(task->total_ns[1] - task->total_ns[0]);
}

static int compare_changes(const void *a, const void *b)
{
	const struct runs_task *first = a, *second = b;

	if (changed_ns(first) != changed_ns(second))
		return changed_ns(first) > changed_ns(second) ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

struct runs_diff *runs_diff_compute(const struct runs *runs)
{
	struct runs_diff *diff = xcalloc(1, sizeof(*diff));

	diff->session = compare_sessions(runs);
	compare_tasks(diff, runs);
	compare_findings(diff, runs);
	judge(diff);
	if (diff->nr_tasks)
		qsort(diff->tasks, diff->nr_tasks, sizeof(*diff->tasks), compare_changes);
	return diff;
}

void runs_diff_free(struct runs_diff *diff)
{
	for (size_t i = 0; i < diff->nr_tasks; i++)
		free(diff->tasks[i].events);
	free(diff->tasks);
	free(diff);
}
