/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How fast threads are beside a busy SMT sibling, and alone on their core: instructions per cycle, or per nanosecond where cycles
 * were not counted (then a lower frequency counts, too), from the counts of slices.
 *
 * Of a slice in which the sibling was busy for the share f, the instructions are
 *	instructions = alone x (1 - f) x time + shared x f x time, its time in cycles or in ns.
 * The two rates of a thread are fitted to its slices by least squares, with the weight 1 / time. They are known if SMT_RATE_LEAST
 * slices and SMT_RATE_LEAST_NS or more each are beside a busy sibling (f of 0.9 or more) and alone (0.1 or less).
 *
 * Bounds are the 2.5th and the 97.5th percentile of 999 bootstrap samples of blocks of neighbouring slices, as in
 * switch_excess.h. What a thread does is taken as alike with and without a busy sibling: if it does other work whenever the
 * sibling is busy, the figures tell that, too.
 */
#ifndef ANNOT_SMT_RATES_H
#define ANNOT_SMT_RATES_H

#include "analysis/sched/smt_times.h"

#define SMT_RATE_LEAST 10
#define SMT_RATE_LEAST_NS 1000000u

enum smt_measure {
	SMT_NOT_MEASURED, /* no instructions were counted */
	SMT_PER_NS,
	SMT_PER_CYCLE,
};

struct smt_rate {
	bool known;
	uint64_t alone_slices; /* in which the sibling was idle ... */
	uint64_t alone_ns;
	uint64_t shared_slices; /* ... or busy, nearly all the time */
	uint64_t shared_ns;
	double alone; /* the rates, if they are known */
	double shared;
	double slower; /* 1 - shared / alone; its bounds */
	double slower_low;
	double slower_high;
};

struct smt_rates {
	enum smt_measure measure;
	struct smt_rate *of_thread; /* of the model; NULL if nothing was measured */
};

/* Never fails. smt_rates_free() frees what is in it. Cost: O(n) of n slices, and 999 times 64 blocks of each thread. */
struct smt_rates smt_rates_compute(const struct model *model, const struct smt_times *times);
void smt_rates_free(struct smt_rates *rates);

/* "instructions per cycle", ... */
const char *smt_measure_name(enum smt_measure measure);

#endif /* ANNOT_SMT_RATES_H */
