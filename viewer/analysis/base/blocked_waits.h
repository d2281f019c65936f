/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The times that threads were blocked: for what each waited, and who ended it.
 *
 * Who ended a wait is the waker of the wakeup at its end; in an interrupt, nobody (a timer, a device). Without sched_waking, an
 * interrupt may as well have passed on what a thread of another CPU did: then it is unknown.
 */
#ifndef ANNOT_BLOCKED_WAITS_H
#define ANNOT_BLOCKED_WAITS_H

#include "model/model.h"

/* In place of a waker: no wakeup is known, the trace ends first, or it does not tell. */
#define BLOCKED_WAIT_WAKER_UNKNOWN (MODEL_NO_THREAD - 1)

struct blocked_wait {
	uint32_t thread;
	uint32_t cause; /* string id; TRACE_NO_STRING: unknown */
	uint32_t frames; /* string id */
	uint32_t system_call; /* string id; TRACE_NO_STRING: none, or not known */
	uint32_t object; /* string id; TRACE_NO_STRING: not known */
	uint64_t object_id; /* as that of causes */
	uint32_t holder; /* of the lock; MODEL_NO_THREAD: not known, or no lock */
	uint32_t waker; /* MODEL_NO_THREAD: an interrupt */
	int16_t waker_cpu; /* where it was woken; -1: not known */
	uint64_t from_ns;
	uint64_t to_ns;
};

/* Of all threads, not only of the session; those of thread t are rows[first[t]] to rows[first[t + 1]], in time order. */
struct blocked_waits {
	size_t *first;
	struct blocked_wait *rows;
};

/* Whether the trace has causes at all. */
bool blocked_waits_have_causes(const struct model *model);

/* Never fails. blocked_waits_free() frees what is in it. Cost: O(n log n) of n states and wakeups. */
struct blocked_waits blocked_waits_find(const struct model *model);
void blocked_waits_free(struct blocked_waits *waits);

static inline uint64_t blocked_wait_ns(const struct blocked_wait *wait)
{
	return wait->to_ns - wait->from_ns;
}

#endif /* ANNOT_BLOCKED_WAITS_H */
