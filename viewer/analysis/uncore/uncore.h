/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters that the CPUs of a socket or a die share, as energy and the transfers of memory controllers: how much they counted in
 * all, and in the regions.
 *
 * Whose threads caused it is not known: all that run on the socket's CPUs did. A rate is by the time between two readings of the counter
 * itself, as the kernel gives it with each (perf_event_open(2), time_enabled).
 */
#ifndef ANNOT_ANALYSIS_UNCORE_H
#define ANNOT_ANALYSIS_UNCORE_H

#include "analysis/regions/regions.h"
#include "analysis/uncore/uncore_series.h"

struct uncore_total {
	uint32_t counter; /* of model.uncore_counters */
	uint64_t nr_readings;
	double amount; /* in units */
	double per_s; /* the mean of the time in which it is known */
	double least_per_s; /* of one reading */
	double most_per_s;
	uint64_t known_ns;
	uint64_t lasted_ns; /* of all readings */
	uint64_t running_ns; /* of that, it was counted */
	uint64_t most_from_ns; /* the reading with the highest rate */
	uint64_t most_to_ns;
};

/* A counter in all regions of a group. */
struct uncore_region {
	size_t group; /* of regions.groups */
	uint32_t counter;
	struct uncore_amount amount;
	uint64_t elapsed_ns; /* of the regions */
};

struct uncore {
	size_t nr_totals; /* of counters with readings */
	struct uncore_total *totals;
	size_t nr_regions;
	struct uncore_region *regions; /* by group */
};

/* Never fails; uncore_free() frees what is in it. Cost: O(n + r log n) over n readings and r regions, each with the readings in it. */
struct uncore uncore_compute(const struct model *model, const struct regions *regions);
void uncore_free(struct uncore *uncore);

#endif /* ANNOT_ANALYSIS_UNCORE_H */
