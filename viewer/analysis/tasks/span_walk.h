/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Walks through the spans of one thread in time: the spans that are open at a time, and those that begin and end before it.
 */
#ifndef ANNOT_SPAN_WALK_H
#define ANNOT_SPAN_WALK_H

#include "analysis/tasks/task_stats.h"

struct open_span {
	size_t span;
	uint32_t task; /* NO_TASK: without an analysis */
	bool is_outermost; /* of its task: it is not inside another of it */
};

struct span_walk {
	const struct model *model;
	const struct task_stats *stats;
	uint32_t thread;
	size_t next; /* the first span that has not begun */
	size_t nr_open;
	size_t capacity;
	struct open_span *open; /* the innermost is last */
	uint32_t *depth; /* by task: how many of its spans are open */
	/* Told of spans as they end, the inner ones first; may be NULL. */
	void (*on_end)(void *context, const struct open_span *span);
	void *context;
};

/* Without an analysis (NULL), open spans have no task. */
void span_walk_init(struct span_walk *walk, const struct model *model,
		    const struct task_stats *stats);
void span_walk_free(struct span_walk *walk);

/* Begins with another thread. */
void span_walk_start(struct span_walk *walk, uint32_t thread);

/* Goes on to @time_ns, never back: open are then the spans that hold that moment. */
void span_walk_to(struct span_walk *walk, uint64_t time_ns);

/* Whether @span lies inside @outer, which began before it and has no end before it. */
bool span_walk_is_inside(const struct span_table *spans, size_t span, size_t outer);

/* Of each of the model's samples: the innermost span of its thread then, or SIZE_MAX. free() it. */
size_t *span_walk_innermost(const struct model *model);

#endif /* ANNOT_SPAN_WALK_H */
