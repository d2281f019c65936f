// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/sched/idle_waits.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *idle_waits_report_compute(const struct analyses *analyses)
{
	struct idle_waits *result = xcalloc(1, sizeof(*result));

	*result = idle_waits_compute(analyses->model);
	return result;
}

static void idle_waits_report_free(void *result)
{
	idle_waits_free(result);
	free(result);
}

static void idle_waits_report_add_findings(const struct analyses *analyses, const void *result,
					   struct findings *findings)
{
	idle_waits_add_findings(analyses->model, result, findings);
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct idle_waits *idle_waits = result;

	*nr = idle_waits->nr;
	return idle_waits->threads;
}

#define FIELD(field) TABLE_FIELD(idle_waits_thread, field)

static const struct table_column columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread that waited.", FIELD(thread) },
	{ COLUMN_COUNT, "waits", "waits",
	  "How often it waited for its CPU while another one was idle.", FIELD(waits) },
	{ COLUMN_TIME, "ns", "time", "For how long another CPU was idle in these waits.",
	  FIELD(ns) },
	{ COLUMN_TIME, "longest_ns", "longest",
	  "The longest of these times, which was in one wait.", FIELD(longest_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL, "When that wait began.", FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When that wait ended.", FIELD(longest_to_ns) },
	{ COLUMN_CPU, "cpu", "CPU", "The CPU for which it waited then.", FIELD(longest_cpu) },
	{ COLUMN_CPU, "idle_cpu", "idle CPU", "The CPU that was idle then.",
	  FIELD(longest_idle_cpu) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "threads", "Waits beside an idle CPU", "thread", columns,
	  sizeof(struct idle_waits_thread), thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_IDLE_WAITS,
		"threads wait for a busy CPU while another one is idle",
		"Threads are queued on one CPU while another CPU, on which they have also run, is idle.",
		"annot sums the time in which a thread was queued on one CPU and another CPU was idle on "
		"which the thread ran at some time. It subtracts the time in which the CPU of the "
		"queue was itself idle.",
		"In the page, a thread's lane is 'preempted' or 'runnable' while a CPU's lane is empty. "
		"annot report --show idle_waits lists each thread; --show interference lists the queue "
		"of each CPU.",
		CATALOGUE_CURES(
			"Start as many threads as there are CPUs (OMP_NUM_THREADS). A container may have "
			"fewer than nproc prints.",
			"Do not let affinity masks overlap: several programs pinned to the same CPUs "
			"wait for each other while other CPUs are idle.",
			"Do not pin threads if the load changes."),
	},
	{ 0 },
};

const struct analysis_desc idle_waits_analysis = {
	.name = "idle_waits",
	.help = "threads that waited for a busy CPU while another one was idle",
	.title = "Idle waits",
	.tables = tables,
	.catalogue = catalogue,
	.compute = idle_waits_report_compute,
	.takes_longest = true,
	.free = idle_waits_report_free,
	.add_findings = idle_waits_report_add_findings,
};
