/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waits for locks, and times that threads hold one: what lock_contention.h is computed of.
 */
#ifndef ANNOT_LOCK_SPANS_H
#define ANNOT_LOCK_SPANS_H

#include "model/model.h"

struct lock_span {
	int32_t tgid;
	/* Of a wait: its value, a futex's address, or beyond all addresses its name; of a hold: its name. */
	uint64_t lock;
	uint32_t name;
	uint32_t thread;
	uint32_t
		holder; /* when a wait began, as the lock's memory says; MODEL_NO_THREAD: not known */
	bool is_futex; /* the wait is no span of the program's */
	uint64_t start_ns;
	uint64_t end_ns;
};

struct lock_spans {
	size_t nr;
	size_t capacity;
	struct lock_span *rows;
};

void lock_spans_add(struct lock_spans *spans, const struct lock_span *span);

/* By process and lock, those of one lock by start. */
int lock_span_compare(const void *a, const void *b);
void lock_spans_sort(struct lock_spans *spans);

static inline bool lock_span_is_of(const struct lock_span *a, const struct lock_span *b)
{
	return a->tgid == b->tgid && a->lock == b->lock;
}

/* Whether the name of a wait span is one of waits for locks: "mutex queue.c:7". */
bool lock_name_is(const char *name);

#endif /* ANNOT_LOCK_SPANS_H */
