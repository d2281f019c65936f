/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether chance explains that instances are slow, or what they have more of.
 */
#ifndef ANNOT_SLOW_CHANCE_H
#define ANNOT_SLOW_CHANCE_H

#include "analysis/instances/instance_split.h"

/* An instance that was looked at, and by what it differs from the typical ones. */
struct split_instance {
	struct instance_times times;
	int64_t parts_ns[NR_INSTANCE_PARTS];
};

struct split_instances {
	size_t nr;
	struct split_instance *rows;
};

/*
 * The chance that of @nr instances @nr_slow or more are @deviations or more above the median, if their wall times differ by
 * normal noise only, whose standard deviation is the distance of the quartiles / 1.349. That is known from the same instances,
 * to 1.24 / sqrt(nr) of it (by the asymptotic variance of quantiles: David, Nagaraja: Order Statistics, 2003, chapter 10), so
 * it is the mean of binomial tails for what it may be; and twice that, as @nr_slow is read off the instances, too.
 */
double slow_chance_of_number(size_t nr, size_t nr_slow, double deviations);

/*
 * The p-value that @slow have no other @part than @typical: Mann and Whitney's test (rank_test.h). Of PART_BLOCKED, what was
 * blocked on @cause. It tells a part that all slow ones have from one that a single one has.
 */
double slow_chance_of_part(const struct split_instances *typical,
			   const struct split_instances *slow, enum instance_part part,
			   uint32_t cause);

#endif /* ANNOT_SLOW_CHANCE_H */
