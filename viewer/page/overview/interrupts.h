/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of interrupts: rows -> lane -> table 36.
 */
#ifndef ANNOT_PAGE_OVERVIEW_INTERRUPTS_H
#define ANNOT_PAGE_OVERVIEW_INTERRUPTS_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* To the lane of one CPU, of kinds. What is inside of another one is that one's time. */
void overview_add_interrupts(struct overview_axis *axis, struct lane *lane,
			     const struct interrupt_table *interrupts);

/* Writes table 36 of @owner, with @nr_buckets. */
void overview_put_interrupts(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			     uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_INTERRUPTS_H */
