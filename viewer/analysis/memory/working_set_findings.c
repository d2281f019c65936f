// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/working_set_findings.h"

#include "analysis/tasks/task_events.h"
#include "util/text/figure.h"

#define SURE_SAMPLES 1000
#define PRECISE 2

struct loss {
	const struct working_set_task *task;
	int level; /* index of the largest cache that is too small */
	double misses;
	double ns;
	const struct miss_cost *cost; /* of each of them */
};

static const struct event_figures *figures_of(const struct task_stats *stats,
					      const struct working_set_task *task)
{
	const struct task *row = &stats->tasks[task->task];

	for (size_t i = 0; i < row->nr_threads; i++) {
		if (row->threads[i].thread == task->thread)
			return row->threads[i].events;
	}
	return row->events;
}

/* The index of the largest cache that the working set does not fit into; -1: it fits into all. */
static int level_exceeded(const struct working_set *sets, const struct working_set_task *task)
{
	int exceeded = -1;

	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		if (sets->level_bytes[level] && task->knee_bytes > (double)sets->level_bytes[level])
			exceeded = level;
	}
	return exceeded;
}

static struct loss loss_of(const struct model *model, const struct task_stats *stats,
			   const struct working_set *sets, const enum miss_level *levels,
			   const struct miss_costs *costs, const struct working_set_task *task)
{
	const struct event_figures *figures = figures_of(stats, task);
	struct loss loss = { .task = task, .level = -1 };

	if (task->knee_known)
		loss.level = level_exceeded(sets, task);
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		int level = (int)levels[event] - MISS_L1;
		const struct miss_cost *cost = &costs->of[levels[event]];
		double ns = figures[event].count * cost->ns;

		if (level < 0 || level > loss.level || !figures[event].measured || ns <= loss.ns)
			continue;
		loss.ns = ns;
		loss.misses = figures[event].count;
		loss.cost = cost;
	}
	return loss;
}

static void add_finding(const struct model *model, const struct task_stats *stats,
			const struct working_set *sets, const struct loss *loss,
			struct findings *findings)
{
	const struct working_set_task *task = loss->task;
	double most_ns = (double)(task->to_ns - task->from_ns);
	struct finding *finding = findings_add(findings, FINDING_WORKING_SET,
					       (uint64_t)(loss->ns < most_ns ? loss->ns : most_ns),
					       task->from_ns, task->to_ns);

	finding_add_thread(finding, task->thread);
	finding_add_cpu(finding, task->cpu);
	if (task->nr_samples >= SURE_SAMPLES && sets->is_of_loads)
		finding->confidence = CONFIDENCE_HIGH;
	if (task->precise < PRECISE)
		finding->caveats |= CAVEAT_SKID;
	miss_cost_add_caveat(loss->cost, finding);
	finding_set_text(
		finding,
		"%s reuses about %s KiB of data, more than the %s KiB of the L%d cache: it has %s "
		"misses in thread %s%s",
		trace_string(model->trace, stats->tasks[task->task].name),
		figure_number(task->knee_bytes / 1024).text,
		figure_number((double)sets->level_bytes[loss->level] / 1024).text, loss->level + 1,
		figure_number(loss->misses).text, thread_label(model, task->thread).text,
		miss_cost_words(loss->cost).text);
}

void working_set_add_findings(const struct model *model, const struct task_stats *stats,
			      const struct working_set *sets, const enum miss_level *levels,
			      const struct miss_costs *costs, struct findings *findings)
{
	struct loss worst = { .task = NULL };

	for (size_t i = 0; i < sets->nr; i++) {
		struct loss loss = loss_of(model, stats, sets, levels, costs, &sets->tasks[i]);

		if (loss.ns > worst.ns)
			worst = loss;
	}
	if (worst.task)
		add_finding(model, stats, sets, &worst, findings);
}
