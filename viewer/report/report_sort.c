// SPDX-License-Identifier: GPL-2.0
#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "report/report_sort.h"
#include "util/xalloc.h"

/* Greater values go first; a table that lacks the figure keeps its order. */
struct sort_key {
	const char *name;
	double (*task)(const struct task *task);
	double (*thread)(const struct thread_figures *thread);
};

#define METRIC_KEY(function, metric)                                         \
	static double task_##function(const struct task *task)               \
	{                                                                    \
		return (double)task->ns[metric].sum;                         \
	}                                                                    \
	static double thread_##function(const struct thread_figures *thread) \
	{                                                                    \
		return (double)thread->ns[metric];                           \
	}

METRIC_KEY(wall, METRIC_WALL)
METRIC_KEY(on_cpu, METRIC_ON_CPU)
METRIC_KEY(useful, METRIC_USEFUL)
METRIC_KEY(waiting, METRIC_WAITING)
METRIC_KEY(spinning, METRIC_SPINNING)
METRIC_KEY(preempted, METRIC_PREEMPTED)
METRIC_KEY(wakeup, METRIC_WAKEUP)
METRIC_KEY(blocked, METRIC_BLOCKED)
METRIC_KEY(stolen, METRIC_STOLEN)

#define COUNT_KEY(field)                                                  \
	static double task_##field(const struct task *task)               \
	{                                                                 \
		return (double)task->counts.field;                        \
	}                                                                 \
	static double thread_##field(const struct thread_figures *thread) \
	{                                                                 \
		return (double)thread->counts.field;                      \
	}

COUNT_KEY(switches)
COUNT_KEY(migrations)

static double task_instances(const struct task *task)
{
	return (double)task->instances;
}

static double thread_instances(const struct thread_figures *thread)
{
	return (double)thread->instances;
}

static double task_imbalance(const struct task *task)
{
	return (double)task->imbalance_time_ns;
}

static const struct sort_key sort_keys[] = {
	{ "wall", task_wall, thread_wall },
	{ "on-cpu", task_on_cpu, thread_on_cpu },
	{ "useful", task_useful, thread_useful },
	{ "waiting", task_waiting, thread_waiting },
	{ "spinning", task_spinning, thread_spinning },
	{ "preempted", task_preempted, thread_preempted },
	{ "wakeup", task_wakeup, thread_wakeup },
	{ "blocked", task_blocked, thread_blocked },
	{ "stolen", task_stolen, thread_stolen },
	{ "switches", task_switches, thread_switches },
	{ "migrations", task_migrations, thread_migrations },
	{ "instances", task_instances, thread_instances },
	{ "imbalance", task_imbalance, NULL },
};

#define NR_SORT_KEYS (sizeof(sort_keys) / sizeof(sort_keys[0]))

const struct sort_key *report_sort_key(const char *name)
{
	for (size_t i = 0; i < NR_SORT_KEYS; i++) {
		if (!strcmp(sort_keys[i].name, name))
			return &sort_keys[i];
	}
	return NULL;
}

const char *const *report_sort_keys(void)
{
	static const char *names[NR_SORT_KEYS + 1];

	for (size_t i = 0; i < NR_SORT_KEYS; i++)
		names[i] = sort_keys[i].name;
	return names;
}

struct order {
	const struct report *report;
	const struct sort_key *keys[REPORT_MAX_SORT_KEYS + 1];
	size_t nr_keys;
};

/* The order in which the model found them breaks ties, so that output does not depend on qsort. */
static int by_index(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_tasks(const void *left, const void *right, void *context)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct order *order = context;
	const struct task *tasks = order->report->stats->tasks;

	for (size_t i = 0; i < order->nr_keys; i++) {
		double one = order->keys[i]->task(&tasks[a]);
		double other = order->keys[i]->task(&tasks[b]);

		if (one != other)
			return one > other ? -1 : 1;
	}
	return by_index(a, b);
}

static int compare_threads(const void *left, const void *right, void *context)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct order *order = context;
	const struct thread_figures *threads = order->report->stats->threads;

	for (size_t i = 0; i < order->nr_keys; i++) {
		double one, other;

		if (!order->keys[i]->thread)
			continue;
		one = order->keys[i]->thread(&threads[a]);
		other = order->keys[i]->thread(&threads[b]);
		if (one != other)
			return one > other ? -1 : 1;
	}
	return by_index(a, b);
}

static size_t *make_indices(size_t nr)
{
	size_t *all = xcalloc(nr, sizeof(*all));

	for (size_t i = 0; i < nr; i++)
		all[i] = i;
	return all;
}

void report_sort(struct report *report, const struct sort_key *const *keys, size_t nr)
{
	size_t nr_tasks = report->stats->nr_tasks, nr_threads = report->model->nr_threads;
	struct order order = { .report = report, .nr_keys = nr };

	for (size_t i = 0; i < nr; i++)
		order.keys[i] = keys[i];
	report->tasks = make_indices(nr_tasks);
	report->threads = make_indices(nr_threads);
	order.keys[order.nr_keys++] = report_sort_key("wall");
	qsort_r(report->tasks, nr_tasks, sizeof(*report->tasks), compare_tasks, &order);
	order.keys[order.nr_keys - 1] = report_sort_key("on-cpu");
	qsort_r(report->threads, nr_threads, sizeof(*report->threads), compare_threads, &order);
}

void report_free(struct report *report)
{
	free(report->tasks);
	free(report->threads);
}

bool report_shows(const struct report *report, uint32_t thread)
{
	return report->all_threads || report->model->threads[thread].in_session;
}

const char *report_comm(const struct report *report, uint32_t thread)
{
	return trace_string(report->model->trace, report->model->threads[thread].comm);
}
