/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The overview of requests to block devices: requests -> a lane of each device -> table 44.
 */
#ifndef ANNOT_PAGE_OVERVIEW_DEVICES_H
#define ANNOT_PAGE_OVERVIEW_DEVICES_H

#include "model/model.h"
#include "page/block.h"
#include "page/overview/lane.h"

struct overview_device;

/* Zero-initialise; overview_free_devices(). */
struct overview_devices {
	size_t nr; /* at most MODEL_MOST_BLOCK_DEVICES: the first ones that have requests */
	struct overview_device *devices;
};

void overview_add_requests(struct overview_axis *axis, struct overview_devices *devices,
			   const struct block_io_table *block_io);
void overview_coarsen_devices(struct overview_axis *axis, struct overview_devices *devices,
			      unsigned int nr_doublings);

/* Writes a table 44 of each device, with @nr_buckets. */
void overview_put_devices(struct overview_axis *axis, struct overview_devices *devices,
			  uint32_t nr_buckets, struct block *block);
void overview_free_devices(struct overview_axis *axis, struct overview_devices *devices);

#endif /* ANNOT_PAGE_OVERVIEW_DEVICES_H */
