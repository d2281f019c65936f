// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/stalls_findings.h"

#include <stdio.h>

#include "analysis/topdown/task_period.h"
#include "util/text/figure.h"

#define HALF 0.5

/* Of the time on a CPU. */
static const struct {
	enum finding_kind kind;
	double threshold;
	const char *what;
} kinds[NR_STALLS] = {
	[STALL_BRANCH] = { FINDING_BRANCH_MISSES, 0.1, "mispredicted branches" },
	[STALL_FETCH] = { FINDING_ICACHE_MISSES, 0.05, "instruction fetches that missed L1" },
	[STALL_WALK] = { FINDING_PAGE_WALKS, 0.1, "walks through page tables" },
};

static double lost_ns(const struct stall_row *row)
{
	return row->low > kinds[row->stall].threshold ? row->share * (double)row->on_cpu_ns : 0;
}

static bool is_work(const struct task_stats *stats, const struct stall_row *row)
{
	return row->task != NO_TASK && stats->tasks[row->task].kind == TRACE_SPAN_WORK;
}

/* Those on a CPU for less time come later. */
static const struct stall_row *find_worst(const struct stalls *stalls, enum stall stall,
					  const struct task_stats *stats)
{
	const struct stall_row *worst = NULL;
	double most_ns = 0;

	for (size_t i = 0; i < stalls->nr; i++) {
		const struct stall_row *row = &stalls->rows[i];

		if (row->stall == stall && is_work(stats, row) && lost_ns(row) > most_ns)
			most_ns = lost_ns(row);
	}
	for (size_t i = 0; i < stalls->nr; i++) {
		const struct stall_row *row = &stalls->rows[i];

		if (row->stall != stall || !(lost_ns(row) > 0))
			continue;
		if (most_ns > 0 ? is_work(stats, row) && lost_ns(row) >= HALF * most_ns :
				  row->task == NO_TASK)
			worst = row;
	}
	return worst;
}

/* Who was longest on a CPU meanwhile, and where that shows. */
struct evidence {
	uint32_t thread;
	uint64_t on_cpu_ns;
	struct task_period period;
};

static struct evidence evidence_of_task(const struct model *model, const struct task *task)
{
	const struct thread_figures *longest = task_longest_thread(task);

	return (struct evidence){ longest->thread, longest->once_on_cpu_ns,
				  task_period_of(model, task, longest->thread) };
}

static struct evidence evidence_of_session(const struct model *model,
					   const struct task_stats *stats,
					   const struct findings *findings)
{
	struct evidence longest = {
		.period = { findings->session_from_ns, findings->session_to_ns },
	};

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		uint64_t ns = stats->threads[i].ns[METRIC_ON_CPU];

		if (!model->threads[i].in_session || ns <= longest.on_cpu_ns)
			continue;
		longest.thread = i;
		longest.on_cpu_ns = ns;
	}
	return longest;
}

static void say_interval(const struct stall_row *row, char *text, size_t size)
{
	text[0] = '\0';
	if (row->high > row->low)
		snprintf(text, size, " (95 %% interval: %s to %s)",
			 figure_number(100 * row->low).text, figure_number(100 * row->high).text);
}

static void say_cost(const struct stalls *stalls, const struct stall_row *row, char *text,
		     size_t size)
{
	int bytes = 0;

	text[0] = '\0';
	if (stall_is_assumed(row->stall))
		bytes = snprintf(text, size, ", at %.0f cycles each", row->cycles_each);
	if (stalls->is_clock_counted)
		snprintf(text + bytes, size - (size_t)bytes, "%s %s GHz", bytes ? " and" : ", at",
			 figure_number(stalls->ghz).text);
}

static void add_finding(const struct model *model, const struct task_stats *stats,
			const struct stalls *stalls, const struct stall_row *row,
			const struct finding_places *places, struct findings *findings)
{
	struct evidence evidence = row->task == NO_TASK ?
					   evidence_of_session(model, stats, findings) :
					   evidence_of_task(model, &stats->tasks[row->task]);
	const struct places_question question = { kinds[row->stall].kind, row->task, row->event };
	struct finding *finding =
		findings_add_at_most(findings, kinds[row->stall].kind,
				     (uint64_t)(row->share * (double)evidence.on_cpu_ns),
				     evidence.period.from_ns, evidence.period.to_ns);
	char interval[80], cost[80], where[FINDING_PLACES_BYTES];

	finding_add_thread(finding, evidence.thread);
	finding->cpu_time_lost_ns = (uint64_t)lost_ns(row);
	finding->confidence = CONFIDENCE_MEDIUM;
	if (stall_is_assumed(row->stall) || !stalls->is_clock_counted)
		finding->caveats |= CAVEAT_ASSUMED_CYCLES;
	say_interval(row, interval, sizeof(interval));
	say_cost(stalls, row, cost, sizeof(cost));
	finding_places_say(places, &question, where);
	finding_set_text(finding, "%s: %s %% of its time on CPUs%s may go to %s%s%s",
			 row->task == NO_TASK ?
				 "the session" :
				 trace_string(model->trace, stats->tasks[row->task].name),
			 figure_number(100 * row->share).text, interval, kinds[row->stall].what,
			 cost, where);
}

void stalls_add_findings(const struct model *model, const struct task_stats *stats,
			 const struct stalls *stalls, const struct finding_places *places,
			 struct findings *findings)
{
	for (enum stall stall = STALL_BRANCH; stall < NR_STALLS; stall++) {
		const struct stall_row *worst = find_worst(stalls, stall, stats);

		if (worst)
			add_finding(model, stats, stalls, worst, places, findings);
	}
}
