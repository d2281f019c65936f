/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to block devices, by device and operation: how many, how much, how long they took, how many were in flight at once.
 *
 * A request lasts from when it was queued, if the trace tells that (block_io_start), else from when the device got it
 * (block_rq_issue), until it was completed. One of which the begin or the end is not known has no latency, and is counted as
 * cut.
 */
#ifndef ANNOT_ANALYSIS_BLOCK_IO_H
#define ANNOT_ANALYSIS_BLOCK_IO_H

#include "model/model.h"

struct block_io_group {
	uint32_t device; /* string id: "8:0" */
	uint8_t op; /* enum trace_block_op */
	uint64_t requests;
	uint64_t failed;
	uint64_t cut;
	uint64_t bytes; /* of all of them */
	uint64_t total_ns; /* the sum of their latencies */
	uint64_t active_ns; /* at least one was in flight */
	uint64_t most_in_flight;
	uint64_t median_ns;
	uint64_t p90_ns;
	uint64_t max_ns;
	uint32_t thread; /* that issued the longest one; MODEL_NO_THREAD: not known */
	uint64_t longest_from_ns;
	uint64_t longest_to_ns;
};

struct block_io {
	size_t nr; /* those with the longest total first */
	struct block_io_group *groups;
};

/* Never fails. block_io_free() frees what is in it. Cost: O(n log n) over requests. */
struct block_io block_io_compute(const struct model *model);
void block_io_free(struct block_io *block_io);

#endif /* ANNOT_ANALYSIS_BLOCK_IO_H */
