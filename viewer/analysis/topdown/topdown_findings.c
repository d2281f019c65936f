// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/topdown_findings.h"

#include <stdio.h>

#include "analysis/topdown/task_period.h"
#include "util/text/figure.h"

#define HALF 0.5

/* Thresholds of TMA (MetricThreshold of intel/perfmon). */
struct kind {
	enum finding_kind kind;
	enum topdown_figure figure;
	double threshold;
	double backend_threshold; /* back-end bound must exceed this one, too */
	const char *what; /* of the slots */
};

static const struct kind kinds[] = {
	{ FINDING_MEMORY_BOUND, TOPDOWN_MEMORY_BOUND, 0.2, 0.2, "wait for memory" },
	{ FINDING_CORE_BOUND, TOPDOWN_CORE_BOUND, 0.1, 0.2,
	  "wait for execution units, or for results of instructions before" },
	{ FINDING_FRONTEND_BOUND, TOPDOWN_FRONTEND_BOUND, 0.15, 0,
	  "are empty because no instruction was delivered" },
	{ FINDING_BAD_SPECULATION, TOPDOWN_BAD_SPECULATION, 0.15, 0,
	  "are lost to instructions on the wrong path" },
};

static bool is_beyond(const struct kind *kind, const struct topdown_row *row)
{
	const struct metric_estimate *figure = &row->figures[kind->figure];
	const struct metric_estimate *backend = &row->figures[TOPDOWN_BACKEND_BOUND];

	if (row->doubt != TOPDOWN_SURE || !figure->is_known || figure->low <= kind->threshold)
		return false;
	return kind->backend_threshold == 0 ||
	       (backend->is_known && backend->low > kind->backend_threshold);
}

static double lost_ns(const struct kind *kind, const struct topdown_row *row)
{
	return is_beyond(kind, row) ? row->figures[kind->figure].value * (double)row->on_cpu_ns : 0;
}

static const struct topdown_row *find_worst(const struct kind *kind, const struct task_stats *stats,
					    const struct topdown *topdown)
{
	const struct topdown_row *worst = NULL;
	double most_ns = 0;

	for (size_t i = 0; i < topdown->nr_tasks; i++) {
		double ns = lost_ns(kind, &topdown->tasks[i]);

		if (stats->tasks[topdown->tasks[i].task].kind == TRACE_SPAN_WORK && ns > most_ns)
			most_ns = ns;
	}
	/* Those on a CPU for less time come later. */
	for (size_t i = 0; i < topdown->nr_tasks; i++) {
		double ns = lost_ns(kind, &topdown->tasks[i]);

		if (stats->tasks[topdown->tasks[i].task].kind == TRACE_SPAN_WORK && ns > 0 &&
		    ns >= HALF * most_ns)
			worst = &topdown->tasks[i];
	}
	return worst;
}

/* ", most of it for DRAM (41 % of its cycles)", or nothing. */
static void say_level(const struct topdown_row *row, char *text, size_t size)
{
	static const char *const names[] = { "L1", "L2", "L3", "DRAM" };
	size_t worst = 0;

	text[0] = '\0';
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!row->figures[TOPDOWN_L1_BOUND + i].is_known)
			return;
		if (row->figures[TOPDOWN_L1_BOUND + i].value >
		    row->figures[TOPDOWN_L1_BOUND + worst].value)
			worst = i;
	}
	snprintf(text, size, ", most of it for %s (%s %% of its cycles)", names[worst],
		 figure_number(100 * row->figures[TOPDOWN_L1_BOUND + worst].value).text);
}

static const char *part_name(enum topdown_figure figure)
{
	switch (figure) {
	case TOPDOWN_FETCH_LATENCY:
		return "fetch latency";
	case TOPDOWN_FETCH_BANDWIDTH:
		return "fetch bandwidth";
	case TOPDOWN_BRANCH_MISPREDICTS:
		return "branch mispredicts";
	default:
		return "machine clears";
	}
}

/* ", most of it fetch latency (14 %)", or nothing: which of two parts is the larger one. */
static void say_part(const struct topdown_row *row, enum topdown_figure first,
		     enum topdown_figure second, char *text, size_t size)
{
	const struct metric_estimate *one = &row->figures[first], *other = &row->figures[second];
	bool is_first = one->value >= other->value;

	text[0] = '\0';
	if (one->is_known && other->is_known)
		snprintf(text, size, ", most of it %s (%s %%)",
			 part_name(is_first ? first : second),
			 figure_number(100 * (is_first ? one : other)->value).text);
}

/* What most of it is, or nothing. */
static void say_most(enum topdown_figure figure, const struct topdown_row *row, char *text,
		     size_t size)
{
	text[0] = '\0';
	if (figure == TOPDOWN_MEMORY_BOUND)
		say_level(row, text, size);
	else if (figure == TOPDOWN_FRONTEND_BOUND)
		say_part(row, TOPDOWN_FETCH_LATENCY, TOPDOWN_FETCH_BANDWIDTH, text, size);
	else if (figure == TOPDOWN_BAD_SPECULATION)
		say_part(row, TOPDOWN_BRANCH_MISPREDICTS, TOPDOWN_MACHINE_CLEARS, text, size);
}

static void say_error(const struct metric_estimate *figure, char *text, size_t size)
{
	text[0] = '\0';
	if (figure->high > figure->low)
		snprintf(text, size, " (95 %% interval: %s to %s)",
			 figure_number(100 * figure->low).text,
			 figure_number(100 * figure->high).text);
}

static void add_finding(const struct model *model, const struct task_stats *stats,
			const struct kind *kind, const struct topdown_row *row,
			const struct finding_places *places, struct findings *findings)
{
	const struct task *task = &stats->tasks[row->task];
	const struct metric_estimate *figure = &row->figures[kind->figure];
	const struct thread_figures *longest = task_longest_thread(task);
	struct task_period period = task_period_of(model, task, longest->thread);
	const struct places_question question = { kind->kind, row->task, NO_EVENT };
	struct finding *finding =
		findings_add_at_most(findings, kind->kind,
				     (uint64_t)(figure->value * (double)longest->once_on_cpu_ns),
				     period.from_ns, period.to_ns);
	char error[80], most[80], where[FINDING_PLACES_BYTES];

	finding_add_thread(finding, longest->thread);
	for (size_t i = 0; i < task->nr_threads; i++) {
		if (task->threads[i].thread != longest->thread)
			finding_add_thread(finding, task->threads[i].thread);
	}
	finding->cpu_time_lost_ns = (uint64_t)lost_ns(kind, row);
	finding->confidence = CONFIDENCE_HIGH;
	say_error(figure, error, sizeof(error));
	say_most(kind->figure, row, most, sizeof(most));
	finding_places_say(places, &question, where);
	finding_set_text(finding, "%s: %s %% of its issue slots%s %s%s%s",
			 trace_string(model->trace, task->name),
			 figure_number(100 * figure->value).text, error, kind->what, most, where);
}

void topdown_add_findings(const struct model *model, const struct task_stats *stats,
			  const struct topdown *topdown, const struct finding_places *places,
			  struct findings *findings)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const struct topdown_row *worst = find_worst(&kinds[i], stats, topdown);

		if (worst)
			add_finding(model, stats, &kinds[i], worst, places, findings);
	}
}
