/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of what CPUs do to save power: idle states -> lane -> table 34, frequencies -> lane -> table 35.
 */
#ifndef ANNOT_PAGE_OVERVIEW_POWER_H
#define ANNOT_PAGE_OVERVIEW_POWER_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

/* To lanes of one CPU: of idle states, and of frequencies in kHz. */
void overview_add_idle(struct overview_axis *axis, struct lane *lane,
		       const struct idle_table *idle);
void overview_add_frequencies(struct overview_axis *axis, struct lane *lane,
			      const struct frequency_table *frequencies);

/* Write tables 34 and 35 of @owner, with @nr_buckets. */
void overview_put_idle(struct overview_axis *axis, struct lane *lane, uint64_t owner,
		       uint32_t nr_buckets, struct block *block);
void overview_put_frequencies(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			      uint32_t nr_buckets, struct block *block);

#endif /* ANNOT_PAGE_OVERVIEW_POWER_H */
