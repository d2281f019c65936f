// SPDX-License-Identifier: GPL-2.0
#include "analysis/instances/slow_instances_findings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define FEW_INSTANCES 5
#define MANY_INSTANCES 20

/* The greatest part; of time blocked, the greatest of its causes. */
static const struct slow_instances_part *greatest_part(const struct slow_instances *slow,
						       const struct slow_instances_task *task)
{
	for (size_t i = 0; i < task->nr_parts; i++) {
		const struct slow_instances_part *part = &slow->parts[task->first_part + i];

		if (part->part == task->most)
			return part;
	}
	return NULL;
}

/* Who or what, as far as it is known; free() it. */
static char *name_part(const struct model *model, const struct slow_instances_task *task,
		       const struct slow_instances_part *part)
{
	const char *name = instance_part_name(part->part, task->with_kernel);
	const char *cause = trace_string(model->trace,
					 part->part == PART_BLOCKED ? part->cause : task->cause);

	if (!*cause)
		return xasprintf("\"%s\"", name);
	if (part->part == PART_BLOCKED)
		return xasprintf("\"%s\" (%s)", name, cause);
	return xasprintf("\"%s\", and %s had the CPU most of that time", name, cause);
}

/* free() it. */
static char *explain(const struct model *model, const struct slow_instances_task *task,
		     const struct slow_instances_part *part)
{
	char *name, *text;

	if (!part || part->p_value >= SLOW_FINDING_MOST_CHANCE)
		return xasprintf("no single reason is beyond chance");
	name = name_part(model, task, part);
	text = xasprintf("%.0f %% of the difference is %s", part->share_pct, name);
	free(name);
	return text;
}

static enum finding_confidence confidence_of(const struct slow_instances_task *task)
{
	if (task->nr_slow < FEW_INSTANCES)
		return CONFIDENCE_LOW;
	return task->nr_slow >= MANY_INSTANCES ? CONFIDENCE_HIGH : CONFIDENCE_MEDIUM;
}

static void set_text(struct finding *finding, const struct slow_instances_task *task,
		     const char *name, const char *reason)
{
	double share_pct = 100 * (double)task->nr_slow / (double)task->nr_instances;

	if (task->deadline_ns)
		finding_set_text(
			finding,
			"%s: %" PRIu64 " of %" PRIu64 " instance%s (%.1f %%) miss the "
			"deadline of %s; on average these take %s, against %s typically; %s",
			name, task->nr_slow, task->nr_instances, text_plural(task->nr_instances),
			share_pct, figure_ns(task->deadline_ns, " ").text,
			figure_ns(task->slow_ns, " ").text, figure_ns(task->typical_ns, " ").text,
			reason);
	else
		finding_set_text(finding,
				 "%s: the slowest %.1f %% (%" PRIu64 " of %" PRIu64
				 ") take %s on average, against %s typically; %s",
				 name, share_pct, task->nr_slow, task->nr_instances,
				 figure_ns(task->slow_ns, " ").text,
				 figure_ns(task->typical_ns, " ").text, reason);
}

static void add_finding(const struct model *model, const struct slow_instances *slow,
			const struct slow_instances_task *task, const char *name,
			struct findings *findings)
{
	uint64_t at_most_ns = task->extra_ns < task->under_way_ns ? task->extra_ns :
								    task->under_way_ns;
	struct finding *finding;
	char *reason;

	if (!findings_note_loss(findings, FINDING_SLOW_INSTANCES, at_most_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_SLOW_INSTANCES, at_most_ns,
				       task->slowest_from_ns, task->slowest_to_ns);
	finding->confidence = confidence_of(task);
	if (finding->confidence == CONFIDENCE_LOW)
		finding->caveats |= CAVEAT_FEW;
	if (task->most == PART_PREEMPTED || task->most == PART_WAKEUP)
		finding->cure = (struct run_change){ .kind = CHANGE_WITHOUT, .name = task->cause };
	finding_add_thread(finding, task->slowest_thread);
	reason = explain(model, task, greatest_part(slow, task));
	set_text(finding, task, name, reason);
	free(reason);
}

static bool is_beyond_chance(const struct slow_instances_task *task)
{
	return task->nr_instances >= SLOW_FINDING_LEAST_INSTANCES &&
	       task->nr_slow >= SLOW_FINDING_LEAST_SLOW &&
	       (double)task->slow_ns >= SLOW_FINDING_LEAST_RATIO * (double)task->typical_ns &&
	       task->p_value < SLOW_FINDING_MOST_CHANCE;
}

void slow_instances_add_findings(const struct model *model, const struct task_stats *stats,
				 const struct slow_instances *slow, struct findings *findings)
{
	for (size_t i = 0; i < slow->nr_tasks; i++) {
		const struct slow_instances_task *task = &slow->tasks[i];

		if (task->deadline_ns || is_beyond_chance(task))
			add_finding(model, slow, task,
				    trace_string(model->trace, stats->tasks[task->task].name),
				    findings);
	}
}
