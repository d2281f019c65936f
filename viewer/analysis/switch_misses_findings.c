// SPDX-License-Identifier: GPL-2.0
#include "analysis/switch_misses_findings.h"

#include "util/units.h"

#define LEAST_RUNS 10
#define FEW_RUNS 20
#define MANY_RUNS 30
#define MOST_CHANCE 0.01
#define MOST_LEFT_OUT 0.1

/* The excess that the program would have without anybody else: after runs of nobody. */
static double own_excess(const struct event_switch_misses *event)
{
	const struct burst *same = &event->bursts.of[AFTER_SAME];

	return same->nr_runs >= LEAST_RUNS && same->excess > 0 ? same->excess : 0;
}

static bool is_real(const struct event_switch_misses *event, enum switch_after after)
{
	const struct burst *burst = &event->bursts.of[after];

	return burst->known && burst->nr_runs >= LEAST_RUNS && burst->p_value < MOST_CHANCE &&
	       burst->low > own_excess(event) && event->victims[after].thread != MODEL_NO_THREAD &&
	       event->victims[after].excess > 0;
}

/* "comes back to its CPU after polluter ran there" */
static void say_what(const struct model *model, const struct switch_victim *victim,
		     enum switch_after after, char *text, size_t size)
{
	if (after == AFTER_MIGRATION)
		snprintf(text, size, "has moved to another CPU");
	else if (victim->by == MODEL_NO_THREAD)
		snprintf(text, size, "comes back to its CPU after others ran there");
	else
		snprintf(text, size, "comes back to its CPU after %s ran there",
			 thread_label(model, victim->by).text);
}

static void say(const struct model *model, const struct event_switch_misses *event,
		enum switch_after after, double own, struct finding *finding)
{
	const struct switch_victim *victim = &event->victims[after];
	const struct burst *burst = &event->bursts.of[after];
	double ns = (burst->excess - own) * miss_cost_ns(event->level);
	char what[128];

	say_what(model, victim, after, what, sizeof(what));
	finding_say(finding,
		    "When %s %s, it has %s %s misses more than it has warm (95 %%: %s to %s; %zu "
		    "times), about %s each time",
		    thread_label(model, victim->thread).text, what,
		    figure_number(burst->excess - own).text, miss_level_name(event->level),
		    figure_number(burst->low - own).text, figure_number(burst->high - own).text,
		    burst->nr_runs, figure_ns((uint64_t)ns, " ").text);
}

static void find_after(const struct model *model, const struct switch_misses *misses,
		       enum switch_after after, struct findings *findings)
{
	const struct event_switch_misses *event = &misses->events[0];
	const struct switch_victim *victim = &event->victims[after];
	const struct burst *burst = &event->bursts.of[after];
	const struct switch_run *worst;
	struct finding *finding;
	double own, lost_ns;

	if (!is_real(event, after))
		return;
	own = own_excess(event);
	lost_ns = victim->excess * (1 - own / burst->excess) * miss_cost_ns(event->level);
	if (!(lost_ns < (double)model->duration_ns))
		lost_ns = (double)model->duration_ns;
	worst = &misses->runs.rows[victim->worst];
	finding = findings_add(findings, FINDING_COLD_CACHE, (uint64_t)lost_ns, worst->left_ns,
			       worst->end_ns - worst->start_ns < BURST_EARLY_NS ?
				       worst->end_ns :
				       worst->start_ns + BURST_EARLY_NS);
	finding_add_thread(finding, victim->thread);
	if (victim->by != MODEL_NO_THREAD)
		finding_add_thread(finding, victim->by);
	finding_add_cpu(finding, worst->cpu);
	if (burst->nr_runs >= MANY_RUNS &&
	    (worst->preempted || event->bursts.of[AFTER_SAME].nr_runs >= LEAST_RUNS))
		finding->confidence = CONFIDENCE_HIGH;
	if (burst->nr_runs < FEW_RUNS)
		finding->caveats |= CAVEAT_FEW;
	if ((double)event->nr_left_out > MOST_LEFT_OUT * (double)event->nr_runs)
		finding->caveats |= CAVEAT_MULTIPLEXED;
	say(model, event, after, own, finding);
}

void find_switch_misses(const struct model *model, const struct switch_misses *misses,
			struct findings *findings)
{
	if (!misses->nr_events)
		return;
	find_after(model, misses, AFTER_OTHER, findings);
	find_after(model, misses, AFTER_MIGRATION, findings);
}
