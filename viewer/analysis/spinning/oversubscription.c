// SPDX-License-Identifier: GPL-2.0
#include "analysis/spinning/oversubscription.h"

#include <stdlib.h>

#include "model/states/states.h"
#include "util/sort.h"
#include "util/xalloc.h"

/* How a thread's state counts. Of those outside of the session, others may wait for them. */
enum kind {
	KIND_NEITHER,
	KIND_RUNS_OUTSIDE, /* on a CPU, of a thread outside of the session */
	KIND_RUNS,
	KIND_QUEUED,
	KIND_BITS = 2,
};

/* A thread of a program, and what its states were looked at. */
struct member {
	uint32_t thread;
	size_t sorted; /* states before this one are sorted, or were */
	uint64_t place; /* of the state before that one */
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
	unsigned int place_bits; /* a place: the share's number, and in KIND_BITS the kind */
	size_t nr;
	size_t capacity;
	/* When a state begins: the time in the stretch, the place that the thread leaves, and the
	 * one that it takes. All that is counted is in them, so that nothing is looked up. */
	uint64_t *turns;
};

/* So many states of all threads are looked at before they are sorted: it stays in the cache. */
#define ROWS_AT_ONCE 4096
/* Of all threads, for short times: enough for weeks of 1000 threads on 1000 CPUs. */
#define MOST_LOOKS (1u << 24)

/* No time in a stretch is longer: what a damaged trace says beyond that is cut off. */
static uint64_t longest_turn_ns(const struct sweep *sweep)
{
	return UINT64_MAX >> 2 * sweep->place_bits;
}

static void add_turn(struct sweep *sweep, uint64_t time_ns, uint64_t left, uint64_t taken)
{
	uint64_t latest_ns = longest_turn_ns(sweep), ns = time_ns - sweep->from_ns;

	ARRAY_MAKE_ROOM(sweep->turns, sweep->nr, sweep->capacity);
	ns = ns < latest_ns ? ns : latest_ns;
	sweep->turns[sweep->nr++] = (ns << sweep->place_bits | left) << sweep->place_bits | taken;
}

static uint64_t share_number(const struct model *model, int cpu)
{
	return cpu >= -1 && cpu < model->nr_cpus ? (uint64_t)(cpu + 1) : 0;
}

static uint64_t place_of(const struct model *model, const struct thread *thread, size_t row)
{
	static const enum kind kinds[2][NR_THREAD_STATES] = {
		[false][STATE_RUNNING] = KIND_RUNS_OUTSIDE,
		[true][STATE_RUNNING] = KIND_RUNS,
		[true][STATE_PREEMPTED] = KIND_QUEUED,
		[true][STATE_RUNNABLE] = KIND_QUEUED,
	};
	const struct state_table *states = &thread->states;

	return share_number(model, states->cpu[row]) << KIND_BITS |
	       kinds[thread->in_session][states->state[row]];
}

/* States that begin before @until_ns, and the end of the last one. */
static void add_turns(struct sweep *sweep, struct member *member, uint64_t until_ns)
{
	const struct thread *thread = &sweep->model->threads[member->thread];
	const struct state_table *states = &thread->states;
	size_t row = member->sorted;
	uint64_t place = member->place;

	for (; states->nr && row <= states->nr && states->start_ns[row] < until_ns; row++) {
		uint64_t taken = row < states->nr ? place_of(sweep->model, thread, row) : 0;

		add_turn(sweep, states->start_ns[row], place, taken);
		place = taken;
	}
	member->sorted = row;
	member->place = place;
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

static size_t waiting_on(const struct share *share)
{
	return share->running ? share->queued : 0;
}

/* One more of the program's threads is at a place, or one less: @by is 1 or -1. States follow in no
 * order that a processor foresees: without branches this takes half the time. */
static inline void count_place(struct sweep *sweep, uint64_t place, size_t by)
{
	enum kind kind = (enum kind)(place & ((1u << KIND_BITS) - 1));
	struct share *share = &sweep->shares[place >> KIND_BITS];

	sweep->now.waiting -= waiting_on(share);
	sweep->now.ready += by * (kind >= KIND_RUNS);
	share->running += by * ((kind == KIND_RUNS) | (kind == KIND_RUNS_OUTSIDE));
	share->queued += by * (kind == KIND_QUEUED);
	sweep->now.waiting += waiting_on(share);
}

/* A thread's next state begins, or its last one ends. */
static void pass_turn(struct sweep *sweep, struct oversubscription_row *row, uint64_t turn)
{
	uint64_t place_mask = ((uint64_t)1 << sweep->place_bits) - 1;
	uint64_t time_ns = sweep->from_ns + (turn >> 2 * sweep->place_bits);

	if (time_ns > sweep->now.time_ns) {
		settle(row, &sweep->now);
		pass_time(row, &sweep->now, time_ns);
		sweep->now.time_ns = time_ns;
	}
	count_place(sweep, turn >> sweep->place_bits & place_mask, (size_t)-1);
	count_place(sweep, turn & place_mask, 1);
}

/* All states that begin before @until_ns. */
static void pass_stretch(struct sweep *sweep, struct oversubscription_row *row,
			 struct member *members, size_t nr, uint64_t until_ns)
{
	sweep->nr = 0;
	for (size_t i = 0; i < nr; i++)
		add_turns(sweep, &members[i], until_ns);
	/* The order of what happens at one time does not count. */
	sort_u64_from_bit(sweep->turns, sweep->nr, 2 * sweep->place_bits);
	for (size_t i = 0; i < sweep->nr; i++)
		pass_turn(sweep, row, sweep->turns[i]);
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

static size_t count_rows(const struct model *model, const struct member *members, size_t nr)
{
	size_t nr_rows = 0;

	for (size_t i = 0; i < nr; i++)
		nr_rows += model->threads[members[i].thread].states.nr;
	return nr_rows;
}

/* In how many stretches of time they have ROWS_AT_ONCE states, or one each, in the mean; or more, so
 * that the times in a stretch are short enough, but not without end in a damaged trace. */
static uint64_t count_stretches(const struct sweep *sweep, const struct member *members, size_t nr)
{
	uint64_t of_rows = count_rows(sweep->model, members, nr) /
			   (nr > ROWS_AT_ONCE ? nr : ROWS_AT_ONCE);
	uint64_t of_time = sweep->model->duration_ns / longest_turn_ns(sweep);

	if (of_time > MOST_LOOKS / nr)
		of_time = MOST_LOOKS / nr;
	return (of_rows > of_time ? of_rows : of_time) + 1;
}

static void look_at_program(struct sweep *sweep, struct member *members, size_t nr,
			    struct oversubscription_row *row)
{
	uint64_t nr_stretches = count_stretches(sweep, members, nr);
	uint64_t step_ns = sweep->model->duration_ns / nr_stretches;

	sweep->now = (struct now){ .over_since_ns = UINT64_MAX };
	sweep->from_ns = 0;
	for (uint64_t stretch = 1; stretch < nr_stretches; stretch++)
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

static unsigned int count_place_bits(const struct model *model)
{
	unsigned int share_bits = 0;

	while ((unsigned int)model->nr_cpus >> share_bits)
		share_bits++;
	return share_bits + KIND_BITS;
}

/* No more threads of a program can be ready than it has. */
static void look_at_programs(const struct model *model, struct oversubscription *result)
{
	struct members members = members_new(model, &result->programs);
	struct sweep sweep = {
		.model = model,
		.shares = xcalloc((size_t)model->nr_cpus + 1, sizeof(*sweep.shares)),
		.place_bits = count_place_bits(model),
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
