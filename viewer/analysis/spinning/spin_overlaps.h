/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When threads of the session spun on a CPU that others, who had work to do, waited for: spinning.h says what that is.
 */
#ifndef ANNOT_SPIN_OVERLAPS_H
#define ANNOT_SPIN_OVERLAPS_H

#include "analysis/regions/barriers.h"

struct spin_overlap {
	size_t wait; /* in which it spun: a row of the barriers' waits */
	int cpu;
	uint64_t from_ns;
	uint64_t to_ns;
	size_t nr_waiting; /* threads, at least one */
	const uint32_t *waiting;
};

/*
 * @spun_ns: of spin_waits.h. Each such time in which the same threads wait; those of one CPU come in order. Cost: O(n log n),
 * for each time its threads.
 */
void spin_overlaps_each(const struct model *model, const struct barriers *barriers,
			const uint64_t *spun_ns,
			void (*take)(void *context, const struct spin_overlap *overlap),
			void *context);

#endif /* ANNOT_SPIN_OVERLAPS_H */
