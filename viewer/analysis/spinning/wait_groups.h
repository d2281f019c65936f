/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Wait spans of one program, name and place: the work span that they are in, or, of those that are in none, the last
 * outermost work span of their thread before them. So the wait at a team's end is known by the team's region.
 */
#ifndef ANNOT_WAIT_GROUPS_H
#define ANNOT_WAIT_GROUPS_H

#include "analysis/base/programs.h"
#include "analysis/base/wait_spans.h"

struct wait_group {
	uint32_t program;
	uint32_t name; /* string id */
	uint32_t place; /* string id; TRACE_NO_STRING: none */
	bool is_after; /* the place has ended before */
};

struct wait_groups {
	size_t nr;
	struct wait_group *rows; /* by first appearance, thread by thread */
	uint32_t *of_wait; /* beside the rows of waits */
};

/* wait_groups_free() frees it. Cost: a walk through the spans. */
struct wait_groups wait_groups_compute(const struct model *model, const struct programs *programs,
				       const struct wait_spans *waits);
void wait_groups_free(struct wait_groups *groups);

/* Between name and place in a sentence: " in ", " after ", or nothing. */
const char *wait_group_link(const struct wait_group *group);

#endif /* ANNOT_WAIT_GROUPS_H */
