// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/memory/fault_storms.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *fault_storms_report_compute(const struct analyses *analyses)
{
	struct fault_storms *result = xcalloc(1, sizeof(*result));

	*result = fault_storms_compute(analyses->model);
	return result;
}

static void fault_storms_report_free(void *result)
{
	fault_storms_free(result);
	free(result);
}

static void fault_storms_report_add_findings(const struct analyses *analyses, const void *result,
					     struct findings *findings)
{
	fault_storms_add_findings(analyses->model, result, findings);
}

static const char *fault_storms_report_not_computed(const void *result)
{
	const struct fault_storms *storms = result;

	return storms->nr ? NULL : "the trace has no page faults: record events of exceptions";
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct fault_storms *fault_storms = result;

	*nr = fault_storms->nr;
	return fault_storms->threads;
}

#define FIELD(field) TABLE_FIELD(fault_storms_thread, field)

static struct table_cell share_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = 100 *
					    ((const struct fault_storms_thread *)row)->share };
}

static const struct table_column columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread with page faults.", FIELD(thread) },
	{ COLUMN_COUNT, "faults", "faults", "How many page faults it had.", FIELD(faults) },
	{ COLUMN_COUNT, "storms", "storms", "How many storms.", FIELD(storms) },
	{ COLUMN_COUNT, "storm_faults", "in storms", "How many page faults these have.",
	  FIELD(storm_faults) },
	{ COLUMN_COUNT, "storm_pages", "pages", "Of how many different pages of 4 KiB these are.",
	  FIELD(storm_pages) },
	{ COLUMN_TIME, "ns", "time",
	  "For how long it was on CPUs in storms: an upper bound of what their faults cost.",
	  FIELD(ns) },
	{ COLUMN_NUMBER, "share_pct", "time %", "The share of its time on CPUs.",
	  .cell = share_cell },
	{ COLUMN_TIME, "longest_ns", "longest", "The longest storm.", FIELD(longest_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that began.", FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "threads", "Page faults of each thread", "thread", columns,
	  sizeof(struct fault_storms_thread), thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_PAGE_FAULT_STORM,
		"threads have page faults one behind the other",
		"A thread touches page after page that the kernel has yet to give it: memory that is used for the first time, or that was given "
		"back and is used anew. Each time, the kernel finds a page, clears it, and maps it: 0.3 to 2 us for 4 KiB.",
		"50 page faults or more, with at most 20 us of CPU time between one and the next, are a storm. It is a finding if "
		"storms took 5 % of a thread's time on CPUs. The trace tells when a fault begins, not when it ends: the "
		"time is an upper bound, for the thread also did something else between its faults.",
		"annot report --show fault_storms lists each thread. Far more faults than different pages: the program gives memory back and gets it "
		"anew. As many: it uses it for the first time. In the page, faults are marks below the thread's spans; each tells "
		"its address.",
		CATALOGUE_CURES(
			"Allocate once and use it again, rather than malloc() and free() of large buffers in a loop.",
			"Let malloc() keep what it has: MALLOC_TRIM_THRESHOLD_, MALLOC_TOP_PAD_ and MALLOC_MMAP_THRESHOLD_ of glibc "
			"(mallopt), or another allocator.",
			"Use larger pages: madvise(MADV_HUGEPAGE), or hugetlbfs. One fault then maps 2 MiB.",
			"Map it all at once, before it matters: MAP_POPULATE, or madvise(MADV_POPULATE_WRITE).",
			"Many threads that fault at once also wait for each other in the kernel: let each one touch its own memory, in processes "
			"of their own if need be."),
	},
	{ 0 },
};

const struct analysis_desc fault_storms_analysis = {
	.name = "fault_storms",
	.help = "page faults of each thread, and storms of them",
	.title = "Page faults",
	.tables = tables,
	.catalogue = catalogue,
	.compute = fault_storms_report_compute,
	.free = fault_storms_report_free,
	.add_findings = fault_storms_report_add_findings,
	.not_computed = fault_storms_report_not_computed,
};
