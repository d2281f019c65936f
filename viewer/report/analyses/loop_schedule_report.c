// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/regions/loop_schedule.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *loop_schedule_report_compute(const struct analyses *analyses)
{
	struct loop_schedule *result = xcalloc(1, sizeof(*result));

	*result = loop_schedule_compute(analyses->model);
	return result;
}

static void loop_schedule_report_free(void *result)
{
	loop_schedule_free(result);
	free(result);
}

static void loop_schedule_report_add_findings(const struct analyses *analyses, const void *result,
					      struct findings *findings)
{
	loop_schedule_add_findings(analyses->model, result, findings);
}

static const void *loop_rows(const void *result, size_t *nr)
{
	const struct loop_schedule *schedule = result;

	*nr = schedule->nr;
	return schedule->loops;
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	const struct loop_schedule_loop *loop = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, loop->name),
	};
}

static struct table_cell chunk_cell(const struct table_source *source, const void *row)
{
	const struct loop_schedule_loop *loop = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !loop->chunks,
				    .whole = (uint64_t)loop_schedule_chunk_ns(loop) };
}

static struct table_cell dispatch_cell(const struct table_source *source, const void *row)
{
	const struct loop_schedule_loop *loop = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !loop->has_dispatch, .whole = loop->dispatch_ns };
}

#define FIELD(field) TABLE_FIELD(loop_schedule_loop, field)

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "loop", "loop", "The name of the loop.", .cell = name_cell },
	{ COLUMN_COUNT, "instances", "count", "How often it ran.", FIELD(instances) },
	{ COLUMN_COUNT, "threads", "threads", "The most threads that ran it together.",
	  FIELD(most_threads) },
	{ COLUMN_TIME, "elapsed_ns", "elapsed",
	  "From its first thread's begin to its last one's end.", FIELD(elapsed_ns) },
	{ COLUMN_TIME, "thread_ns", NULL, "The sum over its threads.", FIELD(thread_ns) },
	{ COLUMN_COUNT, "chunks", "chunks", "Chunks of all threads.", FIELD(chunks) },
	{ COLUMN_TIME, "chunk_ns", "per chunk", "The average time that a thread worked on a chunk.",
	  .cell = chunk_cell },
	{ COLUMN_TIME, "dispatch_ns", "dispatch",
	  "An estimate of the time that threads took to get chunks; null if the runtime does not tell.",
	  .cell = dispatch_cell },
	{ COLUMN_TIME, "tail_ns", "tail",
	  "The end of the last thread less the average end of all, summed over its instances.",
	  FIELD(tail_ns) },
	{ COLUMN_THREAD, NULL, "last", "The last thread of the instance with the longest tail.",
	  FIELD(worst_thread) },
	{ COLUMN_FROM, "worst_from_ns", NULL, "When that instance began.", FIELD(worst_from_ns) },
	{ COLUMN_TO, "worst_to_ns", NULL, "When it ended.", FIELD(worst_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "loops", "Loops whose chunks the runtime hands out", "loop", columns,
	  sizeof(struct loop_schedule_loop), loop_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_LOOP_SCHEDULE,
		"a loop is divided too finely or too coarsely",
		"The runtime hands out the iterations of a loop in chunks. Small chunks balance the load but "
		"each one costs time to get. With large chunks, threads wait for the last one.",
		"annot record --attach records how many chunks a thread got, and times every 16th request "
		"for one. Too fine: threads spend 5 % of their time in the loop or more on getting chunks. "
		"Too coarse: a thread gets fewer than 16 chunks, and the last thread ends "
		"later than the average one by 5 % of the loop's time or more, but by no more than two chunks. '<' stands "
		"before the most that could be saved.",
		"In the page, the ends of the loop's spans are ragged if chunks are too large. annot report "
		"--show loop_schedule lists each loop.",
		CATALOGUE_CURES(
			"Too fine: a larger chunk, schedule(dynamic, 64), or schedule(guided); "
			"schedule(static) if all iterations take the same time.",
			"Too coarse: a smaller chunk, schedule(dynamic, 1); the longest iterations first; "
			"collapse(2) for more iterations."),
	},
	{ 0 },
};

const struct analysis_desc loop_schedule_analysis = {
	.name = "loop_schedule",
	.help = "chunks of loops: how many, their length, what they cost to get",
	.title = "Loop schedules",
	.tables = tables,
	.catalogue = catalogue,
	.compute = loop_schedule_report_compute,
	.free = loop_schedule_report_free,
	.add_findings = loop_schedule_report_add_findings,
};
