/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Critical sections, recognised by what was seen of them: spans of work of one name and process, of several threads, of which
 * no two were ever open at once, though threads waited for each other there: one fell asleep just before its span, and was woken
 * by a thread that had just ended its own. And the recording tells who held the lock, or another thread came next than the last
 * time: threads that hand work to each other come in turn, and may need that order. A wait at a barrier is none of these: on one
 * CPU, spans of a loop may well be one behind the other. Nor is one for a lock that is to be left out.
 *
 * Cost: O(n log n) of n spans and waits.
 */
#ifndef ANNOT_REPLAY_LOCKS_H
#define ANNOT_REPLAY_LOCKS_H

#include "analysis/base/blocked_waits.h"
#include "analysis/replay/lock_waits.h"
#include "util/pair_table.h"

#define NO_REPLAY_LOCK SIZE_MAX

/* So many spans, and so many waits, at least. */
#define REPLAY_LOCK_LEAST_SPANS 8
#define REPLAY_LOCK_LEAST_WAITS 3
/* So often another thread came after a thread than before. */
#define REPLAY_LOCK_LEAST_CHANGES 2
/* So long before and after a wait its spans end and begin at most. */
#define REPLAY_LOCK_NEAR_NS 200000u

struct replay_locks {
	struct pair_table numbers; /* of a process and a name */
	size_t nr;
	bool *are_locks;
};

/* Never fails. replay_locks_free() frees what is in it. @left_out: waits for such a lock (lock_waits.h). */
struct replay_locks replay_locks_find(const struct model *model, const struct blocked_waits *waits,
				      const struct barriers *barriers,
				      const struct lock_spans *left_out);
void replay_locks_free(struct replay_locks *locks);

/* The lock that spans of that name are about in the thread's process, or NO_REPLAY_LOCK. */
size_t replay_locks_of(struct replay_locks *locks, const struct model *model, uint32_t thread,
		       uint32_t name);

/* Whether the wait is for one of the locks. */
bool replay_locks_have(struct replay_locks *locks, const struct model *model,
		       const struct blocked_wait *wait);

#endif /* ANNOT_REPLAY_LOCKS_H */
