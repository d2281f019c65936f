/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why tasks take longer or shorter after a change than before it: the difference of their mean instances, split without a rest
 * (instance_split.h). And where the session's critical path runs before and after, which adds up to its length.
 *
 * Of several runs of a side, each counts alike, whatever the number of its instances.
 */
#ifndef ANNOT_WHY_H
#define ANNOT_WHY_H

#include "analysis/runs/runs_value.h"

/* What instances are blocked on, of PART_BLOCKED. */
struct why_cause {
	uint32_t cause; /* name; TRACE_NO_STRING: not known */
	double ns; /* more than before */
};

struct why_task {
	uint32_t name;
	enum trace_span_kind kind;
	double mean_ns[2]; /* before, after */
	bool with_kernel; /* counts are of the kernel, too */
	int64_t difference_ns;
	int64_t parts_ns[NR_INSTANCE_PARTS]; /* they add up to it */
	size_t nr_causes;
	struct why_cause causes[2 * INSTANCE_MOST_CAUSES]; /* the greatest change first */
	double migrations[2]; /* per instance */
};

struct why_path_line {
	struct run_path_line line; /* its time is 0 */
	double ns[2]; /* of a run: the mean */
};

struct whys {
	const struct runs *runs;
	size_t nr_tasks;
	size_t task_capacity;
	struct why_task *tasks; /* in the order that they were added in */
	size_t nr_path_lines;
	struct why_path_line *path_lines; /* the greatest change first */
};

/* The path, and no task yet. @runs must live as long. whys_free() frees what is in it. */
struct whys whys_new(const struct runs *runs);
void whys_free(struct whys *whys);

/* Why this task takes longer or shorter; nothing, if not both sides have it. */
void whys_add(struct whys *whys, uint32_t name, enum trace_span_kind kind);

#endif /* ANNOT_WHY_H */
