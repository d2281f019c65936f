// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/oversubscription_findings.h"

#include "analysis/base/row_search.h"
#include "model/account.h"
#include "util/text/figure.h"
#include "util/text/text.h"

#define MOST_THREADS 8 /* in the evidence */

/* What the threads of a program were in queues for, on the path. */
static uint64_t queued_on_path_ns(const struct oversubscription *over,
				  const struct critical_path *path, uint32_t program)
{
	uint64_t sum_ns = 0;

	for (size_t i = 0; i < path->nr_lines; i++) {
		const struct critical_path_line *line = &path->lines[i];

		if ((line->kind == PATH_PREEMPTED || line->kind == PATH_RUNNABLE) &&
		    over->programs.of_thread[line->thread] == program)
			sum_ns += line->ns;
	}
	return sum_ns;
}

static void set_cost(struct finding *finding, const struct oversubscription *over,
		     const struct oversubscription_row *row, const struct critical_path *path,
		     const struct spinning *spinning)
{
	uint64_t most_ns = queued_on_path_ns(over, path, row->program), known_ns = 0;

	for (size_t i = 0; i < spinning->nr; i++) {
		const struct spin_row *spin = &spinning->rows[i];

		if (spin->group.program != row->program)
			continue;
		most_ns += spin->spun_ns;
		/* Those of several waits may be about the same time. */
		if (spin->lost_ns > known_ns)
			known_ns = spin->lost_ns;
	}
	most_ns = most_ns < row->contended_ns ? most_ns : row->contended_ns;
	finding->time_lost_at_most_ns = most_ns;
	finding->time_lost_ns = known_ns < most_ns ? known_ns : most_ns;
}

/* Where it ran in that time, until all CPUs are named. */
static void add_cpus(struct finding *finding, const struct model *model, uint32_t thread)
{
	const struct state_table *states = &model->threads[thread].states;
	size_t most = model->nr_cpus < MOST_THREADS ? (size_t)model->nr_cpus : MOST_THREADS;

	for (size_t row = row_search_state(states, finding->from_ns);
	     row < states->nr && states->start_ns[row] < finding->to_ns && finding->nr_cpus < most;
	     row++) {
		if (states->state[row] == STATE_RUNNING && states->cpu[row] >= 0)
			finding_add_cpu(finding, states->cpu[row]);
	}
}

/* The threads that waited longest in its time, and where they ran. */
static void add_evidence(struct finding *finding, const struct model *model,
			 const struct oversubscription *over, uint32_t program)
{
	struct top_k longest = { 0 };

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		struct thread_account account;

		if (!model->threads[i].in_session || over->programs.of_thread[i] != program)
			continue;
		model_account(model, i, finding->from_ns, finding->to_ns, &account);
		if (account.state_ns[STATE_PREEMPTED] + account.state_ns[STATE_RUNNABLE])
			top_k_add(&longest,
				  account.state_ns[STATE_PREEMPTED] +
					  account.state_ns[STATE_RUNNABLE],
				  i);
	}
	top_k_rank(&longest);
	for (size_t i = 0; i < longest.nr && i < MOST_THREADS; i++) {
		finding_add_thread(finding, (uint32_t)longest.rows[i].row);
		add_cpus(finding, model, (uint32_t)longest.rows[i].row);
	}
}

/* As many CPUs as it has use for, where the machine has more than the program. */
static struct run_change cure_of(const struct model *model, const struct oversubscription_row *row)
{
	int wanted = row->most_ready < (size_t)model->nr_cpus ? (int)row->most_ready :
								model->nr_cpus;

	if (wanted <= row->nr_cpus)
		return (struct run_change){ .kind = CHANGE_NONE };
	return (struct run_change){ .kind = CHANGE_CPUS, .nr_cpus = wanted };
}

static void find_oversubscription(const struct model *model, const struct oversubscription *over,
				  const struct oversubscription_row *row,
				  const struct critical_path *path, const struct spinning *spinning,
				  struct findings *findings)
{
	struct finding *finding = findings_add(findings, FINDING_OVERSUBSCRIPTION, 0,
					       row->longest_from_ns, row->longest_to_ns);
	const char *name = trace_string(model->trace, over->programs.names[row->program]);

	finding->cure = cure_of(model, row);
	set_cost(finding, over, row, path, spinning);
	add_evidence(finding, model, over, row->program);
	finding_set_text(
		finding,
		"%s has more threads ready to run than CPUs: %.1f on average, %zu at most, for %d "
		"CPU%s; for %s of the time they took turns, and waited %s in all for each other's "
		"CPUs; the end is later for it only where a thread is waited for that has no CPU: by "
		"%s at most",
		*name ? name : "(no name)", row->ready_ns / (double)row->active_ns, row->most_ready,
		row->nr_cpus, text_plural((uint64_t)row->nr_cpus),
		figure_ns(row->over_ns, " ").text, figure_ns(row->waited_ns, " ").text,
		figure_ns(finding->time_lost_at_most_ns, " ").text);
}

void oversubscription_add_findings(const struct model *model, const struct oversubscription *over,
				   const struct critical_path *path,
				   const struct spinning *spinning, struct findings *findings)
{
	double session_ns = (double)(findings->session_to_ns - findings->session_from_ns);

	for (size_t i = 0; i < over->nr; i++) {
		const struct oversubscription_row *row = &over->rows[i];

		if ((double)row->over_ns >= OVERSUBSCRIPTION_LEAST_SHARE * session_ns &&
		    (double)row->waited_ns >= OVERSUBSCRIPTION_LEAST_WAITED * session_ns)
			find_oversubscription(model, over, row, path, spinning, findings);
	}
}
