// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/metrics.h"

#include <stdlib.h>
#include <strings.h>

#include "analysis/topdown/task_slices.h"
#include "util/xalloc.h"

/* How far a formula is. */
enum progress {
	NOT_READ,
	BEING_READ, /* a metric that names itself comes back here */
	KNOWN,
	UNKNOWN,
};

struct compiled {
	enum progress progress;
	struct metric_expr expr;
};

/* All formulas, with the events of one choice of sides. */
struct plan {
	const struct metric_dir *dir;
	struct metric_inputs inputs;
	struct compiled *compiled; /* of each metric */
	size_t nr_known;
};

static bool compile(struct plan *plan, size_t metric);

static struct metric_name resolve(void *context, const char *name)
{
	static const struct metric_name unknown = { .kind = METRIC_NAME_UNKNOWN };
	struct plan *plan = context;
	const struct metric_source *other = metric_dir_find(plan->dir, name);
	size_t metric;

	if (!strcasecmp(name, "#smt_on"))
		return (struct metric_name){ METRIC_NAME_NUMBER,
					     .number = topology_cores_are_shared(
						     &plan->inputs.model->topology) };
	if (!other)
		return metric_inputs_name(&plan->inputs, name);
	metric = (size_t)(other - plan->dir->metrics);
	if (!compile(plan, metric))
		return unknown;
	return (struct metric_name){ METRIC_NAME_EXPR, .expr = &plan->compiled[metric].expr };
}

/* Returns whether all of its names are known. */
static bool compile(struct plan *plan, size_t metric)
{
	struct compiled *compiled = &plan->compiled[metric];
	char why[METRIC_WHY_BYTES];

	if (compiled->progress != NOT_READ)
		return compiled->progress == KNOWN;
	compiled->progress = BEING_READ;
	compiled->progress = metric_expr_parse(plan->dir->metrics[metric].text, resolve, plan,
					       &compiled->expr, why) == METRIC_PARSED ?
				     KNOWN :
				     UNKNOWN;
	return compiled->progress == KNOWN;
}

static struct plan make_plan(const struct model *model, const struct metric_dir *dir,
			     unsigned int sides)
{
	struct plan plan = {
		.dir = dir,
		.inputs = { .model = model, .sides = sides },
		.compiled = xcalloc(dir->nr, sizeof(*plan.compiled)),
	};

	for (size_t i = 0; i < dir->nr; i++)
		plan.nr_known += compile(&plan, i);
	return plan;
}

static void free_plan(struct plan *plan)
{
	for (size_t i = 0; i < plan->dir->nr; i++)
		metric_expr_free(&plan->compiled[i].expr);
	free(plan->compiled);
}

/* As that of top-down: of the sides of which most is known. */
static struct plan choose_plan(const struct model *model, const struct metric_dir *dir)
{
	static const unsigned int sides[] = { EVENT_USER, EVENT_KERNEL };
	struct plan best = make_plan(model, dir, EVENT_BOTH);

	for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
		struct plan plan = make_plan(model, dir, sides[i]);

		if (plan.nr_known > best.nr_known) {
			free_plan(&best);
			best = plan;
		} else {
			free_plan(&plan);
		}
	}
	return best;
}

static uint64_t on_cpu_ns(const struct task *task)
{
	uint64_t ns = 0;

	for (size_t i = 0; i < task->nr_threads; i++)
		ns += task->threads[i].once_on_cpu_ns;
	return ns;
}

static void add_rows(struct metrics *metrics, const struct plan *plan,
		     const struct task_stats *stats, const struct task_slices *slices,
		     size_t metric)
{
	for (size_t i = 0; i < stats->nr_tasks; i++) {
		struct metrics_row row = {
			.metric = &plan->dir->metrics[metric],
			.task = (uint32_t)i,
			.on_cpu_ns = on_cpu_ns(&stats->tasks[i]),
			.estimate = metric_estimate_of(&plan->inputs, &plan->compiled[metric].expr,
						       &slices->tasks[i]),
		};

		if (row.estimate.is_known)
			metrics->rows[metrics->nr++] = row;
	}
}

/* Metrics are in the order of the directory, in one array. */
static int compare_rows(const void *a, const void *b)
{
	const struct metrics_row *first = a, *second = b;

	if (first->metric != second->metric)
		return first->metric < second->metric ? -1 : 1;
	if (first->on_cpu_ns != second->on_cpu_ns)
		return first->on_cpu_ns > second->on_cpu_ns ? -1 : 1;
	return first->task < second->task ? -1 : first->task > second->task;
}

struct metrics metrics_compute(const struct model *model, const struct task_stats *stats,
			       const struct metric_dir *dir)
{
	struct metrics metrics = { .is_asked = dir };
	struct task_slices slices;
	struct plan plan;

	if (!dir || !model->nr_pmu_events || !model->trace)
		return metrics;
	plan = choose_plan(model, dir);
	slices = task_slices_compute(model, stats);
	metrics.nr_metrics = plan.nr_known;
	metrics.rows = xcalloc(plan.nr_known * stats->nr_tasks, sizeof(*metrics.rows));
	for (size_t i = 0; i < dir->nr; i++) {
		if (plan.compiled[i].progress == KNOWN)
			add_rows(&metrics, &plan, stats, &slices, i);
	}
	if (metrics.nr)
		qsort(metrics.rows, metrics.nr, sizeof(*metrics.rows), compare_rows);
	task_slices_free(&slices);
	free_plan(&plan);
	return metrics;
}

void metrics_free(struct metrics *metrics)
{
	free(metrics->rows);
	*metrics = (struct metrics){ 0 };
}
