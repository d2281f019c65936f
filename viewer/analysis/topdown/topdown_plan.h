/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which figures of top-down can be computed of a trace, and from which of its counted events.
 */
#ifndef ANNOT_TOPDOWN_PLAN_H
#define ANNOT_TOPDOWN_PLAN_H

#include "analysis/topdown/formulas.h"
#include "analysis/topdown/metric_estimate.h"

struct topdown_plan {
	struct metric_inputs inputs; /* events of one choice of sides */
	struct metric_expr figures[NR_TOPDOWN_FIGURES]; /* without operations: not known */
	size_t nr_known; /* 0: no events of top-down were counted */
	bool needs_whole_core; /* a formula takes the thread for the only one on its core, and cores have several */
	bool takes_turns; /* there were too few counters for all events */
};

/* Of the model's events and topology; its trace has their names. topdown_plan_free() frees it. */
struct topdown_plan topdown_plan_make(const struct model *model);
void topdown_plan_free(struct topdown_plan *plan);

#endif /* ANNOT_TOPDOWN_PLAN_H */
