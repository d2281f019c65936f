/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What threads do at points in time, for a replay: whom they wake, where spans begin and end, where they come to barriers and
 * to critical sections, where they send and receive messages.
 */
#ifndef ANNOT_REPLAY_POINTS_H
#define ANNOT_REPLAY_POINTS_H

#include "analysis/replay/replay_locks.h"
#include "analysis/replay/replay_plan.h"
#include "analysis/waits/messages.h"

/* What is replayed. */
struct replay_scope {
	const struct model *model;
	const struct regions *regions;
	const struct replay_changes *changes;
	const struct programs *programs;
	const struct lock_spans *left_out; /* waits for the lock that nobody waits for */
	const struct messages *messages;
};

/* Whether the thread is. */
static inline bool replay_scope_runs(const struct replay_scope *scope, uint32_t thread)
{
	uint32_t without = scope->changes->without;

	return scope->model->threads[thread].in_session &&
	       (without == TRACE_NO_STRING ||
		scope->programs->names[scope->programs->of_thread[thread]] != without);
}

#define REPLAY_NO_WAKEUP UINT64_MAX
#define REPLAY_LOCK_WAIT (UINT64_MAX - 1) /* in place of a wakeup: STEP_LOCK waits */
#define REPLAY_UNKNOWN_WAKEUP (UINT64_MAX - 2) /* anybody may have woken it, of the session too */

/* What a thread does at a time, beside its states. */
enum replay_point_kind {
	POINT_WAKE, /* it wakes another one, or begins to send it a message */
	POINT_RELEASE, /* it leaves a critical section */
	POINT_ACQUIRE,
	POINT_SPAN_END,
	POINT_SPAN_BEGIN,
	POINT_PART_END, /* of a region that is balanced */
	POINT_PART_AT_ONCE, /* it begins and ends */
	POINT_PART_BEGIN,
	POINT_MEET, /* it comes to a barrier */
	POINT_LOCK, /* it comes to the lock that nobody waits for */
	POINT_RECEIVE, /* it begins to receive what is sent; the wakeup is that of the send */
	POINT_UNSENT, /* it begins to receive what is sent later */
};

struct replay_point {
	uint64_t time_ns;
	uint32_t thread; /* of the model */
	uint8_t kind;
	/* A wakeup; a name; a region and its thread; a row of barriers.waits; a lock; when a wait ends, or a send begins. */
	uint64_t value;
};

struct replay_points {
	size_t nr;
	size_t capacity;
	struct replay_point *rows; /* by thread and time */
	size_t nr_wakeups;
	/* Beside the rows of waits; REPLAY_NO_WAKEUP: it lasts as long as it did; REPLAY_LOCK_WAIT or REPLAY_UNKNOWN_WAKEUP. */
	uint64_t *wakeup_of;
	uint64_t *birth_of; /* by thread: the wakeup by its creator, or REPLAY_NO_WAKEUP */
};

/* Never fails. replay_points_free() frees what is in it. Cost: O(n log n) of n spans and waits. */
struct replay_points replay_points_find(const struct replay_scope *scope,
					const struct blocked_waits *waits,
					struct replay_locks *locks);
void replay_points_free(struct replay_points *points);

#endif /* ANNOT_REPLAY_POINTS_H */
