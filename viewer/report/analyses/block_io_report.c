// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/waits/block_io.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *block_io_report_compute(const struct analyses *analyses)
{
	struct block_io *result = xcalloc(1, sizeof(*result));

	*result = block_io_compute(analyses->model);
	return result;
}

static void block_io_report_free(void *result)
{
	block_io_free(result);
	free(result);
}

static const char *block_io_report_not_computed(const void *result)
{
	const struct block_io *block_io = result;

	return block_io->nr ? NULL :
			      "the trace has no requests to devices: record block_rq_issue and "
			      "block_rq_complete";
}

static const void *group_rows(const void *result, size_t *nr)
{
	const struct block_io *block_io = result;

	*nr = block_io->nr;
	return block_io->groups;
}

static struct table_cell device_cell(const struct table_source *source, const void *row)
{
	const struct block_io_group *group = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, group->device),
	};
}

static struct table_cell op_cell(const struct table_source *source, const void *row)
{
	static const char *const names[NR_TRACE_BLOCK_OPS] = {
		[TRACE_BLOCK_READ] = "read",	   [TRACE_BLOCK_WRITE] = "write",
		[TRACE_BLOCK_DISCARD] = "discard", [TRACE_BLOCK_FLUSH] = "flush",
		[TRACE_BLOCK_OTHER] = "other",
	};

	(void)source;
	return (struct table_cell){ .text = names[((const struct block_io_group *)row)->op] };
}

static struct table_cell latency_cell(const struct block_io_group *group, uint64_t ns)
{
	return (struct table_cell){ .is_unknown = group->requests == group->cut, .whole = ns };
}

static struct table_cell median_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return latency_cell(row, ((const struct block_io_group *)row)->median_ns);
}

static struct table_cell p90_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return latency_cell(row, ((const struct block_io_group *)row)->p90_ns);
}

static struct table_cell max_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return latency_cell(row, ((const struct block_io_group *)row)->max_ns);
}

static struct table_cell thread_cell(const struct table_source *source, const void *row)
{
	const struct block_io_group *group = row;

	(void)source;
	return (struct table_cell){ .is_unknown = group->thread == MODEL_NO_THREAD,
				    .whole = group->thread };
}

#define FIELD(field) TABLE_FIELD(block_io_group, field)

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "device", "device", "The device's numbers, as lsblk(8) prints them.",
	  .cell = device_cell },
	{ COLUMN_TEXT, "op", "op", "read, write, discard, flush or other.", .cell = op_cell },
	{ COLUMN_COUNT, "requests", "count", "How many requests there were.", FIELD(requests) },
	{ COLUMN_COUNT, "bytes", "bytes", "How many bytes they asked for.", FIELD(bytes) },
	{ COLUMN_TIME, "total_ns", "total", "The sum of their latencies.", FIELD(total_ns) },
	{ COLUMN_TIME, "active_ns", "active", "The time in which any was in flight.",
	  FIELD(active_ns) },
	{ COLUMN_COUNT, "most_in_flight", "at once", "The most that were in flight at once.",
	  FIELD(most_in_flight) },
	{ COLUMN_TIME, "median_ns", "median", "The median latency.", .cell = median_cell },
	{ COLUMN_TIME, "p90_ns", "p90", "The latency that a tenth of them exceeded.",
	  .cell = p90_cell },
	{ COLUMN_TIME, "max_ns", "max", "The longest latency.", .cell = max_cell },
	{ COLUMN_COUNT, "failed", "failed", "Those that failed.", FIELD(failed) },
	{ COLUMN_COUNT, "cut", "cut",
	  "Those whose begin or end is not in the trace: they have no latency.", FIELD(cut) },
	{ COLUMN_THREAD, NULL, NULL, "The thread that issued the one with the longest latency.",
	  .cell = thread_cell },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that one began.", FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it was completed.", FIELD(longest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "devices", "Requests to devices", "device", columns, sizeof(struct block_io_group),
	  group_rows },
	{ 0 },
};

const struct analysis_desc block_io_analysis = {
	.name = "block_io",
	.help = "requests to block devices: how many, how much, how long",
	.title = "Block I/O",
	.tables = tables,
	.compute = block_io_report_compute,
	.free = block_io_report_free,
	.not_computed = block_io_report_not_computed,
};
