// SPDX-License-Identifier: GPL-2.0
#include "analysis/replay/replay_points.h"

#include <stdlib.h>

#include "analysis/base/row_search.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

struct finder {
	const struct replay_scope *scope;
	const struct blocked_waits *waits;
	struct replay_locks *locks;
	struct replay_points result;
};

static void add_point(struct finder *finder, uint32_t thread, uint64_t time_ns,
		      enum replay_point_kind kind, uint64_t value)
{
	SPILL_MAKE_ROOM(finder->result.rows, finder->result.nr, finder->result.capacity);
	finder->result.rows[finder->result.nr++] = (struct replay_point){ time_ns, thread, kind,
									  value };
}

static int compare_points(const void *a, const void *b)
{
	const struct replay_point *first = a, *second = b;

	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	if (first->time_ns != second->time_ns)
		return first->time_ns < second->time_ns ? -1 : 1;
	if (first->kind != second->kind)
		return first->kind < second->kind ? -1 : 1;
	return first->value < second->value ? -1 : first->value > second->value;
}

static void add_span_points(struct finder *finder, uint32_t thread)
{
	const struct span_table *spans = &finder->scope->model->threads[thread].spans;
	size_t lock;

	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->kind[i] != TRACE_SPAN_WORK || spans->start_ns[i] >= spans->end_ns[i])
			continue;
		add_point(finder, thread, spans->start_ns[i], POINT_SPAN_BEGIN, spans->name[i]);
		add_point(finder, thread, spans->end_ns[i], POINT_SPAN_END, 0);
		lock = replay_locks_of(finder->locks, finder->scope->model, thread, spans->name[i]);
		if (lock == NO_REPLAY_LOCK)
			continue;
		add_point(finder, thread, spans->start_ns[i], POINT_ACQUIRE, lock);
		add_point(finder, thread, spans->end_ns[i], POINT_RELEASE, lock);
	}
}

static void add_barrier_points(struct finder *finder)
{
	const struct barriers *barriers = &finder->scope->regions->barriers;
	const struct wait_spans *waits = &barriers->waits;

	for (size_t i = 0; i < waits->nr; i++) {
		if (barriers->barrier_of[i] != NO_BARRIER &&
		    replay_scope_runs(finder->scope, waits->thread[i]))
			add_point(finder, waits->thread[i], waits->start_ns[i], POINT_MEET, i);
	}
}

static void add_lock_points(struct finder *finder)
{
	const struct lock_spans *left_out = finder->scope->left_out;

	for (size_t i = 0; i < left_out->nr; i++) {
		const struct lock_span *wait = &left_out->rows[i];

		if (replay_scope_runs(finder->scope, wait->thread))
			add_point(finder, wait->thread, wait->start_ns, POINT_LOCK, wait->end_ns);
	}
}

/*
 * The send begins with a wakeup, for which the receive waits. It does when the send began, and not before: until then, the
 * receiver may wake others in that call, who send only then. Who sends itself a message waits for nobody.
 */
static void add_message(struct finder *finder, const struct message *message)
{
	size_t wakeup = finder->result.nr_wakeups;

	if (message->is_contradictory || message->sender == message->receiver ||
	    !replay_scope_runs(finder->scope, message->sender) ||
	    !replay_scope_runs(finder->scope, message->receiver))
		return;
	finder->result.nr_wakeups++;
	add_point(finder, message->sender, message->send_from_ns, POINT_WAKE, wakeup);
	add_point(finder, message->receiver, message->receive_from_ns + message->late_ns,
		  POINT_RECEIVE, wakeup);
	if (message->late_ns)
		add_point(finder, message->receiver, message->receive_from_ns, POINT_UNSENT,
			  message->send_from_ns);
}

static void add_message_points(struct finder *finder)
{
	for (size_t i = 0; i < finder->scope->messages->nr; i++)
		add_message(finder, &finder->scope->messages->rows[i]);
}

static void add_part(struct finder *finder, const struct region_thread *part, uint64_t value)
{
	if (part->from_ns == part->to_ns) {
		add_point(finder, part->thread, part->from_ns, POINT_PART_AT_ONCE, value);
		return;
	}
	add_point(finder, part->thread, part->from_ns, POINT_PART_BEGIN, value);
	add_point(finder, part->thread, part->to_ns, POINT_PART_END, 0);
}

static void add_part_points(struct finder *finder)
{
	const struct regions *regions = finder->scope->regions;

	for (size_t i = 0; i < regions->nr; i++) {
		const struct region *region = &regions->rows[i];

		if (regions->groups[region->group].name != finder->scope->changes->balanced)
			continue;
		for (size_t j = 0; j < region->nr_threads; j++) {
			size_t row = region->first_thread + j;
			const struct region_thread *part = &regions->threads[row];

			if (replay_scope_runs(finder->scope, part->thread))
				add_part(finder, part, (uint64_t)i << 32 | row);
		}
	}
}

/*
 * When @waker, at work, did what woke somebody at @time_ns; 0 if it was not at work. It may have been switched out in
 * between: the CPU of the one that it woke needs time to put it into its queue.
 */
static uint64_t woke_at_ns(const struct finder *finder, uint32_t waker, uint64_t time_ns)
{
	const struct state_table *states = &finder->scope->model->threads[waker].states;
	size_t row;

	if (!states->nr || states->start_ns[0] >= time_ns)
		return 0;
	row = row_search_state(states, time_ns - 1);
	if (row < states->nr && states->state[row] == STATE_RUNNING)
		return time_ns;
	return row && states->state[row - 1] == STATE_RUNNING ? states->start_ns[row] : 0;
}

/* REPLAY_NO_WAKEUP: nobody of the replay woke it. */
static uint64_t new_wakeup(struct finder *finder, uint32_t waker, uint32_t wakee, uint64_t time_ns)
{
	uint64_t woke_ns;

	if (waker >= finder->scope->model->nr_threads || waker == wakee ||
	    !replay_scope_runs(finder->scope, waker))
		return REPLAY_NO_WAKEUP;
	woke_ns = woke_at_ns(finder, waker, time_ns);
	if (!woke_ns)
		return REPLAY_NO_WAKEUP;
	add_point(finder, waker, woke_ns, POINT_WAKE, finder->result.nr_wakeups);
	return finder->result.nr_wakeups++;
}

/* What a wait was for. */
static uint64_t wakeup_of(struct finder *finder, const struct blocked_wait *wait)
{
	if (replay_locks_have(finder->locks, finder->scope->model, wait))
		return REPLAY_LOCK_WAIT;
	if (wait->waker == BLOCKED_WAIT_WAKER_UNKNOWN)
		return REPLAY_UNKNOWN_WAKEUP;
	return new_wakeup(finder, wait->waker, wait->thread, wait->to_ns);
}

static void add_wakeups(struct finder *finder)
{
	const struct model *model = finder->scope->model;

	finder->result.wakeup_of = spill_zeroed(finder->waits->first[model->nr_threads],
						sizeof(*finder->result.wakeup_of));
	finder->result.birth_of = xcalloc(model->nr_threads, sizeof(*finder->result.birth_of));
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];

		finder->result.birth_of[i] = REPLAY_NO_WAKEUP;
		for (size_t row = finder->waits->first[i]; row < finder->waits->first[i + 1];
		     row++) {
			const struct blocked_wait *wait = &finder->waits->rows[row];

			finder->result.wakeup_of[row] = REPLAY_NO_WAKEUP;
			if (!replay_scope_runs(finder->scope, i))
				continue;
			finder->result.wakeup_of[row] = wakeup_of(finder, wait);
		}
		if (replay_scope_runs(finder->scope, i) && thread->states.nr &&
		    thread->states.start_ns[0])
			finder->result.birth_of[i] = new_wakeup(finder, thread->parent, i,
								thread->states.start_ns[0]);
	}
}

struct replay_points replay_points_find(const struct replay_scope *scope,
					const struct blocked_waits *waits,
					struct replay_locks *locks)
{
	struct finder finder = { .scope = scope, .waits = waits, .locks = locks };

	add_wakeups(&finder);
	for (uint32_t i = 0; i < scope->model->nr_threads; i++) {
		if (replay_scope_runs(scope, i))
			add_span_points(&finder, i);
	}
	add_barrier_points(&finder);
	add_lock_points(&finder);
	add_message_points(&finder);
	if (scope->changes->balanced != TRACE_NO_STRING)
		add_part_points(&finder);
	if (finder.result.nr)
		qsort(finder.result.rows, finder.result.nr, sizeof(*finder.result.rows),
		      compare_points);
	return finder.result;
}

void replay_points_free(struct replay_points *points)
{
	spill_free(points->rows);
	spill_free(points->wakeup_of);
	free(points->birth_of);
}
