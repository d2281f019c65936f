// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/periodic_tasks.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/instances/instances.h"
#include "analysis/stats/distribution.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/* Instances of one task and thread, in order, and what is computed of them. */
struct series {
	size_t nr;
	const struct instance *rows;
	uint64_t *values; /* room for nr */
	double *steps; /* of each: how many periods after the first */
	double *off_ns; /* of each: from the grid */
};

static int compare_begins(const void *a, const void *b)
{
	const struct instance *first = a, *second = b;

	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	return first->from_ns < second->from_ns ? -1 : first->from_ns > second->from_ns;
}

static uint64_t nth(uint64_t *values, size_t nr, size_t n)
{
	distribution_select_nth(values, nr, n);
	return values[n];
}

/* From one begin to the next: the median. */
static uint64_t find_usual_ns(const struct series *series)
{
	size_t nr = series->nr - 1;

	for (size_t i = 0; i < nr; i++)
		series->values[i] = series->rows[i + 1].from_ns - series->rows[i].from_ns;
	return nth(series->values, nr, nr / 2);
}

/* From an end to the next begin. */
static uint64_t find_rest_ns(const struct series *series)
{
	size_t nr = series->nr - 1;

	for (size_t i = 0; i < nr; i++)
		series->values[i] = series->rows[i + 1].from_ns - series->rows[i].to_ns;
	return nth(series->values, nr, nr / 2);
}

static void count_steps(const struct series *series, double usual_ns)
{
	series->steps[0] = 0;
	for (size_t i = 1; i < series->nr; i++) {
		double ns = (double)(series->rows[i].from_ns - series->rows[i - 1].from_ns);

		series->steps[i] = series->steps[i - 1] + fmax(round(ns / usual_ns), 1);
	}
}

/* Since the first begin. */
static double begin_of(const struct series *series, size_t i)
{
	return (double)(series->rows[i].from_ns - series->rows[0].from_ns);
}

static double end_of(const struct series *series, size_t i)
{
	return (double)(series->rows[i].to_ns - series->rows[0].from_ns);
}

/* The step that has the least squares of begins. */
static double fit_period(const struct series *series)
{
	double mean_step = 0, mean_ns = 0, product = 0, square = 0;

	for (size_t i = 0; i < series->nr; i++) {
		mean_step += series->steps[i] / (double)series->nr;
		mean_ns += begin_of(series, i) / (double)series->nr;
	}
	for (size_t i = 0; i < series->nr; i++) {
		double step = series->steps[i] - mean_step;

		product += step * (begin_of(series, i) - mean_ns);
		square += step * step;
	}
	return product / square;
}

static int compare_doubles(const void *a, const void *b)
{
	const double *first = a, *second = b;

	return *first < *second ? -1 : *first > *second;
}

static double median(const double *values, size_t nr)
{
	double *sorted = xcalloc(nr, sizeof(*sorted)), middle;

	for (size_t i = 0; i < nr; i++)
		sorted[i] = values[i];
	qsort(sorted, nr, sizeof(*sorted), compare_doubles);
	middle = (sorted[(nr - 1) / 2] + sorted[nr / 2]) / 2;
	free(sorted);
	return middle;
}

/* How far @time_of each is from the grid. */
static struct periodic_jitter find_jitter(const struct series *series, double period_ns,
					  double (*time_of)(const struct series *series, size_t i))
{
	size_t nr = series->nr;
	struct periodic_jitter jitter;
	double middle_ns;

	for (size_t i = 0; i < nr; i++)
		series->off_ns[i] = time_of(series, i) - series->steps[i] * period_ns;
	middle_ns = median(series->off_ns, nr);
	for (size_t i = 0; i < nr; i++) {
		series->off_ns[i] -= middle_ns;
		series->values[i] = (uint64_t)llround(fabs(series->off_ns[i]));
	}
	jitter.median_ns = nth(series->values, nr, (nr - 1) / 2);
	jitter.p99_ns = nth(series->values, nr, (nr * 99 + 99) / 100 - 1);
	jitter.max_ns = nth(series->values, nr, nr - 1);
	return jitter;
}

static size_t find_worst(const struct series *series)
{
	size_t worst = 0;

	for (size_t i = 1; i < series->nr; i++) {
		if (fabs(series->off_ns[i]) > fabs(series->off_ns[worst]))
			worst = i;
	}
	return worst;
}

static struct periodic_task describe(const struct series *series, double usual_ns)
{
	struct periodic_task row = {
		.task = series->rows->task,
		.thread = series->rows->thread,
		.nr_instances = series->nr,
	};
	size_t worst;

	count_steps(series, usual_ns);
	row.nr_missing = (uint64_t)series->steps[series->nr - 1] + 1 - series->nr;
	row.period_ns = fit_period(series);
	row.ends = find_jitter(series, row.period_ns, end_of);
	row.begins = find_jitter(series, row.period_ns, begin_of);
	worst = find_worst(series);
	row.worst_from_ns = series->rows[worst].from_ns;
	row.worst_to_ns = series->rows[worst].to_ns;
	return row;
}

static void add_series(struct periodic_tasks *tasks, size_t *capacity,
		       const struct instance *instances, size_t nr)
{
	struct series series = {
		.nr = nr,
		.rows = instances,
		.values = xcalloc(nr, sizeof(*series.values)),
		.steps = xcalloc(nr, sizeof(*series.steps)),
		.off_ns = xcalloc(nr, sizeof(*series.off_ns)),
	};
	uint64_t usual_ns = find_usual_ns(&series), rest_ns = find_rest_ns(&series);

	if (usual_ns && (double)rest_ns >= PERIODIC_LEAST_REST * (double)usual_ns) {
		struct periodic_task row = describe(&series, (double)usual_ns);

		ARRAY_MAKE_ROOM(tasks->rows, tasks->nr, *capacity);
		if ((double)row.begins.median_ns <= PERIODIC_MOST_JITTER * row.period_ns)
			tasks->rows[tasks->nr++] = row;
	}
	free(series.values);
	free(series.steps);
	free(series.off_ns);
}

static int compare_tasks(const void *a, const void *b)
{
	const struct periodic_task *first = a, *second = b;

	if (first->begins.max_ns != second->begins.max_ns)
		return first->begins.max_ns > second->begins.max_ns ? -1 : 1;
	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static bool is_same(const struct instance *a, const struct instance *b)
{
	return a->task == b->task && a->thread == b->thread;
}

struct periodic_tasks periodic_tasks_compute(const struct model *model,
					     const struct task_stats *stats)
{
	struct periodic_tasks tasks = { 0 };
	size_t nr, end, capacity = 0;
	struct instance *instances = instances_collect(model, stats, TRACE_SPAN_WORK, &nr);

	if (nr)
		qsort(instances, nr, sizeof(*instances), compare_begins);
	for (size_t first = 0; first < nr; first = end) {
		for (end = first; end < nr && is_same(&instances[first], &instances[end]); end++)
			;
		if (end - first >= PERIODIC_LEAST_INSTANCES)
			add_series(&tasks, &capacity, &instances[first], end - first);
	}
	spill_free(instances);
	if (tasks.nr)
		qsort(tasks.rows, tasks.nr, sizeof(*tasks.rows), compare_tasks);
	return tasks;
}

void periodic_tasks_free(struct periodic_tasks *tasks)
{
	free(tasks->rows);
	*tasks = (struct periodic_tasks){ 0 };
}
