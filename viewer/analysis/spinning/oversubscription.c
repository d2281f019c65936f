// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/oversubscription.h"

#include <stdlib.h>

#include "model/states/states.h"
#include "util/sort.h"
#include "util/xalloc.h"

/* A thread of a program, and what its states were looked at. */
struct member {
	uint32_t thread;
	size_t sorted; /* states before this one are sorted, or were */
	size_t passed; /* states before this one were passed */
};

/* A program's threads on a CPU. */
struct share {
	size_t running;
	size_t queued;
};

/* What holds of a program at some time. */
struct now {
	uint64_t time_ns;
	size_t ready;
	size_t waiting; /* for another one of the program */
	uint64_t over_since_ns; /* UINT64_MAX: it is not oversubscribed */
};

/* One program after the other, in one stretch of time after the other. */
struct sweep {
	const struct model *model;
	struct share *shares; /* by CPU + 1: the first is that of threads whose CPU is unknown */
	struct now now;
	uint64_t from_ns; /* of the stretch */
	unsigned int member_bits;
	size_t nr;
	size_t capacity;
	/* When a state begins: the time in the stretch, and in member_bits whose it is. */
	uint64_t *turns;
};

/* So many states of all threads are looked at before they are sorted: it stays in the cache. */
#define ROWS_AT_ONCE 16384

/* No stretch lasts for a day: what a damaged trace says beyond that is cut off. */
static void add_turn(struct sweep *sweep, uint64_t time_ns, size_t member)
{
	uint64_t latest_ns = UINT64_MAX >> sweep->member_bits, ns = time_ns - sweep->from_ns;

	ARRAY_MAKE_ROOM(sweep->turns, sweep->nr, sweep->capacity);
	sweep->turns[sweep->nr++] = (ns < latest_ns ? ns : latest_ns) << sweep->member_bits |
				    member;
}

/* States that begin before @until_ns, and the end of the last one. */
static void add_turns(struct sweep *sweep, struct member *members, size_t member, uint64_t until_ns)
{
	struct member *at = &members[member];
	const struct state_table *states = &sweep->model->threads[at->thread].states;

	for (; states->nr && at->sorted <= states->nr && states->start_ns[at->sorted] < until_ns;
	     at->sorted++)
		add_turn(sweep, states->start_ns[at->sorted], member);
}

static bool is_over(const struct oversubscription_row *row, const struct now *now)
{
	return now->ready > (size_t)row->nr_cpus;
}

static void pass_time(struct oversubscription_row *row, const struct now *now, uint64_t until_ns)
{
	uint64_t ns = until_ns - now->time_ns;

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

static void end_over(struct oversubscription_row *row, struct now *now)
{
	uint64_t ns = now->time_ns - now->over_since_ns;

	if (now->over_since_ns != UINT64_MAX && ns > row->longest_ns) {
		row->longest_ns = ns;
		row->longest_from_ns = now->over_since_ns;
		row->longest_to_ns = now->time_ns;
	}
	now->over_since_ns = UINT64_MAX;
}

/* Once all that changes at one time has changed. */
static void settle(struct oversubscription_row *row, struct now *now)
{
	if (now->ready > row->most_ready)
		row->most_ready = now->ready;
	if (!is_over(row, now))
		end_over(row, now);
	else if (now->over_since_ns == UINT64_MAX)
		now->over_since_ns = now->time_ns;
}

static struct share *share_of(struct sweep *sweep, int cpu)
{
	return &sweep->shares[cpu >= -1 && cpu < sweep->model->nr_cpus ? cpu + 1 : 0];
}

static size_t waiting_on(const struct share *share)
{
	return share->running ? share->queued : 0;
}

/* One more of the program's threads is in a state, or one less: @by is 1 or -1. Of those outside
 * of the session, others may wait for them. States follow in no order that a processor foresees:
 * without branches this takes half the time. */
static inline void count_state(struct sweep *sweep, const struct thread *thread, size_t row,
			       size_t by)
{
	enum thread_state state = (enum thread_state)thread->states.state[row];
	size_t runs = state == STATE_RUNNING;
	size_t is_queued = state_is_queued(state) & thread->in_session;
	struct share *share = share_of(sweep, thread->states.cpu[row]);

	sweep->now.waiting -= waiting_on(share);
	sweep->now.ready += by * ((runs & thread->in_session) | is_queued);
	share->running += by * runs;
	share->queued += by * is_queued;
	sweep->now.waiting += waiting_on(share);
}

/* The thread's next state begins, or its last one ends. */
static void pass_turn(struct sweep *sweep, struct oversubscription_row *row, struct member *member)
{
	const struct thread *thread = &sweep->model->threads[member->thread];
	uint64_t time_ns = thread->states.start_ns[member->passed];

	if (time_ns > sweep->now.time_ns) {
		settle(row, &sweep->now);
		pass_time(row, &sweep->now, time_ns);
		sweep->now.time_ns = time_ns;
	}
	if (member->passed)
		count_state(sweep, thread, member->passed - 1, (size_t)-1);
	if (member->passed < thread->states.nr)
		count_state(sweep, thread, member->passed, 1);
	member->passed++;
}

/* All states that begin before @until_ns. */
static void pass_stretch(struct sweep *sweep, struct oversubscription_row *row,
			 struct member *members, size_t nr, uint64_t until_ns)
{
	uint64_t member_mask = ((uint64_t)1 << sweep->member_bits) - 1;

	sweep->nr = 0;
	for (size_t i = 0; i < nr; i++)
		add_turns(sweep, members, i, until_ns);
	sort_u64(sweep->turns, sweep->nr);
	for (size_t i = 0; i < sweep->nr; i++)
		pass_turn(sweep, row, &members[sweep->turns[i] & member_mask]);
	sweep->from_ns = until_ns;
}

/* The threads by program: those of program i are rows[first[i]] to rows[first[i + 1]]. */
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

	for (size_t i = 0; i < model->nr_threads; i++)
		next[programs->of_thread[i] + 1]++;
	for (size_t i = 1; i < programs->nr; i++)
		next[i] += next[i - 1];
	for (uint32_t i = 0; i < model->nr_threads; i++)
		members.rows[next[programs->of_thread[i]]++].thread = i;
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

static void look_at_program(struct sweep *sweep, struct member *members, size_t nr,
			    struct oversubscription_row *row)
{
	size_t nr_stretches = count_stretches(sweep->model, members, nr);
	uint64_t step_ns = sweep->model->duration_ns / nr_stretches;

	sweep->now = (struct now){ .over_since_ns = UINT64_MAX };
	sweep->from_ns = 0;
	sweep->member_bits = 0;
	while (nr >> sweep->member_bits)
		sweep->member_bits++;
	for (size_t stretch = 1; stretch < nr_stretches; stretch++)
		pass_stretch(sweep, row, members, nr, stretch * step_ns);
	pass_stretch(sweep, row, members, nr, UINT64_MAX);
	settle(row, &sweep->now);
}

static size_t count_in_session(const struct model *model, const struct member *members, size_t nr)
{
	size_t nr_in_session = 0;

	for (size_t i = 0; i < nr; i++)
		nr_in_session += model->threads[members[i].thread].in_session;
	return nr_in_session;
}

/* No more threads of a program can be ready than it has. */
static void look_at_programs(const struct model *model, struct oversubscription *result)
{
	struct members members = members_new(model, &result->programs);
	struct sweep sweep = {
		.model = model,
		.shares = xcalloc((size_t)model->nr_cpus + 1, sizeof(*sweep.shares)),
	};

	for (size_t i = 0; i < result->nr; i++) {
		size_t first = members.first[i], nr = members.first[i + 1] - first;

		if (count_in_session(model, &members.rows[first], nr) >
		    (size_t)result->rows[i].nr_cpus)
			look_at_program(&sweep, &members.rows[first], nr, &result->rows[i]);
	}
	free(sweep.turns);
	free(sweep.shares);
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
