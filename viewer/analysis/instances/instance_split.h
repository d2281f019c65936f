/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why instances of a task take longer than others: the difference of their wall times, split without a rest.
 *
 * What a thread's time was spent on (instance_times.h) adds up to its wall time, so the differences add up, too. The
 * difference in useful time is split further where instructions and cycles were counted, as useful time is
 *	instructions x cycles per instruction x time per cycle
 * (product_split.h). Of what cycles per instruction make, misses and busy SMT siblings have the part that they explain
 * among all instances that were looked at, by least squares:
 *	cycles = a instructions + b misses + c instructions x share of the time beside a busy sibling
 * A coefficient that is not positive by 1.96 standard errors explains nothing.
 */
#ifndef ANNOT_INSTANCE_SPLIT_H
#define ANNOT_INSTANCE_SPLIT_H

#include "analysis/instances/instance_times.h"
#include "analysis/stats/least_squares.h"

enum instance_part {
	PART_INSTRUCTIONS,
	PART_MISSES,
	PART_SIBLING,
	PART_IPC, /* fewer instructions per cycle, for another reason */
	PART_CLOCK, /* a lower frequency; or in the kernel, if that was not counted */
	PART_USEFUL, /* all of these together, if they were not counted */
	PART_STOLEN,
	PART_SPINNING,
	PART_PREEMPTED,
	PART_WAKEUP,
	PART_BLOCKED,
	PART_UNKNOWN,
	NR_INSTANCE_PARTS,
};

/* What instances teach of their task; all 0 at first. */
struct instance_split_rates {
	struct least_squares with_misses; /* instructions, misses */
	struct least_squares with_sibling; /* instructions, instructions beside a busy sibling */
	struct least_squares with_both;
};

void instance_split_learn(struct instance_split_rates *rates, const struct instance_times *times);

/* Adds what @more were taught. */
void instance_split_merge(struct instance_split_rates *rates,
			  const struct instance_split_rates *more);

/* How much longer @slow took than @usual, both on average: the sum is returned, and its parts put in @parts_ns. */
int64_t instance_split(const struct instance_split_rates *rates, const struct instance_times *usual,
		       const struct instance_times *slow, int64_t *parts_ns);

/* Whether useful time can be split: counts are known, and well enough. */
bool instance_split_is_counted(const struct instance_times *usual,
			       const struct instance_times *slow);

/* What @slow was blocked on longest, beyond what @usual was; TRACE_NO_STRING: not known. */
uint32_t instance_split_cause(const struct instance_times *usual,
			      const struct instance_times *slow);

/* "more instructions", "preempted", ... @with_kernel: counts are of the kernel, too. */
const char *instance_part_name(enum instance_part part, bool with_kernel);

#endif /* ANNOT_INSTANCE_SPLIT_H */
