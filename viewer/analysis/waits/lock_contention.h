/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for locks, by lock, and who held it meanwhile.
 *
 * A wait for a lock is a wait span whose name begins with the word critical, lock, mutex or rwlock, as attached
 * programs name them (annot-attach(1)). Its value tells locks apart that one line of the program locks; without a
 * value, its name does. Locks of different processes are different locks.
 *
 * So is a thread's sleep on a futex that is a lock (lock_spans.h), as the module's annot_blocked tells it, unless such a span
 * tells the same wait. The futex of a mutex has the mutex's address: both are waits for one lock.
 *
 * The holder during a wait is the thread of the process that is in a span of work of the same name (critical
 * sections are). Without such spans, wakings tell: who wakes a waiting thread has released the lock, and from then on that
 * thread has it. So a wait is divided by the threads that got the lock meanwhile: each part is that of the thread that
 * woke the next one, the last part that of the thread that woke the waiting one. Where a thread spun, and nobody woke
 * it, the thread that got the lock before it is taken; before all of these, who held the futex when the
 * thread fell asleep. What is left has no known holder.
 *
 * Cost: O(n log n) of n spans and wakeups.
 */
#ifndef ANNOT_LOCK_CONTENTION_H
#define ANNOT_LOCK_CONTENTION_H

#include "analysis/waits/lock_convoys.h"
#include "analysis/waits/lock_holders.h"

struct lock_contention_lock {
	uint32_t name; /* string id: of its waits, that which was waited for longest */
	uint64_t waits;
	uint64_t waiters; /* threads */
	uint64_t wait_ns; /* sum over the waits */
	uint64_t contended_ns; /* elapsed, while at least one thread waited */
	uint64_t longest_ns; /* one wait, and where it is */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
	uint32_t longest_waiter;
	uint64_t attributed_ns; /* of wait_ns: its holder is known */
	uint32_t holder; /* who held it longest in these; MODEL_NO_THREAD: not known */
	uint64_t held_ns; /* by that one, of attributed_ns */
	uint32_t
		holder_task; /* string id: what that one was doing then; TRACE_NO_STRING: not known */
	uint64_t longest_hold_ns; /* by one thread at once, while another one waited */
	/* What its holders did longest in these, of attributed_ns (lock_holders.h). */
	enum thread_state holders_most_state;
	uint32_t holders_most_cause; /* string id; TRACE_NO_STRING: none, or not known */
	uint64_t holders_most_ns;
	struct lock_convoys convoys;
};

/* Who waited for whom. */
struct lock_contention_pair {
	uint32_t lock; /* string id, as that of its lock */
	uint32_t waiter;
	uint32_t holder;
	uint64_t times; /* that it held it during a wait */
	uint64_t ns; /* of the waits */
	uint64_t longest_ns; /* at once, and when */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

/* A part of a wait, in which somebody held the lock. */
struct lock_contention_part {
	uint32_t waiter;
	uint32_t holder;
	uint64_t from_ns;
	uint64_t to_ns;
};

struct lock_contention {
	size_t nr;
	struct lock_contention_lock *locks; /* the longest waits first */
	size_t nr_pairs;
	struct lock_contention_pair *pairs; /* those with most time first */
	size_t nr_parts;
	struct lock_contention_part *parts; /* by waiter and time; those of one do not overlap */
	struct lock_holders holders;
};

/* Never fails. lock_contention_free() frees what is in it. */
struct lock_contention lock_contention_compute(const struct model *model);
void lock_contention_free(struct lock_contention *contention);

#endif /* ANNOT_LOCK_CONTENTION_H */
