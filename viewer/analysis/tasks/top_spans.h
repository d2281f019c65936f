/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The spans of the session's threads that say what they do: the outermost ones. A span that only contains the others is
 * skipped, and its inner spans are taken: it is of a task that each thread does once, with tasks of several threads inside.
 */
#ifndef ANNOT_TOP_SPANS_H
#define ANNOT_TOP_SPANS_H

#include "analysis/tasks/task_stats.h"

/* Work spans; those of thread t are the rows first[t] to first[t + 1], in time order. */
struct top_spans {
	size_t *first;
	size_t nr;
	uint32_t *name; /* string id */
	uint64_t *start_ns;
	uint64_t *end_ns;
};

/* top_spans_free() frees it. */
struct top_spans top_spans_compute(const struct model *model, const struct task_stats *stats);
void top_spans_free(struct top_spans *tops);

/* The first of @thread that ends behind @time_ns; first[thread + 1] if there is none. */
size_t top_spans_after(const struct top_spans *tops, uint32_t thread, uint64_t time_ns);

#endif /* ANNOT_TOP_SPANS_H */
