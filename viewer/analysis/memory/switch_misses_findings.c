// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/switch_misses_findings.h"

#include <stdio.h>

#include "util/text/figure.h"

#define LEAST_RUNS 10
#define FEW_RUNS 20
#define MANY_RUNS 30
#define MOST_CHANCE 0.01
#define MOST_LEFT_OUT 0.1

/* The excess without another program: that of runs before which no other thread ran on the CPU. */
static double own_excess(const struct task_switch_misses *task)
{
	const struct switch_excess *same = &task->excesses.of[AFTER_SAME];

	return same->nr_runs >= LEAST_RUNS && same->mean > 0 ? same->mean : 0;
}

/* The loss of the thread that loses most; 0: the excess is not significant. */
static double lost_ns(const struct event_switch_misses *event,
		      const struct task_switch_misses *task, enum switch_after after)
{
	const struct switch_excess *excess = &task->excesses.of[after];
	double own = own_excess(task);

	if (!excess->known || excess->nr_runs < LEAST_RUNS || excess->p_value >= MOST_CHANCE ||
	    excess->low <= own || task->victims[after].thread == MODEL_NO_THREAD)
		return 0;
	return task->victims[after].excess * (1 - own / excess->mean) * event->cost.ns;
}

/* "After polluter ran on its CPU" */
static void say_what(const struct model *model, const struct switch_victim *victim,
		     enum switch_after after, char *text, size_t size)
{
	if (after == AFTER_MIGRATION)
		snprintf(text, size, "After a move to another CPU");
	else if (victim->by == MODEL_NO_THREAD)
		snprintf(text, size, "After others ran on its CPU");
	else
		snprintf(text, size, "After %s ran on its CPU",
			 thread_label(model, victim->by).text);
}

static void write_text(const struct model *model, const struct event_switch_misses *event,
		       const struct task_switch_misses *task, enum switch_after after,
		       struct finding *finding)
{
	const struct switch_victim *victim = &task->victims[after];
	const struct switch_excess *excess = &task->excesses.of[after];
	double own = own_excess(task);
	uint64_t ns = miss_total_ns(event->cost.ns, excess->mean - own, model->duration_ns);
	char what[128], in_task[80] = "";

	if (task->task != TRACE_NO_STRING)
		snprintf(in_task, sizeof(in_task), " in %.60s",
			 trace_string(model->trace, task->task));
	say_what(model, victim, after, what, sizeof(what));
	finding_set_text(
		finding,
		"%s, %s has %s more %s misses%s than with warm caches (95 %% interval: %s to %s; "
		"%zu times), about %s each time%s",
		what, thread_label(model, victim->thread).text,
		figure_number(excess->mean - own).text, miss_level_name(event->level), in_task,
		figure_number(excess->low - own).text, figure_number(excess->high - own).text,
		excess->nr_runs, figure_ns(ns, " ").text, miss_cost_words(&event->cost).text);
}

static void add_finding(const struct model *model, const struct switch_misses *misses,
			const struct task_switch_misses *task, enum switch_after after,
			struct findings *findings)
{
	const struct event_switch_misses *event = &misses->events[0];
	const struct switch_victim *victim = &task->victims[after];
	const struct switch_run *worst = &misses->runs.rows[victim->worst];
	double most_ns = (double)model->duration_ns, ns = lost_ns(event, task, after);
	uint64_t early_end_ns = worst->start_ns + SWITCH_EXCESS_EARLY_NS;
	struct finding *finding =
		findings_add(findings, FINDING_SWITCH_MISSES,
			     (uint64_t)(ns < most_ns ? ns : most_ns), worst->left_ns,
			     worst->end_ns < early_end_ns ? worst->end_ns : early_end_ns);
	size_t nr_runs = task->excesses.of[after].nr_runs;

	finding_add_thread(finding, victim->thread);
	if (victim->by != MODEL_NO_THREAD)
		finding_add_thread(finding, victim->by);
	finding_add_cpu(finding, worst->cpu);
	if (nr_runs >= MANY_RUNS &&
	    (worst->preempted || task->excesses.of[AFTER_SAME].nr_runs >= LEAST_RUNS))
		finding->confidence = CONFIDENCE_HIGH;
	if (nr_runs < FEW_RUNS)
		finding->caveats |= CAVEAT_FEW;
	if ((double)event->nr_left_out > MOST_LEFT_OUT * (double)event->nr_runs)
		finding->caveats |= CAVEAT_MULTIPLEXED;
	miss_cost_add_caveat(&event->cost, finding);
	write_text(model, event, task, after, finding);
}

/* Adds a finding for the task that loses most time after @after. */
static void find_after(const struct model *model, const struct switch_misses *misses,
		       enum switch_after after, struct findings *findings)
{
	const struct event_switch_misses *event = &misses->events[0];
	const struct task_switch_misses *worst = NULL;
	double most_ns = 0;

	for (size_t i = 0; i < event->nr_tasks; i++) {
		double ns = lost_ns(event, &event->tasks[i], after);

		if (ns > most_ns) {
			most_ns = ns;
			worst = &event->tasks[i];
		}
	}
	if (worst)
		add_finding(model, misses, worst, after, findings);
}

void switch_misses_add_findings(const struct model *model, const struct switch_misses *misses,
				struct findings *findings)
{
	if (!misses->nr_events)
		return;
	find_after(model, misses, AFTER_OTHER, findings);
	find_after(model, misses, AFTER_MIGRATION, findings);
}
