// SPDX-License-Identifier: GPL-2.0
#include "page/overview/spans.h"

#include <stdlib.h>

#include "page/overview/runs.h"
#include "util/xalloc.h"

#define SPAN_KIND_BITS 1
#define KERNEL_KIND_BITS 4

_Static_assert(NR_TRACE_KERNEL_KINDS <= 1 << KERNEL_KIND_BITS, "a kind fits");

/* Spans of the same name and kind have the same number. Memory cannot hold 2^28 names. */
static uint32_t name_and_kind(const struct span_table *spans, size_t row)
{
	return spans->name[row] << SPAN_KIND_BITS | (spans->kind[row] == TRACE_SPAN_WAIT);
}

static struct lane *lane_of(struct overview_depths *depths, uint32_t depth)
{
	if (depth >= depths->nr) {
		depths->lanes = xrealloc_array(depths->lanes, depth + 1, sizeof(*depths->lanes));
		while (depths->nr <= depth)
			depths->lanes[depths->nr++] = lane_new(false);
	}
	return &depths->lanes[depth];
}

void overview_add_spans(struct overview_axis *axis, struct overview_depths *depths,
			const struct span_table *spans)
{
	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->depth[i] < UINT8_MAX)
			lane_add_time(axis, lane_of(depths, spans->depth[i]), spans->start_ns[i],
				      spans->end_ns[i], name_and_kind(spans, i));
	}
}

/* The same of what a thread does in the kernel. */
static uint32_t name_and_kernel_kind(const struct kernel_slice_table *slices, size_t row)
{
	return slices->name[row] << KERNEL_KIND_BITS | slices->kind[row];
}

void overview_add_kernel_slices(struct overview_axis *axis, struct overview_depths *depths,
				const struct kernel_slice_table *slices)
{
	for (size_t i = 0; i < slices->nr; i++) {
		if (slices->depth[i] < UINT8_MAX && !(slices->flags[i] & KERNEL_MARK))
			lane_add_time(axis, lane_of(depths, slices->depth[i]), slices->start_ns[i],
				      slices->end_ns[i], name_and_kernel_kind(slices, i));
	}
}

void overview_coarsen_depths(struct overview_axis *axis, struct overview_depths *depths,
			     unsigned int nr_doublings)
{
	for (uint32_t depth = 0; depth < depths->nr; depth++)
		lane_coarsen(axis, &depths->lanes[depth], nr_doublings, false);
}

void overview_free_depths(struct overview_axis *axis, struct overview_depths *depths)
{
	for (uint32_t depth = 0; depth < depths->nr; depth++)
		lane_free(axis, &depths->lanes[depth]);
	free(depths->lanes);
}

/* The low @kind_bits of a number are the kind. */
static void add_depth(struct overview_axis *axis, struct lane *lane, uint32_t depth,
		      uint32_t nr_buckets, unsigned int kind_bits, struct runs *runs)
{
	uint64_t nothing[RUNS_COLUMNS_MAX] = { depth };
	struct lane_reader reader;
	const struct lane_cell *cell;
	uint32_t at = 0;

	lane_read_begin(&reader, axis, lane);
	while ((cell = lane_read(&reader))) {
		uint32_t nr = cell->nr_whole ? cell->nr_whole : 1;
		const struct lane_amount *most = lane_cell_most(cell);
		uint64_t values[RUNS_COLUMNS_MAX] = {
			depth,
			0,
			most->of >> kind_bits,
			most->of & ((1u << kind_bits) - 1),
			overview_share(axis, most->amount),
		};

		runs_add(runs, cell->bucket - at, nothing);
		runs_add(runs, nr, values);
		at = cell->bucket + nr;
	}
	runs_add(runs, nr_buckets - at, nothing);
}

static void put_depths(struct overview_axis *axis, struct overview_depths *depths, uint64_t owner,
		       uint32_t nr_buckets, unsigned int kind_bits, struct runs *runs,
		       struct block *block)
{
	for (uint32_t depth = 0; depth < depths->nr; depth++)
		add_depth(axis, &depths->lanes[depth], depth, nr_buckets, kind_bits, runs);
	runs_put(runs, owner, block);
	runs_free(runs);
}

void overview_put_depths(struct overview_axis *axis, struct overview_depths *depths, uint64_t owner,
			 uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_SPAN_OVERVIEW, .run_column = 1 };

	put_depths(axis, depths, owner, nr_buckets, SPAN_KIND_BITS, &runs, block);
}

void overview_put_kernel_depths(struct overview_axis *axis, struct overview_depths *depths,
				uint64_t owner, uint32_t nr_buckets, struct block *block)
{
	struct runs runs = { .kind = PAGE_KERNEL_OVERVIEW, .run_column = 1 };

	put_depths(axis, depths, owner, nr_buckets, KERNEL_KIND_BITS, &runs, block);
}
