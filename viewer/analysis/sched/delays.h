/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cost of waiting for a CPU, to the program as a whole. A thread that is kept from running arrives late
 * at its next meeting with other threads: a barrier, or the program's end. Only the thread that arrives last
 * makes the others wait. So the program loses, at each meeting,
 *
 * 	max(a_t) - max(a_t - d_t)
 *
 * where a_t is the time at which thread t arrived, and d_t the time for which it was kept from running since
 * its last meeting. This is elapsed time. It is also the time by which the wait spans of the threads that
 * had arrived before became longer.
 *
 * Wait spans of one name are a meeting if they overlap: no thread leaves before all have arrived. They are
 * of one process if that has several threads with wait spans, else of one program. Locks, and waits without
 * a partner, are no meetings. The end of a program is where the last span of each thread ends. For a program
 * without annotations, it is the end of the thread that was on a CPU longest.
 *
 * Not modelled: further effects of a late arrival on the next meeting, and what the other threads could have
 * done with a CPU that ran no other program.
 */
#ifndef ANNOT_DELAYS_H
#define ANNOT_DELAYS_H

#include "analysis/base/programs.h"

/* What kept a thread from running. */
enum delay_cause {
	DELAY_BY_OTHERS, /* threads of other programs ran on its CPU */
	DELAY_BY_OWN, /* threads of its own program ran on its CPU */
	DELAY_BY_NOBODY, /* the CPU was idle, or the thread on it is unknown */
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

enum delay_cause delay_cause(const struct programs *programs, uint32_t thread, uint32_t by);

/*
 * Without any; delays_free() frees them. Takes over @meets. delays_add() takes those of one thread after the other, each
 * thread's in order, and leaves out what no meeting asks for; behind the last is delays_end().
 */
struct delays delays_new(const struct model *model, bool *meets);
void delays_add(struct delays *delays, uint32_t thread, const struct delay *delay);
void delays_end(struct delays *delays, const struct model *model);
void delays_free(struct delays *delays);

/* The first delay of @thread that ends after @time_ns. */
size_t delays_find(const struct delays *delays, uint32_t thread, uint64_t time_ns);

#endif /* ANNOT_DELAYS_H */
