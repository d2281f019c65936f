/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The spans of each task that begin and end in the trace, of the session's threads: of work and of waits, those inside others
 * of their task, too.
 */
#ifndef ANNOT_WHOLE_SPANS_H
#define ANNOT_WHOLE_SPANS_H

#include "analysis/instances/instances.h"

/* Those of task t are rows[first[t]] to rows[first[t + 1]]. */
struct whole_spans {
	size_t *first;
	struct instance *rows;
};

/* Never fails. whole_spans_free() frees what is in it. Cost: O(n) of n spans. */
struct whole_spans whole_spans_collect(const struct model *model, const struct task_stats *stats);
void whole_spans_free(struct whole_spans *spans);

static inline size_t whole_spans_nr(const struct whole_spans *spans, size_t task)
{
	return spans->first[task + 1] - spans->first[task];
}

#endif /* ANNOT_WHOLE_SPANS_H */
