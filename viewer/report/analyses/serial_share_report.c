// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "analysis/regions/serial_share.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *serial_share_report_compute(const struct analyses *analyses)
{
	struct serial_share *result = xcalloc(1, sizeof(*result));

	*result = serial_share_compute(analyses->model);
	return result;
}

static void serial_share_report_free(void *result)
{
	serial_share_free(result);
	free(result);
}

static void serial_share_report_add_findings(const struct analyses *analyses, const void *result,
					     struct findings *findings)
{
	serial_share_add_findings(analyses->model, result, findings);
}

static const void *program_rows(const void *result, size_t *nr)
{
	const struct serial_share *share = result;

	*nr = share->nr;
	return share->programs;
}

static struct table_cell share_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = 100 * serial_share_of(row) };
}

static struct table_cell bound_cell(const struct table_source *source, const void *row)
{
	double bound = serial_share_bound(row);

	(void)source;
	return (struct table_cell){ .is_unknown = !isfinite(bound), .real = bound };
}

#define FIELD(field) TABLE_FIELD(serial_share_program, field)

static const struct table_column columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread that leads the program's teams.",
	  FIELD(thread) },
	{ COLUMN_COUNT, "nr_threads", "threads", "Threads that led or joined teams.",
	  FIELD(nr_threads) },
	{ COLUMN_TIME, "elapsed_ns", "elapsed", "For how long the leading thread was in the trace.",
	  FIELD(elapsed_ns) },
	{ COLUMN_TIME, "parallel_ns", "parallel", "When two threads or more worked.",
	  FIELD(parallel_ns) },
	{ COLUMN_TIME, "alone_ns", "alone", "When one thread worked alone in a parallel region.",
	  FIELD(alone_ns) },
	{ COLUMN_TIME, "serial_ns", "serial",
	  "When only the leading thread worked, outside of all regions.", FIELD(serial_ns) },
	{ COLUMN_TIME, "nobody_ns", "nobody", "When all threads waited.", FIELD(nobody_ns) },
	{ COLUMN_NUMBER, "serial_pct", "serial %", "Share of the elapsed time that is serial.",
	  .cell = share_cell },
	{ COLUMN_NUMBER, "amdahl_bound", "bound",
	  "How many times as fast the program would be if all else took no time (Amdahl's law).",
	  .cell = bound_cell },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When the longest serial work began.",
	  FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "programs", "Serial work", "program", columns, sizeof(struct serial_share_program),
	  program_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SERIAL_SHARE,
		"a program works on one thread between its parallel regions",
		"Between parallel regions, only the thread that leads them works. However many threads there "
		"are, that time does not become less.",
		"The runtime tells annot where teams of threads begin and end (annot record --attach). annot "
		"sums the time in which the leading thread is outside of all regions and no other "
		"thread works. Elapsed time divided by that time is Amdahl's bound. '<' stands before what "
		"the program's threads would save at most, if they shared the work between regions "
		"evenly.",
		"In the page, the lanes of all threads but one are empty or waiting between regions. annot "
		"report --show serial_share divides each program's time.",
		CATALOGUE_CURES(
			"Put the work between regions into parallel regions, too: reading, "
			"initialising and checking data are often forgotten.",
			"Let the next step's serial work overlap with this step's parallel work: tasks, or "
			"a thread for input and output.",
			"Join regions that follow each other into one, with single and nowait where one "
			"thread is enough."),
	},
	{ 0 },
};

const struct analysis_desc serial_share_analysis = {
	.name = "serial_share",
	.help = "time in which one thread works alone, and Amdahl's bound",
	.title = "Serial work",
	.tables = tables,
	.catalogue = catalogue,
	.compute = serial_share_report_compute,
	.free = serial_share_report_free,
	.add_findings = serial_share_report_add_findings,
};
