/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Barriers, recognised by the wait spans of one name: no thread leaves before the last has arrived, and
 * the last one goes on at once.
 *
 * Wait spans of one name and team, one of each thread, that have a time in common are one meeting.
 * Meetings of two or more threads are barriers if, in all meetings of that name together, the last to
 * arrive waited at most a third of the longest waits. The time compared is sleep if those waits were
 * slept through, and time on a CPU if they were spun through. Locks do not pass this test: their last
 * thread waits longest. Waits for the end of a team (SPAN_OF_TEAM) are barriers by their own word: those of one team are
 * one meeting, whatever they last.
 *
 * Cost: O(n log n) of n wait spans.
 */
#ifndef ANNOT_BARRIERS_H
#define ANNOT_BARRIERS_H

#include "analysis/base/wait_spans.h"

#define NO_BARRIER SIZE_MAX

struct barrier {
	size_t first; /* its waits: members[first] to members[first + nr - 1], in order of arrival */
	size_t nr;
	uint64_t release_ns; /* when the last thread arrived */
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

/* Until when the thread of row @wait of waits had to wait: until the barrier let all go, else until its end. */
uint64_t barriers_wait_end_ns(const struct barriers *barriers, size_t wait);

/* The thread that arrived last. */
uint32_t barrier_last(const struct barriers *barriers, const struct barrier *barrier);

#endif /* ANNOT_BARRIERS_H */
