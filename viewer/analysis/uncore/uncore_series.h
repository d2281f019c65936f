/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The readings of a counter that CPUs share, and what it counted between two points in time.
 *
 * A reading tells what was counted since the one before, not when in between: a part of it is taken by its share of that time, and the
 * truth lies between nothing and all of it. What was counted in a part of the time only (it took turns with others) is scaled
 * up: for that, no bound is known.
 */
#ifndef ANNOT_ANALYSIS_UNCORE_SERIES_H
#define ANNOT_ANALYSIS_UNCORE_SERIES_H

#include "model/model.h"

/* In time order. Those with a count that is not known are left out. */
struct uncore_series {
	size_t nr;
	size_t *rows; /* of model.uncore_readings */
};

/* In units of the counter. */
struct uncore_amount {
	double amount;
	double least;
	double most;
	uint64_t known_ns; /* of the time asked for, there are readings */
	bool is_scaled; /* a part of it: least and most are no bounds */
};

/* Of all of the model's uncore_counters, an array; uncore_series_free() frees it. Cost: O(n) over readings. */
struct uncore_series *uncore_series_new(const struct model *model);
void uncore_series_free(struct uncore_series *series, const struct model *model);

/* What the counter counted in [@from_ns, @to_ns). Cost: O(log n + k), k readings in between. */
struct uncore_amount uncore_series_between(const struct uncore_series *series,
					   const struct model *model, uint64_t from_ns,
					   uint64_t to_ns);

/* Adds @more to @sum. */
void uncore_amount_add(struct uncore_amount *sum, const struct uncore_amount *more);

/* What the reading counted, in units. */
double uncore_reading_amount(const struct model *model, size_t row);

#endif /* ANNOT_ANALYSIS_UNCORE_SERIES_H */
