// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/findings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "model/account.h"
#include "model/states/gaps.h"
#include "util/xalloc.h"

static const char *const kind_names[NR_FINDING_KINDS] = {
#define FINDING_KIND_NAME(kind, name) [FINDING_##kind] = name,
	FINDING_KIND_EACH(FINDING_KIND_NAME)
#undef FINDING_KIND_NAME
};

static const char *const caveat_texts[NR_CAVEATS] = {
	"Threads ran on two hardware threads of one core and shared its caches and units",
	"Samples are not precise: an earlier instruction may have missed",
	"A counter did not run all the time: figures of short intervals are unreliable",
	"Events were lost: figures are lower bounds",
	"Code that masks interrupts could not be sampled",
	"Few instances: the difference may be chance",
	"Register values stand in for addresses: they lack an index that the instruction adds",
	"Switches are missing from the trace: figures are lower bounds",
	"The trace has a gap here: what these threads or CPUs did is partly unknown",
	"No sample is of a store: loads found the line modified in another CPU's cache, which AMD's CPUs may say of clean lines, too",
	"What a miss costs is assumed: too few samples of such loads tell their latency",
	"Its cost, or the clock's rate, is assumed; a core may do other things meanwhile",
};

const char *finding_kind_name(enum finding_kind kind)
{
	return kind_names[kind];
}

const char *finding_confidence_name(enum finding_confidence confidence)
{
	static const char *const names[] = { "low", "medium", "high" };

	return names[confidence];
}

const char *finding_caveat_text(unsigned int bit)
{
	return caveat_texts[bit];
}

/* Extends the session by the time in which @thread was alive: from its first state to its last. */
static void widen_session(struct findings *findings, const struct model *model,
			  const struct thread *thread)
{
	const struct state_table *states = &thread->states;
	uint64_t end_ns = model->duration_ns;

	if (!thread->in_session || !states->nr)
		return;
	findings->session_cpu_ns += thread->totals.state_ns[STATE_RUNNING];
	if (states->state[states->nr - 1] == STATE_DEAD)
		end_ns = states->start_ns[states->nr - 1];
	if (states->start_ns[0] < findings->session_from_ns)
		findings->session_from_ns = states->start_ns[0];
	if (end_ns > findings->session_to_ns)
		findings->session_to_ns = end_ns;
}

struct findings findings_new(const struct model *model)
{
	struct findings findings = { .session_from_ns = UINT64_MAX };

	for (size_t i = 0; i < model->nr_threads; i++)
		widen_session(&findings, model, &model->threads[i]);
	if (findings.session_from_ns > findings.session_to_ns)
		findings.session_from_ns = findings.session_to_ns;
	return findings;
}

static void free_finding(struct finding *finding)
{
	free(finding->text);
	free(finding->threads);
	free(finding->cpus);
}

void findings_free(struct findings *findings)
{
	for (size_t i = 0; i < findings->nr; i++)
		free_finding(&findings->rows[i]);
	free(findings->rows);
	*findings = (struct findings){ 0 };
}

struct finding *findings_add(struct findings *findings, enum finding_kind kind,
			     uint64_t time_lost_ns, uint64_t from_ns, uint64_t to_ns)
{
	struct finding *finding;

	findings->rows = xrealloc_array(findings->rows, findings->nr + 1, sizeof(*findings->rows));
	finding = &findings->rows[findings->nr++];
	*finding = (struct finding){
		.kind = kind,
		.confidence = CONFIDENCE_MEDIUM,
		.time_lost_ns = time_lost_ns,
		.time_lost_at_most_ns = time_lost_ns,
		.from_ns = from_ns,
		.to_ns = to_ns,
	};
	return finding;
}

struct finding *findings_add_at_most(struct findings *findings, enum finding_kind kind,
				     uint64_t at_most_ns, uint64_t from_ns, uint64_t to_ns)
{
	struct finding *finding = findings_add(findings, kind, 0, from_ns, to_ns);

	finding->time_lost_at_most_ns = at_most_ns;
	return finding;
}

void finding_add_thread(struct finding *finding, uint32_t thread)
{
	for (size_t i = 0; i < finding->nr_threads; i++) {
		if (finding->threads[i] == thread)
			return;
	}
	finding->threads = xrealloc_array(finding->threads, finding->nr_threads + 1,
					  sizeof(*finding->threads));
	finding->threads[finding->nr_threads++] = thread;
}

void finding_add_cpu(struct finding *finding, int cpu)
{
	for (size_t i = 0; i < finding->nr_cpus; i++) {
		if (finding->cpus[i] == cpu)
			return;
	}
	finding->cpus = xrealloc_array(finding->cpus, finding->nr_cpus + 1, sizeof(*finding->cpus));
	finding->cpus[finding->nr_cpus++] = (int16_t)cpu;
}

void finding_set_text(struct finding *finding, const char *format, ...)
{
	va_list arguments;

	free(finding->text);
	va_start(arguments, format);
	finding->text = xvasprintf(format, arguments);
	va_end(arguments);
}

/* What may be gained at most, as far as it is known. */
static uint64_t rank_of(const struct finding *finding)
{
	if (!finding->has_gain)
		return finding->time_lost_at_most_ns;
	return finding->gain_ns > 0 ? (uint64_t)finding->gain_ns : 0;
}

static int compare_findings(const void *a, const void *b)
{
	const struct finding *first = a, *second = b;

	if (rank_of(first) != rank_of(second))
		return rank_of(first) > rank_of(second) ? -1 : 1;
	if (first->time_lost_at_most_ns != second->time_lost_at_most_ns)
		return first->time_lost_at_most_ns > second->time_lost_at_most_ns ? -1 : 1;
	if (first->cpu_time_lost_ns != second->cpu_time_lost_ns)
		return first->cpu_time_lost_ns > second->cpu_time_lost_ns ? -1 : 1;
	if (first->kind != second->kind)
		return first->kind < second->kind ? -1 : 1;
	return first->from_ns < second->from_ns ? -1 : first->from_ns > second->from_ns;
}

static unsigned int caveats_of_trace(const struct model *model)
{
	unsigned int caveats = 0;

	if (model_has_gaps(model, GAP_LOST))
		caveats |= CAVEAT_LOST_EVENTS;
	if (model_has_gaps(model, GAP_MISSING))
		caveats |= CAVEAT_MISSING_SWITCHES;
	return caveats;
}

static bool has_gap(const struct gap_table *gaps, const struct finding *finding)
{
	for (size_t i = 0; i < gaps->nr; i++) {
		if (gaps->start_ns[i] < finding->to_ns && gaps->end_ns[i] > finding->from_ns)
			return true;
	}
	return false;
}

/* Whether a state of @thread is unknown within the finding's time. Before the thread's first state, it does not count. */
static bool is_unknown_within(const struct model *model, uint32_t thread,
			      const struct finding *finding)
{
	const struct state_table *states = &model->threads[thread].states;
	uint64_t from_ns = finding->from_ns, to_ns = finding->to_ns;
	struct thread_account account;

	if (states->nr && states->start_ns[0] > from_ns)
		from_ns = states->start_ns[0];
	if (to_ns > model->duration_ns)
		to_ns = model->duration_ns;
	if (from_ns >= to_ns)
		return false;
	model_account(model, thread, from_ns, to_ns, &account);
	return account.state_ns[STATE_UNKNOWN] > 0;
}

static bool is_unknown_here(const struct model *model, const struct finding *finding)
{
	for (size_t i = 0; i < finding->nr_cpus; i++) {
		int cpu = finding->cpus[i];

		if (cpu >= 0 && cpu < model->nr_cpus && has_gap(&model->cpus[cpu].gaps, finding))
			return true;
	}
	for (size_t i = 0; i < finding->nr_threads; i++) {
		if (is_unknown_within(model, finding->threads[i], finding))
			return true;
	}
	return false;
}

static void add_caveats(struct finding *finding, const struct model *model, unsigned int of_trace)
{
	finding->caveats |= of_trace;
	if (!of_trace || !is_unknown_here(model, finding))
		return;
	finding->caveats |= CAVEAT_UNKNOWN_HERE;
	finding->confidence = CONFIDENCE_LOW;
}

bool findings_note_loss(struct findings *findings, enum finding_kind kind, uint64_t time_lost_ns)
{
	double session_ns = (double)(findings->session_to_ns - findings->session_from_ns);

	if (time_lost_ns > findings->noted_ns[kind])
		findings->noted_ns[kind] = time_lost_ns;
	return time_lost_ns && (double)time_lost_ns >= FINDING_LEAST_SHARE * session_ns;
}

static bool keeps_cpu_time(const struct findings *findings, uint64_t ns)
{
	return ns && (double)ns >= FINDING_LEAST_SHARE * (double)findings->session_cpu_ns;
}

void findings_sort(struct findings *findings)
{
	if (findings->nr)
		qsort(findings->rows, findings->nr, sizeof(*findings->rows), compare_findings);
}

const struct finding *findings_worst(const struct findings *findings, enum finding_kind kind)
{
	for (size_t i = 0; i < findings->nr; i++) {
		if (findings->rows[i].kind == kind)
			return &findings->rows[i];
	}
	return NULL;
}

uint64_t findings_most_lost_ns(const struct findings *findings, enum finding_kind kind)
{
	const struct finding *worst = findings_worst(findings, kind);

	return worst && worst->time_lost_at_most_ns ? worst->time_lost_at_most_ns :
						      findings->noted_ns[kind];
}

void findings_rank(struct findings *findings, const struct model *model)
{
	unsigned int caveats = caveats_of_trace(model);
	size_t kept = 0;

	for (size_t i = 0; i < findings->nr; i++) {
		struct finding finding = findings->rows[i];

		if (!findings_note_loss(findings, finding.kind, finding.time_lost_at_most_ns) &&
		    !keeps_cpu_time(findings, finding.cpu_time_lost_ns)) {
			free_finding(&finding);
			continue;
		}
		add_caveats(&finding, model, caveats);
		findings->rows[kept++] = finding;
	}
	findings->nr = kept;
	findings_sort(findings);
}

static bool is_namesake(const struct model *model, uint32_t thread, uint32_t other)
{
	const struct thread *threads = model->threads;

	return other != thread && threads[other].comm == threads[thread].comm &&
	       threads[other].in_session == threads[thread].in_session;
}

struct thread_label thread_label(const struct model *model, uint32_t thread)
{
	const struct thread *row = &model->threads[thread];
	const char *comm = trace_string(model->trace, row->comm);
	struct thread_label label;

	snprintf(label.text, sizeof(label.text), "%s", *comm ? comm : "(no name)");
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (is_namesake(model, thread, i)) {
			snprintf(label.text, sizeof(label.text), "%.30s (%" PRId32 ")",
				 *comm ? comm : "(no name)", row->tid);
			break;
		}
	}
	return label;
}
