/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which event has the places of a sampled one: its instructions, addresses, latencies and levels.
 *
 * A precise event of Intel's has them itself. AMD's CPUs count and sample misses with the core's counters, whose samples have no
 * address and the wrong instruction; ibs_op samples instructions with all of that, but no counts. So, where one of
 * our names is of accesses to data, the two go together: the one is for counts and density, the other for places.
 */
#ifndef ANNOT_PMU_PLACES_H
#define ANNOT_PMU_PLACES_H

#include "pmu/aliases.h"
#include "pmu/request.h"

enum pmu_places {
	PLACES_OWN, /* none but its own, if it has any */
	PLACES_OF_IBS,
	PLACES_MISSING, /* they would be of IBS, but the kernel has none here */
};

/* @code: what @alias came to on this CPU; NULL: nothing. */
enum pmu_places pmu_places_of(const struct pmu_alias *alias, const struct pmu_code *code);

/*
 * Appends ibs_op to @requests, in their modes, if a sampled one needs it for its places; not if its name gives a precise=, nor if IBS is
 * among them, nor if there are @most already. Warns, as @command, if there is no IBS. Returns an exit status.
 */
int pmu_places_add(struct pmu_requests *requests, size_t most, const char *command);

#endif /* ANNOT_PMU_PLACES_H */
