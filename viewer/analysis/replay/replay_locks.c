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
	bool is_of_several;
	bool overlaps;
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
		uint32_t name = are_other[i] ? TRACE_NO_STRING :
					       name_around(model, &waits->rows[i]);

		if (name != TRACE_NO_STRING)
			candidates[number_of(locks, model, waits->rows[i].thread, name)].nr_waits++;
	}
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
	are_other = find_other_waits(model, waits, barriers, left_out);
	if (locks.nr)
		look_at_waits(&locks, model, waits, are_other, candidates);
	free(are_other);
	for (size_t i = 0; i < locks.nr; i++)
		locks.are_locks[i] = candidates[i].is_of_several && !candidates[i].overlaps &&
				     candidates[i].nr >= REPLAY_LOCK_LEAST_SPANS &&
				     candidates[i].nr_waits >= REPLAY_LOCK_LEAST_WAITS;
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
