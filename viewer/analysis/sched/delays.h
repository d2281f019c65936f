/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What waiting for a CPU cost the program as a whole. A thread that is kept from running is late by
 * that at the next point where it meets others: a barrier, or the program's end. Only whoever comes
 * last makes the others wait, so the program loses, at each meeting,
 *
 *	max(a_t) - max(a_t - d_t)
 *
 * where a_t is when thread t arrived and d_t how long it had been kept from running since the last
 * meeting it was at. That is elapsed time, and it is also by how much the wait spans of those who
 * had arrived before lasted longer.
 *
 * Wait spans of one name make a meeting if they overlap: nobody leaves before all have come. They
 * are of one process, if that has several threads with wait spans, else of one program. Locks, and
 * whatever has no partner, are no meetings. A program's end is where the last span of each thread
 * ends; of one that annotates nothing, the end of the thread that was on a CPU most.
 *
 * What a late arrival at one meeting does to the next beyond what follows from the above is not
 * modelled; nor is it asked what the CPU that was given to nobody else would have done for the rest.
 */
#ifndef ANNOT_DELAYS_H
#define ANNOT_DELAYS_H

#include "analysis/base/programs.h"

/* What kept a thread from running. */
enum delay_cause {
	DELAY_BY_OTHERS, /* threads of other programs ran on its CPU */
	DELAY_BY_OWN, /* threads of its own program did */
	DELAY_BY_NOBODY, /* the CPU was idle, or nobody knows who ran */
	NR_DELAY_CAUSES,
};

#define PROGRAM_NOBODY UINT32_MAX

struct delay {
	uint64_t from_ns;
	uint64_t to_ns;
	uint32_t by; /* a program, or PROGRAM_NOBODY */
};

/* Of the threads that come to meetings: those of thread t are rows[first[t]] to rows[first[t + 1]], in
 * order of time; they do not overlap. */
struct delays {
	size_t nr;
	size_t capacity;
	struct delay *rows;
	size_t *first;
	bool *meets; /* by thread */
};

struct sync_point {
	uint32_t program;
	bool is_end; /* the program's end */
	size_t nr_threads;
	uint32_t last; /* the thread that came last ... */
	uint64_t at_ns; /* ... and when */
	uint64_t since_ns; /* its meeting before */
	uint64_t late_ns[NR_DELAY_CAUSES]; /* elapsed, by which it was later */
	uint64_t waited_ns[NR_DELAY_CAUSES]; /* of all who were there before, in wait spans */
};

enum delay_cause delay_cause(const struct programs *programs, uint32_t thread, uint32_t by);

/*
 * Without any; delays_free() frees them. delays_add() takes those of one thread after the other, each
 * thread's in order, and leaves out what no meeting asks for; behind the last is delays_end().
 */
struct delays delays_new(const struct model *model, const struct programs *programs);
void delays_add(struct delays *delays, uint32_t thread, const struct delay *delay);
void delays_end(struct delays *delays, const struct model *model);
void delays_free(struct delays *delays);

/* The first delay of @thread that ends after @time_ns. */
size_t delays_find(const struct delays *delays, uint32_t thread, uint64_t time_ns);

/* By thread: whether it comes to any meeting. free() it. */
bool *sync_points_threads(const struct model *model, const struct programs *programs);

/* All meetings, in order of time. Cost: O(n log n) over spans and delays. */
void sync_points_each(const struct model *model, const struct programs *programs,
		      const struct delays *delays,
		      void (*take)(void *context, const struct sync_point *point), void *context);

#endif /* ANNOT_DELAYS_H */
