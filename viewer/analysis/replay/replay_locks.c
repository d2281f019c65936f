// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/replay_locks.h"

#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/* Spans that may be near a wait: those around the one of the lock, and inside it. */
#define MOST_NEAR 8

/* What was seen of spans of one name and process. */
struct candidate {
	size_t nr;
	size_t nr_waits;
	uint32_t thread; /* of the first one */
	size_t nr_held; /* waits of which the recording tells who held the lock */
	size_t nr_changes; /* of who came after whom */
	bool is_of_several;
	bool overlaps;
};

/* Who came after a thread's last span of this number. */
struct successor {
	size_t number;
	uint32_t thread;
};

struct hold {
	size_t number;
	uint32_t thread;
	uint64_t start_ns;
	uint64_t end_ns;
};

struct holds {
	size_t nr;
	size_t capacity;
	struct hold *rows;
};

static size_t number_of(struct replay_locks *locks, const struct model *model, uint32_t thread,
			uint32_t name)
{
	return pair_table_number(&locks->numbers, (uint32_t)model->threads[thread].tgid, name);
}

static int compare_holds(const void *a, const void *b)
{
	const struct hold *first = a, *second = b;

	if (first->number != second->number)
		return first->number < second->number ? -1 : 1;
	if (first->start_ns != second->start_ns)
		return first->start_ns < second->start_ns ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

static struct holds find_holds(struct replay_locks *locks, const struct model *model)
{
	struct holds holds = { 0 };

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		const struct span_table *spans = &model->threads[i].spans;

		for (size_t row = 0; model->threads[i].in_session && row < spans->nr; row++) {
			if (spans->kind[row] != TRACE_SPAN_WORK)
				continue;
			SPILL_MAKE_ROOM(holds.rows, holds.nr, holds.capacity);
			holds.rows[holds.nr++] = (struct hold){
				.number = number_of(locks, model, i, spans->name[row]),
				.thread = i,
				.start_ns = spans->start_ns[row],
				.end_ns = spans->end_ns[row],
			};
		}
	}
	if (holds.nr)
		qsort(holds.rows, holds.nr, sizeof(*holds.rows), compare_holds);
	return holds;
}

/* Whether another one than the last time. @of_thread is that of the thread before. */
static bool is_succeeded_by_another(struct successor *of_thread, const struct hold *next)
{
	const struct successor last = *of_thread;

	*of_thread = (struct successor){ .number = next->number, .thread = next->thread };
	return last.thread != MODEL_NO_THREAD && last.number == next->number &&
	       last.thread != next->thread;
}

static void note_turns(const struct holds *holds, size_t nr_threads, struct candidate *candidates)
{
	struct successor *after = xcalloc(nr_threads, sizeof(*after));

	for (size_t i = 0; i < nr_threads; i++)
		after[i].thread = MODEL_NO_THREAD;
	for (size_t i = 1; i < holds->nr; i++) {
		const struct hold *hold = &holds->rows[i], *before = hold - 1;

		if (before->number == hold->number)
			candidates[hold->number].nr_changes +=
				is_succeeded_by_another(&after[before->thread], hold);
	}
	free(after);
}

static void look_at_holds(const struct holds *holds, struct candidate *candidates)
{
	uint64_t until_ns = 0;

	for (size_t i = 0; i < holds->nr; i++) {
		const struct hold *hold = &holds->rows[i];
		struct candidate *candidate = &candidates[hold->number];

		if (!candidate->nr++) {
			candidate->thread = hold->thread;
			until_ns = 0;
		}
		candidate->is_of_several |= hold->thread != candidate->thread;
		candidate->overlaps |= hold->start_ns < until_ns;
		if (hold->end_ns > until_ns)
			until_ns = hold->end_ns;
	}
}

static bool has_just_ended(const struct span_table *spans, uint32_t name, uint64_t time_ns)
{
	size_t end = LOWER_BOUND(row, 0, spans->nr, spans->start_ns[row] < time_ns);

	for (size_t i = 0; i < MOST_NEAR && i < end; i++) {
		size_t row = end - 1 - i;

		if (spans->name[row] == name && spans->end_ns[row] <= time_ns &&
		    time_ns - spans->end_ns[row] <= REPLAY_LOCK_NEAR_NS)
			return true;
	}
	return false;
}

/* The name of the span that begins just after the wait, and that its waker just ended; TRACE_NO_STRING: none. */
static uint32_t name_around(const struct model *model, const struct blocked_wait *wait)
{
	const struct span_table *spans = &model->threads[wait->thread].spans;
	size_t row;

	if (wait->waker >= model->nr_threads ||
	    model->threads[wait->waker].tgid != model->threads[wait->thread].tgid)
		return TRACE_NO_STRING;
	row = LOWER_BOUND(at, 0, spans->nr, spans->start_ns[at] < wait->to_ns);
	for (size_t i = 0; i < MOST_NEAR && row < spans->nr; i++, row++) {
		if (spans->start_ns[row] - wait->to_ns > REPLAY_LOCK_NEAR_NS)
			break;
		if (spans->kind[row] == TRACE_SPAN_WORK &&
		    has_just_ended(&model->threads[wait->waker].spans, spans->name[row],
				   wait->to_ns))
			return spans->name[row];
	}
	return TRACE_NO_STRING;
}

/* Those of the thread that end in (from_ns, to_ns]. */
static void mark(bool *are_other, const struct blocked_waits *waits, uint32_t thread,
		 uint64_t from_ns, uint64_t to_ns)
{
	size_t end = waits->first[thread + 1];
	size_t row = LOWER_BOUND(at, waits->first[thread], end, waits->rows[at].to_ns <= from_ns);

	for (; row < end && waits->rows[row].to_ns <= to_ns; row++)
		are_other[row] = true;
}

/* Beside the rows of waits: whether it is at a barrier, or for the lock that is left out. */
static bool *find_other_waits(const struct model *model, const struct blocked_waits *waits,
			      const struct barriers *barriers, const struct lock_spans *left_out)
{
	bool *are_other = xcalloc(waits->first[model->nr_threads], sizeof(*are_other));
	const struct wait_spans *told = &barriers->waits;

	for (size_t i = 0; i < told->nr; i++) {
		if (barriers->barrier_of[i] != NO_BARRIER)
			mark(are_other, waits, told->thread[i], told->start_ns[i], told->end_ns[i]);
	}
	for (size_t i = 0; i < left_out->nr; i++) {
		const struct lock_span *wait = &left_out->rows[i];

		mark(are_other, waits, wait->thread, wait->start_ns, wait->end_ns);
	}
	return are_other;
}

static void look_at_waits(struct replay_locks *locks, const struct model *model,
			  const struct blocked_waits *waits, const bool *are_other,
			  struct candidate *candidates)
{
	for (size_t i = 0; i < waits->first[model->nr_threads]; i++) {
		const struct blocked_wait *wait = &waits->rows[i];
		uint32_t name = are_other[i] ? TRACE_NO_STRING : name_around(model, wait);
		struct candidate *candidate;

		if (name == TRACE_NO_STRING)
			continue;
		candidate = &candidates[number_of(locks, model, wait->thread, name)];
		candidate->nr_waits++;
		candidate->nr_held += wait->holder != MODEL_NO_THREAD;
	}
}

/* Threads that hand work to each other, always in the same order, may need that order. */
static bool is_lock(const struct candidate *candidate)
{
	return candidate->is_of_several && !candidate->overlaps &&
	       candidate->nr >= REPLAY_LOCK_LEAST_SPANS &&
	       candidate->nr_waits >= REPLAY_LOCK_LEAST_WAITS &&
	       (candidate->nr_changes >= REPLAY_LOCK_LEAST_CHANGES ||
		candidate->nr_held >= REPLAY_LOCK_LEAST_WAITS);
}

struct replay_locks replay_locks_find(const struct model *model, const struct blocked_waits *waits,
				      const struct barriers *barriers,
				      const struct lock_spans *left_out)
{
	struct replay_locks locks = { 0 };
	struct holds holds = find_holds(&locks, model);
	struct candidate *candidates;
	bool *are_other;

	locks.nr = locks.numbers.nr;
	candidates = xcalloc(locks.nr, sizeof(*candidates));
	locks.are_locks = xcalloc(locks.nr, sizeof(*locks.are_locks));
	look_at_holds(&holds, candidates);
	note_turns(&holds, model->nr_threads, candidates);
	are_other = find_other_waits(model, waits, barriers, left_out);
	if (locks.nr)
		look_at_waits(&locks, model, waits, are_other, candidates);
	free(are_other);
	for (size_t i = 0; i < locks.nr; i++)
		locks.are_locks[i] = is_lock(&candidates[i]);
	free(candidates);
	spill_free(holds.rows);
	return locks;
}

void replay_locks_free(struct replay_locks *locks)
{
	pair_table_free(&locks->numbers);
	free(locks->are_locks);
}

size_t replay_locks_of(struct replay_locks *locks, const struct model *model, uint32_t thread,
		       uint32_t name)
{
	size_t number = number_of(locks, model, thread, name);

	return number < locks->nr && locks->are_locks[number] ? number : NO_REPLAY_LOCK;
}

bool replay_locks_have(struct replay_locks *locks, const struct model *model,
		       const struct blocked_wait *wait)
{
	uint32_t name = locks->nr ? name_around(model, wait) : TRACE_NO_STRING;

	return name != TRACE_NO_STRING &&
	       replay_locks_of(locks, model, wait->thread, name) != NO_REPLAY_LOCK;
}
