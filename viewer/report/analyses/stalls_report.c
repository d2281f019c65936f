// SPDX-License-Identifier: GPL-2.0
/*
 * stalls: what mispredicted branches, missed instruction fetches and page walks cost, by task.
 */
#include <math.h>
#include <stdlib.h>

#include "analysis/topdown/stalls.h"
#include "analysis/topdown/stalls_findings.h"
#include "report/analysis_list.h"
#include "report/samples/task_places.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *stalls_report_compute(const struct analyses *analyses)
{
	struct stalls *stalls = xcalloc(1, sizeof(*stalls));

	*stalls = stalls_compute(analyses->model, analyses->stats);
	return stalls;
}

static void stalls_report_free(void *result)
{
	stalls_free(result);
	free(result);
}

static void stalls_report_add_findings(const struct analyses *analyses, const void *result,
				       struct findings *findings)
{
	const struct finding_places places = { task_places_say, analyses };

	stalls_add_findings(analyses->model, analyses->stats, result, &places, findings);
}

static const char *stalls_report_not_computed(const void *result)
{
	const struct stalls *stalls = result;

	return stalls->nr ?
		       NULL :
		       "no such event was measured (annot record -e branch_miss or --count branch_miss,icache_miss,page_walk_cycles)";
}

static const void *stall_rows(const void *result, size_t *nr)
{
	const struct stalls *stalls = result;

	*nr = stalls->nr;
	return stalls->rows;
}

static struct table_cell event_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct stall_row *own = row;

	return (struct table_cell){
		.text = trace_string(model->trace, model->pmu_events[own->event].name),
	};
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct analyses *analyses = source->analyses;
	const struct stall_row *own = row;

	if (own->task == NO_TASK)
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){
		.text = trace_string(analyses->model->trace,
				     analyses->stats->tasks[own->task].name),
	};
}

static struct table_cell percent(double share)
{
	return (struct table_cell){ .real = 100 * share };
}

static struct table_cell share_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return percent(((const struct stall_row *)row)->share);
}

static struct table_cell low_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return percent(((const struct stall_row *)row)->low);
}

static struct table_cell high_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return percent(((const struct stall_row *)row)->high);
}

static struct table_cell error_cell(const struct table_source *source, const void *row)
{
	const struct stall_row *own = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !isfinite(own->error), .real = own->error };
}

static struct table_cell from_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){
		.text = stall_is_assumed(((const struct stall_row *)row)->stall) ? "assumed" :
										   "counted",
	};
}

static struct table_cell ghz_cell(const struct table_source *source, const void *row)
{
	const struct stalls *stalls = source->result;

	(void)row;
	return (struct table_cell){ .is_unknown = !stalls->is_clock_counted, .real = stalls->ghz };
}

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "event", "event", "The event that was measured.", .cell = event_cell },
	{ COLUMN_TEXT, "task", "task", "The task; null: all threads of the session together.",
	  .cell = task_cell },
	{ COLUMN_TIME, "on_cpu_ns", "on CPU", "The time on CPUs in which it was measured.",
	  TABLE_FIELD(stall_row, on_cpu_ns) },
	{ COLUMN_NUMBER, "count", "events", "How many there were.", TABLE_FIELD(stall_row, count) },
	{ COLUMN_NUMBER, "count_error", "+/-",
	  "The truth is within it in 95 of 100 cases; null: nobody knows.", .cell = error_cell },
	{ COLUMN_NUMBER, "cycles_each", "cycles", "What one costs; 1: cycles are what is counted.",
	  TABLE_FIELD(stall_row, cycles_each) },
	{ COLUMN_TEXT, "from", "from", "Where that is from: assumed, or counted.",
	  .cell = from_cell },
	{ COLUMN_NUMBER, "share_pct", "share %",
	  "Their part of the time on CPUs, if the core does nothing else meanwhile.",
	  .cell = share_cell },
	{ COLUMN_NUMBER, "share_low_pct", "low", "Begin of its interval, 95 %, by the count's.",
	  .cell = low_cell },
	{ COLUMN_NUMBER, "share_high_pct", "high", "Its end.", .cell = high_cell },
	{ COLUMN_NUMBER, "ghz", NULL,
	  "Cycles in a nanosecond, as they were counted; null: 3 were assumed.", .cell = ghz_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "rows", "What events cost that keep the core from its work", "task", columns,
	  sizeof(struct stall_row), stall_rows },
	{ 0 },
};

#define HOW_FOUND(what, threshold)                                                              \
	"Counted or sampled events, times " what ", are more than " threshold                   \
	" % of a task's time on CPUs, with all of their interval. The task that loses most is " \
	"named; without tasks, the session. The time lost is at most that share of the time "   \
	"on a CPU of the thread with most."
#define HOW_TO_SEE "annot report --show stalls has all tasks."

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_BRANCH_MISSES,
		"branches are predicted wrongly",
		"At each mispredicted branch the core throws away what it had begun behind it, and starts anew.",
		HOW_FOUND("17 cycles, which is assumed", "10"),
		HOW_TO_SEE
		" Samples (annot record -e branch_miss) tell the branches: annot report --by line.",
		CATALOGUE_CURES(
			"Branches on data: sort the data, or compute both sides and select (conditional moves, masks).",
			"Profile-guided optimisation.",
			"Virtual calls and switches over types: group what is of one type."),
	},
	{
		FINDING_ICACHE_MISSES,
		"instructions are not in the nearest cache",
		"The code that runs is larger than the first cache of instructions, or comes from many places.",
		HOW_FOUND("14 cycles, which is assumed: as if all were in L2", "5"),
		HOW_TO_SEE " Samples (annot record -e icache_miss) tell where it misses.",
		CATALOGUE_CURES("Make the code that is often run smaller and closer together: "
				"profile-guided optimisation, -O2 rather than -O3, less inlining.",
				"A linker that orders functions by who calls whom.",
				"Huge pages for code, where it is large."),
	},
	{
		FINDING_PAGE_WALKS,
		"addresses are looked up in page tables",
		"Loads and stores touch more pages than the TLBs hold, so the CPU walks through page tables.",
		HOW_FOUND("1 cycle: cycles of walks are what is counted", "10"),
		HOW_TO_SEE
		" Samples (annot record -e dtlb_load_miss) tell at which data, and whether that is in huge "
		"pages already: annot report --by object.",
		CATALOGUE_CURES(
			"Huge pages, for data that is not in them: madvise(MADV_HUGEPAGE), or a library of the allocator's.",
			"Lay out together what is used together; work on blocks.",
			"Avoid strides of a page and more."),
	},
	{ 0 },
};

const struct analysis_desc stalls_analysis = {
	.name = "stalls",
	.help = "what mispredicted branches, missed instruction fetches and page walks cost, by task",
	.title = "Stalls",
	.tables = tables,
	.catalogue = catalogue,
	.compute = stalls_report_compute,
	.free = stalls_report_free,
	.add_findings = stalls_report_add_findings,
	.not_computed = stalls_report_not_computed,
};
