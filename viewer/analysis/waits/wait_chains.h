/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wait chains: A waits for B, which waits for the disk.
 *
 * Each time that a thread of the session was blocked is divided by what the thread that ended it, its ender, did
 * meanwhile. The time in which the ender ran, was preempted, or waited for a CPU ends a chain. Where the ender was blocked itself, that
 * part is divided by what its own ender did meanwhile, and so on. So the parts add up to the time that threads were
 * blocked, and each has a chain of links: a cause, a thread that ended it, a cause, ...
 *
 * Of a wait for a lock, each part goes to who held the lock then, where lock_contention.h knows that; the rest of it to its ender.
 *
 * A chain also ends where it cannot go on:
 * - an interrupt ended the wait: a timer or a device;
 * - no wakeup is known, or the trace ends first;
 * - what the ender did is not known, or it did not exist yet;
 * - the ender was asleep already when its wakeup came, or is in the chain already: the wakeup was on its way. A thread may
 *   wake another one, and fall asleep until that answers, before the other one's CPU has the wakeup;
 * - it has WAIT_CHAINS_MOST_CAUSES causes;
 * - all steps are done that a trace of this size gets: WAIT_CHAINS_LEAST_STEPS, and WAIT_CHAINS_STEPS for each state. The
 *   longest waits come first. Where many threads wait for one all the time, each state of that one is a step of each.
 *
 * Chains of the same causes, names of threads and top spans (top_spans.h) are one. Threads of any process can be in
 * them, but the spans are those of the session.
 */
#ifndef ANNOT_WAIT_CHAINS_H
#define ANNOT_WAIT_CHAINS_H

#include "analysis/tasks/top_spans.h"
#include "analysis/waits/lock_contention.h"

#define WAIT_CHAINS_MOST_CAUSES 8
#define WAIT_CHAINS_STEPS 8
#define WAIT_CHAINS_LEAST_STEPS 10000000

enum wait_link_kind {
	LINK_CAUSE, /* what was waited for: word is the cause */
	LINK_THREAD, /* who ended that, or held the lock: word is its name, task its top span */
	/* Ends of chains. */
	LINK_RAN,
	LINK_PREEMPTED,
	LINK_RUNNABLE,
	LINK_INTERRUPT, /* word is its name, if that is known */
	LINK_ON_ITS_WAY,
	LINK_UNKNOWN_ENDER,
	LINK_UNKNOWN_STATE,
	LINK_TOO_LONG,
	LINK_NOT_FOLLOWED,
	NR_WAIT_LINK_KINDS,
};

#define NO_LINK UINT32_MAX

struct wait_link {
	uint32_t before; /* index; NO_LINK: it is the first */
	enum wait_link_kind kind;
	uint32_t word; /* string id; TRACE_NO_STRING: unknown */
	uint32_t task; /* string id; TRACE_NO_STRING: none */
};

struct wait_chain {
	uint32_t last; /* index of its last link, an end */
	uint64_t nr; /* of waits that have it */
	uint64_t ns; /* the part of their time */
	uint64_t longest_ns; /* of one wait, the part; and the wait, from begin to end */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
	size_t nr_threads; /* in that one: who waited, for whom, ... */
	uint32_t threads[WAIT_CHAINS_MOST_CAUSES];
};

struct wait_chains {
	bool has_causes; /* the trace tells causes; else all is empty */
	uint64_t blocked_ns; /* of all threads of the session: the sum of all chains */
	uint64_t end_ns[NR_WAIT_LINK_KINDS]; /* of these, by how chains end */
	size_t nr_links;
	struct wait_link *links;
	size_t nr;
	struct wait_chain *chains; /* those with most time first */
};

/*
 * Never fails. wait_chains_free() frees what is in it. Cost: O(n log n) of n states, wakeups and spans, with a factor of
 * WAIT_CHAINS_STEPS at most; measured, 60 ns a step.
 */
struct wait_chains wait_chains_compute(const struct model *model, const struct task_stats *stats,
				       const struct lock_contention *locks);
void wait_chains_free(struct wait_chains *chains);

/* "ran", "interrupt", ...: of an end. */
const char *wait_link_kind_name(enum wait_link_kind kind);

#endif /* ANNOT_WAIT_CHAINS_H */
