/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A lane -> runs of a table, each described by its cell.
 */
#ifndef ANNOT_PAGE_OVERVIEW_LANE_RUNS_H
#define ANNOT_PAGE_OVERVIEW_LANE_RUNS_H

#include "page/overview/lane.h"
#include "page/overview/runs.h"

/* Sets the columns behind the run. */
typedef void lane_describer(const struct overview_axis *axis, const struct lane_cell *cell,
			    uint64_t values[RUNS_COLUMNS_MAX]);

/* Of @nr_buckets; those without a cell are all 0. A lane without any has no runs. */
void lane_runs_add(struct overview_axis *axis, struct lane *lane, uint32_t nr_buckets,
		   lane_describer *describe, struct runs *runs);

/* What a table of a number and a share has: the number that lasted longest, and the share of all. */
void lane_describe_most(const struct overview_axis *axis, const struct lane_cell *cell,
			uint64_t values[RUNS_COLUMNS_MAX]);

#endif /* ANNOT_PAGE_OVERVIEW_LANE_RUNS_H */
