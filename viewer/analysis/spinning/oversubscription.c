// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/oversubscription.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/base/cpu_waits.h"
#include "util/sort.h"
#include "util/xalloc.h"

/* What changes of a program. */
enum change {
	ONE_IS_READY, /* one more of its threads */
	ONE_IS_NOT_READY,
	ONE_WAITS, /* one more of its threads waits for another one */
	ONE_WAITS_NO_MORE,
	NR_CHANGES,
};

/* Of one program after the other: its threads, and what changes in one stretch of time after the other. */
struct builder {
	const struct model *model;
	const uint32_t *programs; /* by thread */
	size_t *near; /* of cpu_waits_of_row() */
	/* Waits that follow each other, which no change tells yet. */
	bool has_waits;
	uint64_t waits_from_ns;
	uint64_t waits_to_ns;
	size_t nr;
	size_t capacity;
	uint64_t *changes; /* the time, times NR_CHANGES, + what: so few bytes are sorted sooner */
};

/* A thread, as far as its states were looked at. */
struct member {
	uint32_t thread;
	bool is_ready;
	size_t row;
};

/* So many states of all threads are looked at before what changes is sorted: it stays in the cache. */
#define ROWS_AT_ONCE 16384

/* What holds of a program at some time. */
struct now {
	uint64_t since_ns;
	size_t ready;
	size_t waiting;
	uint64_t over_since_ns; /* UINT64_MAX: it is not oversubscribed */
};

/* No trace lasts for a century: what a damaged one says beyond that is cut off. */
static void add_change(struct builder *builder, uint64_t time_ns, enum change change)
{
	const uint64_t latest_ns = UINT64_MAX / NR_CHANGES;

	if (time_ns > latest_ns)
		time_ns = latest_ns;
	ARRAY_MAKE_ROOM(builder->changes, builder->nr, builder->capacity);
	builder->changes[builder->nr++] = time_ns * NR_CHANGES + change;
}

static bool is_ready(const struct state_table *states, size_t row)
{
	enum thread_state state = (enum thread_state)states->state[row];

	return state == STATE_RUNNING || state_is_queued(state);
}

static void end_waits(struct builder *builder)
{
	if (!builder->has_waits)
		return;
	add_change(builder, builder->waits_from_ns, ONE_WAITS);
	add_change(builder, builder->waits_to_ns, ONE_WAITS_NO_MORE);
	builder->has_waits = false;
}

static void take_runner(void *context, const struct cpu_wait *wait, uint32_t by, uint64_t from_ns,
			uint64_t to_ns)
{
	struct builder *builder = context;

	if (by == MODEL_NO_THREAD || from_ns >= to_ns ||
	    builder->programs[by] != builder->programs[wait->thread])
		return;
	if (builder->has_waits && builder->waits_to_ns != from_ns)
		end_waits(builder);
	if (!builder->has_waits)
		builder->waits_from_ns = from_ns;
	builder->has_waits = true;
	builder->waits_to_ns = to_ns;
}

static void take_wait(void *context, const struct cpu_wait *wait)
{
	struct builder *builder = context;

	cpu_wait_runners(builder->model, wait, take_runner, builder);
}

static void take_ready(struct builder *builder, struct member *member, uint64_t time_ns,
		       bool is_ready)
{
	if (is_ready != member->is_ready)
		add_change(builder, time_ns, is_ready ? ONE_IS_READY : ONE_IS_NOT_READY);
	member->is_ready = is_ready;
}

/* Its states that begin before @until_ns. What they change may come later. */
static void add_rows(struct builder *builder, struct member *member, uint64_t until_ns)
{
	const struct state_table *states = &builder->model->threads[member->thread].states;

	for (; member->row < states->nr && states->start_ns[member->row] < until_ns;
	     member->row++) {
		take_ready(builder, member, states->start_ns[member->row],
			   is_ready(states, member->row));
		cpu_waits_of_row(builder->model, member->thread, member->row, builder->near,
				 take_wait, builder);
	}
	if (member->row == states->nr && states->nr)
		take_ready(builder, member, states->start_ns[states->nr], false);
	end_waits(builder);
}

static bool is_over(const struct oversubscription_row *row, const struct now *now)
{
	return now->ready > (size_t)row->nr_cpus;
}

static void pass_time(struct oversubscription_row *row, const struct now *now, uint64_t until_ns)
{
	uint64_t ns = until_ns - now->since_ns;

	if (!now->ready)
		return;
	row->active_ns += ns;
	row->ready_ns += (double)ns * (double)now->ready;
	if (!is_over(row, now))
		return;
	row->over_ns += ns;
	row->waited_ns += ns * now->waiting;
	row->contended_ns += now->waiting ? ns : 0;
}

static void end_stretch(struct oversubscription_row *row, struct now *now)
{
	uint64_t ns = now->since_ns - now->over_since_ns;

	if (now->over_since_ns != UINT64_MAX && ns > row->longest_ns) {
		row->longest_ns = ns;
		row->longest_from_ns = now->over_since_ns;
		row->longest_to_ns = now->since_ns;
	}
	now->over_since_ns = UINT64_MAX;
}

/* Once all that changes at one time has changed. */
static void settle(struct oversubscription_row *row, struct now *now)
{
	if (now->ready > row->most_ready)
		row->most_ready = now->ready;
	if (!is_over(row, now))
		end_stretch(row, now);
	else if (now->over_since_ns == UINT64_MAX)
		now->over_since_ns = now->since_ns;
}

static void pass_change(struct oversubscription_row *row, struct now *now, uint64_t time_ns,
			enum change change)
{
	if (time_ns != now->since_ns)
		settle(row, now);
	pass_time(row, now, time_ns);
	now->since_ns = time_ns;
	now->ready += change == ONE_IS_READY;
	now->ready -= change == ONE_IS_NOT_READY;
	now->waiting += change == ONE_WAITS;
	now->waiting -= change == ONE_WAITS_NO_MORE;
}

/* Of what changes before @until_ns; the rest stays. */
static void pass_changes(struct builder *builder, struct oversubscription_row *row, struct now *now,
			 uint64_t until_ns)
{
	size_t nr = 0;

	sort_u64(builder->changes, builder->nr);
	for (; nr < builder->nr && builder->changes[nr] / NR_CHANGES < until_ns; nr++)
		pass_change(row, now, builder->changes[nr] / NR_CHANGES,
			    (enum change)(builder->changes[nr] % NR_CHANGES));
	builder->nr -= nr;
	if (nr)
		memmove(builder->changes, builder->changes + nr,
			builder->nr * sizeof(*builder->changes));
}

/* The session's threads by program: those of program i are rows[first[i]] to rows[first[i + 1]]. */
struct members {
	size_t *first;
	struct member *rows;
};

static struct members members_new(const struct model *model, const struct programs *programs)
{
	struct members members = {
		.first = xcalloc(programs->nr + 2, sizeof(*members.first)),
		.rows = xcalloc(model->nr_threads + 1, sizeof(*members.rows)),
	};
	/* One further on while they are put in, so that a begin moves to where the next one is. */
	size_t *next = members.first + 1;

	for (size_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			next[programs->of_thread[i] + 1]++;
	}
	for (size_t i = 1; i < programs->nr; i++)
		next[i] += next[i - 1];
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].in_session)
			members.rows[next[programs->of_thread[i]]++].thread = i;
	}
	return members;
}

/* In how many stretches of time they have ROWS_AT_ONCE states, or one each, in the mean. */
static size_t count_stretches(const struct model *model, const struct member *members, size_t nr)
{
	size_t nr_rows = 0;

	for (size_t i = 0; i < nr; i++)
		nr_rows += model->threads[members[i].thread].states.nr;
	return nr_rows / (nr > ROWS_AT_ONCE ? nr : ROWS_AT_ONCE) + 1;
}

static void look_at_program(struct builder *builder, struct member *members, size_t nr,
			    struct oversubscription_row *row)
{
	size_t nr_stretches = count_stretches(builder->model, members, nr);
	uint64_t step_ns = builder->model->duration_ns / nr_stretches;
	struct now now = { .over_since_ns = UINT64_MAX };

	for (size_t stretch = 1; stretch <= nr_stretches; stretch++) {
		uint64_t until_ns = stretch < nr_stretches ? stretch * step_ns : UINT64_MAX;

		for (size_t i = 0; i < nr; i++)
			add_rows(builder, &members[i], until_ns);
		pass_changes(builder, row, &now, until_ns);
	}
	settle(row, &now);
}

/* No more threads of a program can be ready than it has. */
static void look_at_programs(const struct model *model, struct oversubscription *result)
{
	struct members members = members_new(model, &result->programs);
	struct builder builder = {
		.model = model,
		.programs = result->programs.of_thread,
		.near = xcalloc((size_t)model->nr_cpus, sizeof(*builder.near)),
	};

	for (size_t i = 0; i < result->nr; i++) {
		size_t first = members.first[i], nr = members.first[i + 1] - first;

		if (nr > (size_t)result->rows[i].nr_cpus)
			look_at_program(&builder, &members.rows[first], nr, &result->rows[i]);
	}
	free(builder.changes);
	free(builder.near);
	free(members.first);
	free(members.rows);
}

static bool is_busy(const struct findings *session, uint64_t busy_ns)
{
	double session_ns = (double)(session->session_to_ns - session->session_from_ns);

	return busy_ns && (double)busy_ns >= OVERSUBSCRIPTION_BUSY_SHARE * session_ns;
}

/* A program that ran on it for @ran_ns has the CPU, or not. */
static bool has_cpu(const struct oversubscription_row *row, uint64_t ran_ns)
{
	return ran_ns && (double)ran_ns >= OVERSUBSCRIPTION_CPU_SHARE * (double)row->cpu_ns;
}

static uint64_t within_session_ns(const struct findings *session, const struct slice_table *slices,
				  size_t slice)
{
	uint64_t from_ns = slices->start_ns[slice], to_ns = slices->end_ns[slice];

	from_ns = from_ns > session->session_from_ns ? from_ns : session->session_from_ns;
	to_ns = to_ns < session->session_to_ns ? to_ns : session->session_to_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

/* @ran_ns: by program, all 0 before and after. */
static void count_cpu(struct oversubscription *result, const struct model *model,
		      const struct findings *session, int cpu, uint64_t *ran_ns)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;
	uint64_t busy_ns = 0;

	for (size_t i = 0; i < slices->nr; i++) {
		uint32_t thread = slices->thread[i];

		busy_ns += within_session_ns(session, slices, i);
		if (model->threads[thread].in_session)
			ran_ns[result->programs.of_thread[thread]] += slices->end_ns[i] -
								      slices->start_ns[i];
	}
	for (size_t i = 0; i < result->nr; i++) {
		struct oversubscription_row *row = &result->rows[i];

		row->nr_cpus += has_cpu(row, ran_ns[i]) || is_busy(session, busy_ns);
		ran_ns[i] = 0;
	}
}

static void count_cpus(struct oversubscription *result, const struct model *model)
{
	uint64_t *ran_ns = xcalloc(result->nr, sizeof(*ran_ns));
	struct findings session = findings_new(model);

	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		count_cpu(result, model, &session, cpu, ran_ns);
	findings_free(&session);
	free(ran_ns);
}

static void make_rows(struct oversubscription *result, const struct model *model)
{
	result->nr = result->programs.nr;
	result->rows = xcalloc(result->nr, sizeof(*result->rows));
	for (uint32_t i = 0; i < result->nr; i++)
		result->rows[i].program = i;
	for (size_t i = 0; i < model->nr_threads; i++) {
		uint64_t ns = model->threads[i].totals.state_ns[STATE_RUNNING];
		struct oversubscription_row *row = &result->rows[result->programs.of_thread[i]];

		if (!model->threads[i].in_session)
			continue;
		row->cpu_ns += ns;
		row->nr_threads += ns > 0;
	}
	count_cpus(result, model);
}

static int compare_rows(const void *a, const void *b)
{
	const struct oversubscription_row *first = a, *second = b;

	if (first->waited_ns != second->waited_ns)
		return first->waited_ns > second->waited_ns ? -1 : 1;
	return first->program < second->program ? -1 : first->program > second->program;
}

struct oversubscription oversubscription_compute(const struct model *model)
{
	struct oversubscription result = { .programs = programs_compute(model) };

	make_rows(&result, model);
	look_at_programs(model, &result);
	if (result.nr)
		qsort(result.rows, result.nr, sizeof(*result.rows), compare_rows);
	while (result.nr && !result.rows[result.nr - 1].waited_ns)
		result.nr--;
	return result;
}

void oversubscription_free(struct oversubscription *over)
{
	programs_free(&over->programs);
	free(over->rows);
}
