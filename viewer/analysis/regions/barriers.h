/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Barriers, found by what wait spans do: nobody leaves before the last has come, and whoever comes
 * last goes on at once. Spans of one name and team that have a moment in common, one of each thread,
 * are one meeting; meetings of two and more are barriers if in all meetings of that name the last
 * to come waited, together, for at most a third of what the longest waits were: slept, where those
 * were slept through, or ran, where they were spun through. Of a lock that does not hold: who comes
 * last waits longest.
 *
 * Cost: O(n log n) of n wait spans.
 */
#ifndef ANNOT_BARRIERS_H
#define ANNOT_BARRIERS_H

#include "analysis/base/wait_spans.h"

#define NO_BARRIER SIZE_MAX

struct barrier {
	size_t first; /* its waits: members[first] to members[first + nr - 1], the last comes last */
	size_t nr;
	uint64_t release_ns; /* when the last came */
};

struct barriers {
	struct wait_spans waits;
	size_t nr;
	struct barrier *rows; /* in order of release */
	size_t *members; /* rows of waits */
	size_t *barrier_of; /* beside waits: NO_BARRIER for other waits */
};

/* barriers_free() frees it. */
struct barriers barriers_compute(const struct model *model);
void barriers_free(struct barriers *barriers);

/* Who came last. */
uint32_t barrier_last(const struct barriers *barriers, const struct barrier *barrier);

#endif /* ANNOT_BARRIERS_H */
