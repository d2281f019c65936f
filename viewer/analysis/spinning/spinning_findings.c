// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/spinning_findings.h"

#include <inttypes.h>

#include "util/text/figure.h"
#include "util/text/text.h"

#define SURE_TIMES 10

static double share_of(uint64_t ns, uint64_t all_ns)
{
	return all_ns ? (double)ns / (double)all_ns : 0;
}

static double share_of_session(const struct findings *findings, uint64_t ns)
{
	return share_of(ns, findings->session_to_ns - findings->session_from_ns);
}

static const char *program_name(const struct model *model, const struct programs *programs,
				uint32_t program)
{
	const char *name = trace_string(model->trace, programs->names[program]);

	return *name ? name : "(no name)";
}

static void say_spinning(const struct model *model, const struct spinning *spinning,
			 const struct spin_row *row, struct finding *finding)
{
	const char *program = program_name(model, &spinning->programs, row->group.program);
	const char *wait = trace_string(model->trace, row->group.name);
	const char *place = trace_string(model->trace, row->group.place);
	const char *link = wait_group_link(&row->group);
	double share = share_of(row->spun_ns, spinning->cpu_ns[row->group.program]);
	struct figure spun = figure_ns(row->spun_ns, " "), waited = figure_ns(row->wait_ns, " ");

	if (!row->wanted_ns) {
		finding_set_text(
			finding,
			"%zu thread%s of %s spun for %s of CPU time in %s%s%s, of the %s waited "
			"there: %.0f %% of its CPU time; nobody else wanted these CPUs, so it cost "
			"CPU time and energy only",
			row->nr_threads, text_plural(row->nr_threads), program, spun.text, wait,
			link, place, waited.text, 100 * share);
		return;
	}
	finding_set_text(
		finding,
		"%zu thread%s of %s spun for %s of CPU time in %s%s%s, of the %s waited there: "
		"%.0f %% of its CPU time; for %s of that, other threads waited for the CPU, %s%s%s",
		row->nr_threads, text_plural(row->nr_threads), program, spun.text, wait, link,
		place, waited.text, 100 * share, figure_ns(row->wanted_ns, " ").text,
		row->lost_ns ? "and the end is " : "but the end is not",
		row->lost_ns ? figure_ns(row->lost_ns, " ").text : "", " later for it");
}

static void find_spinning(const struct model *model, const struct spinning *spinning,
			  const struct spin_row *row, struct findings *findings)
{
	struct finding *finding = findings_add(findings, FINDING_SPIN_WASTE, row->lost_ns,
					       row->shown_from_ns, row->shown_to_ns);

	finding->cpu_time_lost_ns = row->spun_ns;
	if (row->spun_waits >= SURE_TIMES)
		finding->confidence = CONFIDENCE_HIGH;
	finding_add_thread(finding, row->shown_thread);
	if (row->shown_waiting != MODEL_NO_THREAD)
		finding_add_thread(finding, row->shown_waiting);
	if (row->shown_cpu >= 0)
		finding_add_cpu(finding, row->shown_cpu);
	say_spinning(model, spinning, row, finding);
}

void spinning_add_findings(const struct model *model, const struct spinning *spinning,
			   struct findings *findings)
{
	for (size_t i = 0; i < spinning->nr; i++) {
		const struct spin_row *row = &spinning->rows[i];

		if (row->spun_waits >= SPIN_LEAST_TIMES &&
		    (share_of(row->spun_ns, spinning->cpu_ns[row->group.program]) >=
			     SPIN_LEAST_SHARE ||
		     share_of_session(findings, row->lost_ns) >= SPIN_LEAST_LOST))
			find_spinning(model, spinning, row, findings);
	}
}

/* Who ran for most of the time in the place of last threads. */
static enum straggler_runner usual_runner(const struct spin_straggler_row *row)
{
	enum straggler_runner most = RUNNER_SPUN;

	for (enum straggler_runner i = RUNNER_SPUN; i < NR_STRAGGLER_RUNNERS; i++) {
		if (row->ran_ns[i] > row->ran_ns[most])
			most = i;
	}
	return most;
}

/* Without the program that ran there longest once, if other programs mostly did. */
static struct run_change straggler_cure(const struct programs *programs,
					const struct spin_straggler_row *row)
{
	uint32_t by = programs->of_thread[row->worst_by];

	if (usual_runner(row) != RUNNER_OTHER || by == row->group.program)
		return (struct run_change){ .kind = CHANGE_NONE };
	return (struct run_change){ .kind = CHANGE_WITHOUT, .name = programs->names[by] };
}

static void find_straggler(const struct model *model, const struct programs *programs,
			   const struct spin_straggler_row *row, struct findings *findings)
{
	static const char *const runners[NR_STRAGGLER_RUNNERS] = {
		[RUNNER_SPUN] = "threads that spun there themselves",
		[RUNNER_OWN] = "other threads of its program",
		[RUNNER_OTHER] = "other programs",
	};
	struct finding *finding = findings_add(findings, FINDING_PREEMPTED_STRAGGLER, row->lost_ns,
					       row->worst_from_ns, row->worst_to_ns);

	finding->cure = straggler_cure(programs, row);
	if (row->times >= SURE_TIMES)
		finding->confidence = CONFIDENCE_HIGH;
	finding_add_thread(finding, row->worst_thread);
	finding_add_thread(finding, row->worst_by);
	if (row->worst_cpu >= 0)
		finding_add_cpu(finding, row->worst_cpu);
	finding_set_text(
		finding,
		"The last thread of %s to come to %s%s%s had no CPU while %.1f others spun for it, "
		"%" PRIu64 " of %" PRIu64
		" times: it was preempted, or not switched in, for %s, and all went on %s later; "
		"mostly %s ran in its place",
		program_name(model, programs, row->group.program),
		trace_string(model->trace, row->group.name), wait_group_link(&row->group),
		trace_string(model->trace, row->group.place), spin_stragglers_spinners(row),
		row->times, row->barriers, figure_ns(row->queued_ns, " ").text,
		figure_ns(row->lost_ns, " ").text, runners[usual_runner(row)]);
}

void spin_stragglers_add_findings(const struct model *model, const struct programs *programs,
				  const struct spin_stragglers *stragglers,
				  struct findings *findings)
{
	for (size_t i = 0; i < stragglers->nr; i++) {
		const struct spin_straggler_row *row = &stragglers->rows[i];

		if (row->times >= STRAGGLER_LEAST_TIMES &&
		    share_of_session(findings, row->lost_ns) >= STRAGGLER_LEAST_LOST)
			find_straggler(model, programs, row, findings);
	}
}
