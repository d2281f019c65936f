// SPDX-License-Identifier: GPL-2.0
#include "analysis/sched/interference_findings.h"

#include <inttypes.h>

#include "util/text/figure.h"

#define MOST_THREADS 8 /* in the evidence of a finding */
#define SURE_TIMES 10

static double share_of_session(const struct findings *findings, uint64_t ns)
{
	uint64_t session_ns = findings->session_to_ns - findings->session_from_ns;

	return session_ns ? (double)ns / (double)session_ns : 0;
}

static const char *program_name(const struct model *model, const struct programs *programs,
				uint32_t program)
{
	const char *name = trace_string(model->trace, programs->names[program]);

	return *name ? name : "(no name)";
}

static struct finding *add_late(struct findings *findings, enum finding_kind kind,
				const struct interference_programs *row)
{
	/* Before the first synchronisation point, from_ns is the begin of the trace, not of the session. */
	uint64_t from_ns = row->worst_from_ns > findings->session_from_ns ?
				   row->worst_from_ns :
				   findings->session_from_ns;
	struct finding *finding = findings_add(findings, kind, row->lost_ns, from_ns,
					       row->worst_to_ns);

	finding_add_thread(finding, row->worst_thread);
	if (row->nr_late >= SURE_TIMES)
		finding->confidence = CONFIDENCE_HIGH;
	return finding;
}

/* The pairs of threads of the two programs, those with most time first. */
static void add_pairs(struct finding *finding, const struct interference *interference,
		      const struct interference_programs *row)
{
	const uint32_t *program = interference->programs.of_thread;

	for (size_t i = 0; i < interference->nr_pairs && finding->nr_threads < MOST_THREADS; i++) {
		const struct interference_pair *pair = &interference->pairs[i];

		if (program[pair->victim] != row->victim || program[pair->by] != row->by)
			continue;
		finding_add_thread(finding, pair->victim);
		finding_add_thread(finding, pair->by);
	}
}

static void add_cpus(struct finding *finding, const struct model *model)
{
	const struct thread *thread = &model->threads[finding->threads[0]];
	const struct state_table *states = &thread->states;

	for (size_t row = 0; row < states->nr && states->start_ns[row] < finding->to_ns; row++) {
		if (states->start_ns[row + 1] > finding->from_ns && states->cpu[row] >= 0 &&
		    finding->nr_cpus < MOST_THREADS)
			finding_add_cpu(finding, states->cpu[row]);
	}
}

static void find_interference(const struct model *model, const struct interference *interference,
			      const struct interference_programs *row, struct findings *findings)
{
	const struct programs *programs = &interference->programs;
	struct finding *finding = add_late(findings, FINDING_INTERFERENCE, row);
	const char *victim = program_name(model, programs, row->victim);
	const char *by = program_name(model, programs, row->by);
	uint64_t kept_ns = row->preempted_ns + row->queued_ns;

	finding->cure = (struct run_change){ .kind = CHANGE_WITHOUT,
					     .name = programs->names[row->by] };
	add_pairs(finding, interference, row);
	add_cpus(finding, model);
	if (row->lengthened_waits_ns)
		finding_set_text(
			finding,
			"%s took the CPU from %s's threads %" PRIu64 " times and kept them "
			"waiting for %s: %s was %s slower, and its threads waited %s longer "
			"for each other",
			by, victim, row->times, figure_ns(kept_ns, " ").text, victim,
			figure_ns(row->lost_ns, " ").text,
			figure_ns(row->lengthened_waits_ns, " ").text);
	else
		finding_set_text(finding,
				 "%s took the CPU from %s's threads %" PRIu64
				 " times and kept them "
				 "waiting for %s: %s was %s slower",
				 by, victim, row->times, figure_ns(kept_ns, " ").text, victim,
				 figure_ns(row->lost_ns, " ").text);
}

static bool is_of_session(const struct model *model, const struct programs *programs,
			  uint32_t program)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		if (programs->of_thread[i] == program && model->threads[i].in_session)
			return true;
	}
	return false;
}

static uint64_t least_times(const struct model *model, const struct programs *programs,
			    uint32_t program)
{
	return is_of_session(model, programs, program) ? INTERFERENCE_LEAST_TIMES :
							 INTERFERENCE_LEAST_TIMES_OF_STRANGERS;
}

static bool is_worth_reporting(const struct model *model, const struct interference *interference,
			       const struct interference_programs *row,
			       const struct findings *findings)
{
	return interference_is_by_others(row) &&
	       share_of_session(findings, row->lost_ns) >= INTERFERENCE_LEAST_SHARE &&
	       row->times >= least_times(model, &interference->programs, row->by);
}

void interference_add_findings(const struct model *model, const struct interference *interference,
			       struct findings *findings)
{
	for (size_t i = 0; i < interference->nr_rows; i++) {
		const struct interference_programs *row = &interference->rows[i];

		if (is_worth_reporting(model, interference, row, findings))
			find_interference(model, interference, row, findings);
	}
}

void wakeup_latency_add_findings(const struct model *model, const struct wakeup_latency *wakeups,
				 const struct interference *interference, struct findings *findings)
{
	for (size_t i = 0; i < interference->nr_rows; i++) {
		const struct interference_programs *row = &interference->rows[i];
		struct finding *finding;

		if (row->by != PROGRAM_NOBODY || wakeups->all.nr < WAKEUP_LEAST_TIMES ||
		    row->nr_late < WAKEUP_LEAST_TIMES ||
		    share_of_session(findings, row->lost_ns) < WAKEUP_LEAST_SHARE)
			continue;
		finding = add_late(findings, FINDING_WAKEUP_LATENCY, row);
		add_cpus(finding, model);
		finding_set_text(
			finding,
			"Woken threads of %s started late, by %s in total, although their CPU had "
			"nothing else to run: %s was %s slower; wakeup latency: median %s, "
			"longest %s",
			program_name(model, &interference->programs, row->victim),
			figure_ns(row->queued_ns, " ").text,
			program_name(model, &interference->programs, row->victim),
			figure_ns(row->lost_ns, " ").text,
			figure_ns(wakeups->all.median_ns, " ").text,
			figure_ns(wakeups->all.max_ns, " ").text);
	}
}

static bool is_reported(const struct model *model, const struct interference *interference,
			const struct late_wakeups_row *late, const struct findings *findings)
{
	for (size_t i = 0; i < interference->nr_rows; i++) {
		const struct interference_programs *row = &interference->rows[i];

		if (row->victim == late->victim && row->by == late->by)
			return is_worth_reporting(model, interference, row, findings);
	}
	return false;
}

static struct latencies latencies_of(const struct wakeup_latency *wakeups, uint32_t thread)
{
	for (size_t i = 0; i < wakeups->nr_threads; i++) {
		if (wakeups->threads[i].thread == thread)
			return wakeups->threads[i].latencies;
	}
	return wakeups->all;
}

static void find_late(const struct model *model, const struct late_wakeups_row *row,
		      const struct wakeup_latency *wakeups, const struct interference *interference,
		      struct findings *findings)
{
	const struct programs *programs = &interference->programs;
	const char *victim = program_name(model, programs, row->victim);
	const char *by = program_name(model, programs, row->by);
	struct latencies latencies = latencies_of(wakeups, row->worst_thread);
	struct finding *finding = findings_add(findings, FINDING_WAKEUP_LATENCY, row->lost_ns,
					       row->worst_from_ns, row->worst_to_ns);

	finding->cure = (struct run_change){ .kind = CHANGE_WITHOUT,
					     .name = programs->names[row->by] };
	finding_add_thread(finding, row->worst_thread);
	for (size_t i = 0; i < interference->nr_pairs && finding->nr_threads < MOST_THREADS; i++) {
		const struct interference_pair *pair = &interference->pairs[i];

		if (pair->victim == row->worst_thread && programs->of_thread[pair->by] == row->by)
			finding_add_thread(finding, pair->by);
	}
	add_cpus(finding, model);
	finding_set_text(finding,
			 "%s held the CPU %" PRIu64
			 " times when threads of %s were woken on the critical path, and kept "
			 "them waiting for %s: %s was %s slower; wakeup latency of %s: median %s, "
			 "longest %s",
			 by, row->times, victim, figure_ns(row->waited_ns, " ").text, victim,
			 figure_ns(row->lost_ns, " ").text,
			 thread_label(model, row->worst_thread).text,
			 figure_ns(latencies.median_ns, " ").text,
			 figure_ns(latencies.max_ns, " ").text);
}

void late_wakeups_add_findings(const struct model *model, const struct late_wakeups *late,
			       const struct wakeup_latency *wakeups,
			       const struct interference *interference, struct findings *findings)
{
	for (size_t i = 0; i < late->nr; i++) {
		const struct late_wakeups_row *row = &late->rows[i];

		if (row->times >= WAKEUP_LEAST_TIMES &&
		    share_of_session(findings, row->lost_ns) >= WAKEUP_LEAST_SHARE &&
		    !is_reported(model, interference, row, findings))
			find_late(model, row, wakeups, interference, findings);
	}
}

void migrations_add_findings(const struct model *model, const struct migrations *migrations,
			     struct findings *findings)
{
	const struct thread_migrations *worst = NULL;
	struct finding *finding;

	for (size_t i = 0; i < migrations->nr_threads; i++) {
		const struct thread_migrations *thread = &migrations->threads[i];

		if (thread->nr >= MIGRATION_LEAST_TIMES &&
		    (!worst || thread->cost_ns > worst->cost_ns))
			worst = thread;
	}
	if (!worst || share_of_session(findings, worst->cost_ns) < MIGRATION_LEAST_SHARE)
		return;
	finding = findings_add(findings, FINDING_MIGRATIONS, worst->cost_ns,
			       findings->session_from_ns, findings->session_to_ns);
	finding->cure = (struct run_change){ .kind = CHANGE_PIN };
	finding_add_thread(finding, worst->thread);
	add_cpus(finding, model);
	finding_set_text(finding,
			 "Threads migrated %" PRIu64 " times, %" PRIu64
			 " times straight back; %s migrated %" PRIu64
			 " times and waited %s for a CPU while the CPU that it had left was idle",
			 migrations->total, migrations->ping_pongs,
			 thread_label(model, worst->thread).text, worst->nr,
			 figure_ns(worst->cost_ns, " ").text);
}
