// SPDX-License-Identifier: GPL-2.0
#include "analysis/regions/serial_share.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "util/spill/spill.h"
#include "util/text/figure.h"
#include "util/xalloc.h"

/* At @time_ns, so many more threads of the process work, and so many more are in spans of work. */
struct work_change {
	int32_t tgid;
	uint64_t time_ns;
	int working;
	int in_spans;
	int alive; /* threads that lead teams */
};

struct work_changes {
	size_t nr;
	size_t capacity;
	struct work_change *rows;
};

static int32_t process_of(const struct thread *thread)
{
	return thread->tgid ? thread->tgid : thread->tid;
}

static void add_interval(struct work_changes *changes, const struct thread *thread,
			 struct work_change change, uint64_t from_ns, uint64_t to_ns)
{
	if (from_ns >= to_ns)
		return;
	change.tgid = process_of(thread);
	change.time_ns = from_ns;
	SPILL_MAKE_ROOM(changes->rows, changes->nr, changes->capacity);
	changes->rows[changes->nr++] = change;
	change.time_ns = to_ns;
	change.working = -change.working;
	change.in_spans = -change.in_spans;
	change.alive = -change.alive;
	SPILL_MAKE_ROOM(changes->rows, changes->nr, changes->capacity);
	changes->rows[changes->nr++] = change;
}

/* A thread works from the begin of its life in the trace to its end. */
static void add_life(struct work_changes *changes, const struct thread *thread, uint64_t end_ns)
{
	const struct state_table *states = &thread->states;

	if (!states->nr)
		return;
	for (size_t i = 0; i < states->nr; i++) {
		if (states->state[i] == STATE_DEAD) {
			end_ns = states->start_ns[i];
			break;
		}
	}
	add_interval(changes, thread, (struct work_change){ .working = 1, .alive = 1 },
		     states->start_ns[0], end_ns);
}

/* Spans of work that are in no other span; a leader's are part of its life. */
static void add_spans(struct work_changes *changes, const struct thread *thread)
{
	const struct span_table *spans = &thread->spans;
	int working = thread->leads_teams ? 0 : 1;
	uint64_t work_end_ns = 0, wait_end_ns = 0;

	for (size_t i = 0; i < spans->nr; i++) {
		uint64_t start_ns = spans->start_ns[i], end_ns = spans->end_ns[i];

		if (spans->kind[i] == TRACE_SPAN_WORK && start_ns >= work_end_ns) {
			add_interval(changes, thread,
				     (struct work_change){ .working = working, .in_spans = 1 },
				     start_ns, end_ns);
			work_end_ns = end_ns;
		} else if (spans->kind[i] == TRACE_SPAN_WAIT && start_ns >= wait_end_ns) {
			/* A worker that waits outside of its work does not work anyway. */
			working = thread->leads_teams || start_ns < work_end_ns ? 1 : 0;
			add_interval(changes, thread, (struct work_change){ .working = -working },
				     start_ns, end_ns);
			working = thread->leads_teams ? 0 : 1;
			wait_end_ns = end_ns;
		}
	}
}

static int compare_changes(const void *a, const void *b)
{
	const struct work_change *first = a, *second = b;

	if (first->tgid != second->tgid)
		return first->tgid < second->tgid ? -1 : 1;
	return first->time_ns < second->time_ns ? -1 : first->time_ns > second->time_ns;
}

/* What the process did from one change to the next. */
static void add_time(struct serial_share_program *program, const struct work_change *sum,
		     uint64_t from_ns, uint64_t to_ns)
{
	uint64_t length_ns = to_ns - from_ns;

	if (!sum->alive)
		return;
	program->elapsed_ns += length_ns;
	if (sum->working > 1)
		program->parallel_ns += length_ns;
	else if (sum->working < 1)
		program->nobody_ns += length_ns;
	else if (sum->in_spans > 0)
		program->alone_ns += length_ns;
	else
		program->serial_ns += length_ns;
	if (sum->working == 1 && !sum->in_spans &&
	    length_ns > program->longest_to_ns - program->longest_from_ns) {
		program->longest_from_ns = from_ns;
		program->longest_to_ns = to_ns;
	}
}

static const struct work_change *sum_process(const struct work_change *change,
					     const struct work_change *end,
					     struct serial_share_program *program)
{
	struct work_change sum = { .tgid = change->tgid, .time_ns = change->time_ns };

	for (; change < end && change->tgid == sum.tgid; change++) {
		add_time(program, &sum, sum.time_ns, change->time_ns);
		sum.time_ns = change->time_ns;
		sum.working += change->working;
		sum.in_spans += change->in_spans;
		sum.alive += change->alive;
	}
	return change;
}

static void name_program(const struct model *model, int32_t tgid,
			 struct serial_share_program *program)
{
	program->thread = MODEL_NO_THREAD;
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		if (!thread->in_session || process_of(thread) != tgid)
			continue;
		program->nr_threads += thread->leads_teams || thread->joins_teams;
		if (thread->leads_teams && program->thread == MODEL_NO_THREAD)
			program->thread = i;
	}
}

static int compare_programs(const void *a, const void *b)
{
	const struct serial_share_program *first = a, *second = b;

	if (first->serial_ns != second->serial_ns)
		return first->serial_ns > second->serial_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static void sum_programs(const struct model *model, const struct work_changes *changes,
			 struct serial_share *share)
{
	const struct work_change *change = changes->rows, *end = changes->rows + changes->nr;
	size_t capacity = 0;

	while (change < end) {
		struct serial_share_program program = { 0 };

		name_program(model, change->tgid, &program);
		change = sum_process(change, end, &program);
		if (program.thread == MODEL_NO_THREAD)
			continue;
		ARRAY_MAKE_ROOM(share->programs, share->nr, capacity);
		share->programs[share->nr++] = program;
	}
}

struct serial_share serial_share_compute(const struct model *model)
{
	struct serial_share share = { 0 };
	struct work_changes changes = { 0 };

	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		if (!thread->in_session)
			continue;
		if (thread->leads_teams)
			add_life(&changes, thread, model->duration_ns);
		add_spans(&changes, thread);
	}
	if (changes.nr) {
		qsort(changes.rows, changes.nr, sizeof(*changes.rows), compare_changes);
		sum_programs(model, &changes, &share);
	}
	spill_free(changes.rows);
	if (share.nr)
		qsort(share.programs, share.nr, sizeof(*share.programs), compare_programs);
	return share;
}

void serial_share_free(struct serial_share *share)
{
	free(share->programs);
}

double serial_share_of(const struct serial_share_program *program)
{
	return program->elapsed_ns ? (double)program->serial_ns / (double)program->elapsed_ns : 0;
}

double serial_share_bound(const struct serial_share_program *program)
{
	return program->serial_ns ? (double)program->elapsed_ns / (double)program->serial_ns :
				    INFINITY;
}

static void add_finding(const struct model *model, const struct serial_share_program *program,
			struct findings *findings)
{
	double others = (double)(program->nr_threads - 1) / (double)program->nr_threads;
	uint64_t lost_ns = (uint64_t)((double)program->serial_ns * others);
	struct finding *finding;

	if (!findings_note_loss(findings, FINDING_SERIAL_SHARE, lost_ns))
		return;
	finding = findings_add_at_most(findings, FINDING_SERIAL_SHARE, lost_ns,
				       program->longest_from_ns, program->longest_to_ns);
	finding->confidence = CONFIDENCE_MEDIUM;
	finding_add_thread(finding, program->thread);
	finding_set_text(
		finding,
		"%s works alone between parallel regions for %s, %.0f %% of its %s: with any number of "
		"threads, it will be at most %.1f times as fast; if %" PRIu64
		" threads could share that work, it would take up to %s less",
		thread_label(model, program->thread).text, figure_ns(program->serial_ns, " ").text,
		100 * serial_share_of(program), figure_ns(program->elapsed_ns, " ").text,
		serial_share_bound(program), program->nr_threads, figure_ns(lost_ns, " ").text);
}

void serial_share_add_findings(const struct model *model, const struct serial_share *share,
			       struct findings *findings)
{
	for (size_t i = 0; i < share->nr; i++) {
		const struct serial_share_program *program = &share->programs[i];

		if (program->nr_threads > 1 &&
		    (double)program->serial_ns >= SERIAL_SHARE_LEAST * (double)program->elapsed_ns)
			add_finding(model, program, findings);
	}
}
