/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One figure of several runs before and several after: a value of each run that has it, and how the means compare.
 */
#ifndef ANNOT_RUNS_VALUE_H
#define ANNOT_RUNS_VALUE_H

#include "analysis/runs/run_figures.h"
#include "analysis/stats/welch_test.h"

#define RUNS_MOST_P 0.05

/* The runs before and after, one at least of each. */
struct runs {
	const struct string_table *names;
	size_t nr[2];
	struct run_figures *rows[2];
};

/* Over the runs that have it. */
struct runs_value {
	struct sample samples[2]; /* before, after */
	struct welch_test test; /* if both sides have it */
	double adjusted_p;
	bool stands_out;
};

/* The values of one figure, a run each, while they are collected. */
struct runs_values {
	size_t nr[2];
	double *values[2];
};

/* Of none yet; runs_value_of() frees them. */
struct runs_values runs_values_new(const struct runs *runs);
void runs_values_add(struct runs_values *values, int side, double value);

/* @test: welch_test_of_ratio() or welch_test_of_difference(). */
struct runs_value runs_value_of(struct runs_values *values,
				struct welch_test (*test)(const struct sample *before,
							  const struct sample *after));

/* Whether a side has this figure. */
static inline bool runs_value_is_known(const struct runs_value *value, int side)
{
	return value->samples[side].nr > 0;
}

static inline bool runs_value_is_compared(const struct runs_value *value)
{
	return runs_value_is_known(value, 0) && runs_value_is_known(value, 1);
}

#endif /* ANNOT_RUNS_VALUE_H */
