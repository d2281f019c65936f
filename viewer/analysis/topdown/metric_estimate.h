/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a formula comes to, from the counts of slices, and how sure that is.
 *
 * A slice counts if all events of the formula were counted in all of it: they were measured together. The share of the time in
 * which they were is told. Where that is all of it, the figure is exact, as the counters are. Else there is an interval: the 2.5th and
 * the 97.5th percentile of 499 bootstrap samples of blocks of neighbouring slices, which are drawn from a finite number of slices, so it
 * is narrower by the root of the share that is missing (Cochran: Sampling Techniques, 2.6); and wider by what percentiles of few blocks
 * lack (Hesterberg: What Teachers Should Know About the Bootstrap, The American Statistician 69, 2015). It takes slices without counts for
 * slices like the others.
 */
#ifndef ANNOT_METRIC_ESTIMATE_H
#define ANNOT_METRIC_ESTIMATE_H

#include "analysis/topdown/event_names.h"
#include "analysis/topdown/metric_expr.h"
#include "analysis/topdown/metric_slices.h"
#include "model/pmu/pmu.h"

#define METRIC_MOST_INPUTS (3 * MODEL_MAX_COUNTERS) /* of user code, of the kernel, of both */
#define METRIC_LEAST_BLOCKS 10 /* for an interval */
#define METRIC_ALL_MEASURED 0.9999

/* The events that formulas are computed from. */
struct metric_inputs {
	const struct model *model;
	unsigned int sides; /* EVENT_* */
	size_t nr;
	struct counted_event events[METRIC_MOST_INPUTS];
};

/* A name of an event in a formula; counts it among the inputs. */
struct metric_name metric_inputs_name(struct metric_inputs *inputs, const char *name);

struct metric_estimate {
	bool is_known;
	bool has_bounds;
	double value;
	double low; /* its interval; without bounds: the value */
	double high;
	double measured; /* the share of the time */
};

struct metric_estimate metric_estimate_of(const struct metric_inputs *inputs,
					  const struct metric_expr *expr,
					  const struct metric_slices *slices);

#endif /* ANNOT_METRIC_ESTIMATE_H */
