/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What threads of the session waited for while they were blocked: sums by cause, and by thread and cause. The causes are
 * those of the model's cause tables, which annot record --why makes: by the system call in which a thread fell asleep, or by the
 * stack of the kernel. A stretch without them, or whose stack tells nothing, has the cause "unknown" (TRACE_NO_STRING).
 */
#ifndef ANNOT_BLOCKED_ON_H
#define ANNOT_BLOCKED_ON_H

#include "analysis/base/blocked_waits.h"
#include "analysis/stats/distribution.h"
#include "model/model.h"

/* Of those stretches of a sum that have an object, or a holder: the one that most of their time has. */
struct blocked_on_share {
	uint64_t which;
	uint64_t ns;
};

/* Stretches of one cause: of all threads (thread is MODEL_NO_THREAD), or of one. */
struct blocked_on_sum {
	uint32_t cause; /* string id; TRACE_NO_STRING: unknown */
	uint32_t thread;
	uint64_t nr_threads;
	uint64_t nr;
	struct distribution ns;
	uint32_t longest_thread; /* of the longest one */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
	uint32_t frames; /* string id: its stack */
	uint32_t waker; /* who ended most of the time, as in blocked_waits.h */
	uint64_t waker_ns; /* the time that ended so */
	uint32_t
		system_call; /* string id: in which the longest one slept; TRACE_NO_STRING: none, or not known */
	struct blocked_on_share object; /* string id; TRACE_NO_STRING: not known */
	struct blocked_on_share holder; /* thread; MODEL_NO_THREAD: not known */
};

struct blocked_on {
	bool has_causes; /* the trace has any; else all is empty */
	uint64_t blocked_ns; /* of all threads of the session */
	uint64_t unknown_ns;
	size_t nr_causes;
	struct blocked_on_sum *causes; /* the greatest sum first */
	size_t nr_threads;
	struct blocked_on_sum *threads; /* of threads and causes, the greatest sum first */
	size_t nr_objects;
	struct blocked_on_sum
		*objects; /* of causes and known objects, of all threads, the greatest sum first */
};

/* Never fails. blocked_on_free() frees what is in it. Cost: O(n log n) of n states and wakeups. */
struct blocked_on blocked_on_compute(const struct model *model);
void blocked_on_free(struct blocked_on *blocked);

#endif /* ANNOT_BLOCKED_ON_H */
