// SPDX-License-Identifier: GPL-2.0
#include "page/overview/interrupts.h"

#include "page/overview/lane_runs.h"

void overview_add_interrupts(struct overview_axis *axis, struct lane *lane,
			     const struct interrupt_table *interrupts)
{
	for (size_t i = 0; i < interrupts->nr; i++) {
		if (!interrupts->depth[i])
			lane_add_time(axis, lane, interrupts->start_ns[i], interrupts->end_ns[i],
				      interrupts->kind[i]);
	}
}

void overview_put_interrupts(struct overview_axis *axis, struct lane *lane, uint64_t owner,
			     uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_INTERRUPT_OVERVIEW };

	lane_runs_add(axis, lane, nr_buckets, lane_describe_most, &runs);
	runs_put(&runs, owner, block);
	runs_free(&runs);
}
