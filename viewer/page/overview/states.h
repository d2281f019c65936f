/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of states: a thread's rows -> lane -> table 21.
 */
#ifndef ANNOT_PAGE_OVERVIEW_STATES_H
#define ANNOT_PAGE_OVERVIEW_STATES_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* Adds the states of one thread to its lane, which is dense. */
void overview_add_states(struct overview_axis *axis, struct lane *lane,
			 const struct state_table *states);

/* Writes table 21 of @owner, with @nr_buckets. */
void overview_put_states(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			 uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_STATES_H */
