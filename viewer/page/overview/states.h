/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the overview that is states of threads: rows to lanes, lanes to table 21.
 */
#ifndef ANNOT_PAGE_OVERVIEW_STATES_H
#define ANNOT_PAGE_OVERVIEW_STATES_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* Of one thread: a dense lane. */
void overview_add_states(struct overview_axis *axis, struct lane *lane,
			 const struct state_table *states);

/* Table 21 of @owner, over @nr_buckets. */
void overview_put_states(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			 uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_STATES_H */
