/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the threads that hold locks do while others wait: run, or wait themselves, and for what.
 */
#ifndef ANNOT_LOCK_HOLDERS_H
#define ANNOT_LOCK_HOLDERS_H

#include "model/model.h"
#include "util/pair_table.h"

/* What holders of one lock did, summed over the waits for it. */
struct lock_holding {
	uint32_t lock; /* string id of its name */
	enum thread_state state; /* any sleep is STATE_SLEEPING */
	uint32_t cause; /* string id: of a sleep; TRACE_NO_STRING: unknown, or none */
	uint64_t ns;
	uint64_t longest_ns; /* at once, and when, and who */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
	uint32_t longest_holder;
};

struct lock_holders {
	size_t nr;
	struct lock_holding *rows;
	size_t capacity;
	/* While they are summed up, of the lock at hand. */
	size_t first;
	struct pair_table numbers; /* of state and cause */
};

/* Somebody waited from @from_ns to @to_ns for the lock at hand, which @holder had then. Cost: O(log n) and its states. */
void lock_holders_add(struct lock_holders *holders, const struct model *model, uint32_t holder,
		      uint64_t from_ns, uint64_t to_ns);

/*
 * The lock at hand is done; that is its name. Returns what its holders did most, or NULL if there are none; until the
 * next one is added.
 */
const struct lock_holding *lock_holders_finish(struct lock_holders *holders, uint32_t lock);

/* When all locks are done: those with most time first. */
void lock_holders_sort(struct lock_holders *holders);
void lock_holders_free(struct lock_holders *holders);

#endif /* ANNOT_LOCK_HOLDERS_H */
