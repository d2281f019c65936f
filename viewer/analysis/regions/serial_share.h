/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The share of a program's time in which one of its threads works alone: between parallel regions, where no other
 * thread can, and in them. Only of programs whose runtime tells where teams of threads begin and end: of another
 * program it is unknown what its threads do outside of spans.
 *
 * A thread, in a team or not, works in its spans of work, outside of wait spans. One that leads teams (the master) works outside of
 * all spans, too, on a CPU or not: a file that it reads keeps the others from work as well. The
 * elapsed time of the process, while such a thread is in the trace, is divided completely:
 *
 *	elapsed = parallel (two or more work) + alone in regions + serial (alone between) + nobody works
 *
 * Amdahl's bound is elapsed / serial: with any number of threads, what is serial remains (G. Amdahl:
 * Validity of the single processor approach, AFIPS 1967). It takes the rest for perfectly parallel, so it
 * is an upper bound. A thread that is alone in a region may be so for lack of balance, which more or
 * other threads may cure; so that is not counted as serial.
 *
 * Cost: O(n log n) of n spans.
 */
#ifndef ANNOT_SERIAL_SHARE_H
#define ANNOT_SERIAL_SHARE_H

#include "analysis/base/findings.h"

struct serial_share_program {
	uint32_t thread; /* that leads teams, the first */
	uint64_t nr_threads; /* that worked in spans */
	uint64_t elapsed_ns;
	uint64_t parallel_ns;
	uint64_t alone_ns;
	uint64_t serial_ns;
	uint64_t nobody_ns;
	uint64_t longest_from_ns; /* the longest serial work */
	uint64_t longest_to_ns;
};

struct serial_share {
	size_t nr;
	struct serial_share_program *programs; /* the most serial work first */
};

/* Never fails. serial_share_free() frees what is in it. */
struct serial_share serial_share_compute(const struct model *model);
void serial_share_free(struct serial_share *share);

/* Of elapsed time, from 0 to 1. */
double serial_share_of(const struct serial_share_program *program);

/* How many times as fast the program could be; infinite if nothing is serial. */
double serial_share_bound(const struct serial_share_program *program);

/*
 * Adds a finding for each program of several threads of which at least SERIAL_SHARE_LEAST of the elapsed
 * time is serial. Time lost is at most what would be gained if its
 * threads shared that work evenly.
 */
#define SERIAL_SHARE_LEAST 0.05
void serial_share_add_findings(const struct model *model, const struct serial_share *share,
			       struct findings *findings);

#endif /* ANNOT_SERIAL_SHARE_H */
