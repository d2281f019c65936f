// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/regions/regions.h"
#include "analysis/spinning/spinning_findings.h"
#include "report/analyses/spinning_report.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

struct spinning_report {
	struct spinning spinning;
	struct spin_stragglers stragglers;
};

static void *spinning_report_compute(const struct analyses *analyses)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);
	struct spinning_report *result = xcalloc(1, sizeof(*result));

	result->spinning = spinning_compute(analyses->model, &regions->barriers);
	result->stragglers = spin_stragglers_compute(analyses->model, &regions->barriers,
						     &result->spinning);
	return result;
}

static void spinning_report_free(void *computed)
{
	struct spinning_report *result = computed;

	spin_stragglers_free(&result->stragglers);
	spinning_free(&result->spinning);
	free(result);
}

static void spinning_report_add_findings(const struct analyses *analyses, const void *computed,
					 struct findings *findings)
{
	const struct spinning_report *result = computed;

	spinning_add_findings(analyses->model, &result->spinning, findings);
	spin_stragglers_add_findings(analyses->model, &result->spinning.programs,
				     &result->stragglers, findings);
}

const struct spinning *spinning_report_waits(const struct analyses *analyses)
{
	const struct spinning_report *result = analyses_result(analyses, &spinning_analysis);

	return &result->spinning;
}

static const void *wait_rows(const void *result, size_t *nr)
{
	const struct spinning_report *report = result;

	*nr = report->spinning.nr;
	return report->spinning.rows;
}

static const void *straggler_rows(const void *result, size_t *nr)
{
	const struct spinning_report *report = result;

	*nr = report->stragglers.nr;
	return report->stragglers.rows;
}

static struct table_cell text_cell(const struct table_source *source, uint32_t string)
{
	return (struct table_cell){
		.is_unknown = string == TRACE_NO_STRING,
		.text = trace_string(source->analyses->model->trace, string),
	};
}

static struct table_cell program_cell(const struct table_source *source,
				      const struct wait_group *group)
{
	const struct spinning_report *result = source->result;

	return text_cell(source, result->spinning.programs.names[group->program]);
}

/* The cells that say which group a row is of. */
#define GROUP_CELLS(table, row_type)                                                               \
	static struct table_cell table##_program(const struct table_source *source,                \
						 const void *row)                                  \
	{                                                                                          \
		return program_cell(source, &((const struct row_type *)row)->group);               \
	}                                                                                          \
	static struct table_cell table##_name(const struct table_source *source, const void *row)  \
	{                                                                                          \
		return text_cell(source, ((const struct row_type *)row)->group.name);              \
	}                                                                                          \
	static struct table_cell table##_place(const struct table_source *source, const void *row) \
	{                                                                                          \
		return text_cell(source, ((const struct row_type *)row)->group.place);             \
	}

GROUP_CELLS(wait, spin_row)
GROUP_CELLS(straggler, spin_straggler_row)

#define GROUP_COLUMNS(table, row)                                                                        \
	{ COLUMN_TEXT, "wait", "wait", "The name of the waits.", .cell = table##_name },                 \
		{ COLUMN_TEXT, "place", "place",                                                         \
		  "The work span that they are in; else the outermost one of their thread before them; " \
		  "null if there is none.",                                                              \
		  .cell = table##_place },                                                               \
		{ COLUMN_FLAG, "is_after", NULL, "Whether the place has ended before them.",             \
		  TABLE_FIELD(row, group.is_after) },                                                    \
	{                                                                                                \
		COLUMN_TEXT, "program", "program", "The program whose threads wait.",                    \
			.cell = table##_program                                                          \
	}

static struct table_cell spinners_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = spin_stragglers_spinners(row) };
}

#define WAIT(field) TABLE_FIELD(spin_row, field)

static const struct table_column wait_columns[] = {
	GROUP_COLUMNS(wait, spin_row),
	{ COLUMN_COUNT, "nr_threads", "threads", "How many threads wait so.", WAIT(nr_threads) },
	{ COLUMN_COUNT, "waits", "waits", "How many waits there are, without those inside others.",
	  WAIT(waits) },
	{ COLUMN_COUNT, "spun_waits", "spun in", "In how many of them threads spun.",
	  WAIT(spun_waits) },
	{ COLUMN_TIME, "wait_ns", "waited", "How long they are together.", WAIT(wait_ns) },
	{ COLUMN_TIME, "spun_ns", "spun",
	  "The part of that on a CPU, spinning: without what it takes to go to sleep and come back.",
	  WAIT(spun_ns) },
	{ COLUMN_TIME, "wanted_ns", "wanted",
	  "The part of that in which another thread of the session had work to do and waited for "
	  "the CPU.",
	  WAIT(wanted_ns) },
	{ COLUMN_TIME, "lost_ns", "lost", "The elapsed time that this cost.", WAIT(lost_ns) },
	{ COLUMN_FROM, "from_ns", NULL, "The time in which it shows best: its begin.",
	  WAIT(shown_from_ns) },
	{ COLUMN_TO, "to_ns", NULL, "Its end.", WAIT(shown_to_ns) },
	{ COLUMN_THREAD, NULL, "thread", "The thread that spun then.", WAIT(shown_thread) },
	{ 0 },
};

#define STRAGGLER(field) TABLE_FIELD(spin_straggler_row, field)

static const struct table_column straggler_columns[] = {
	GROUP_COLUMNS(straggler, spin_straggler_row),
	{ COLUMN_COUNT, "barriers", "barriers", "How many barriers these waits made.",
	  STRAGGLER(barriers) },
	{ COLUMN_COUNT, "times", "times",
	  "At how many of them the last thread had no CPU while others spun.", STRAGGLER(times) },
	{ COLUMN_TIME, "queued_ns", "no CPU", "For how long it had none.", STRAGGLER(queued_ns) },
	{ COLUMN_NUMBER, "spinners", "spinners", "How many others spun meanwhile, on average.",
	  .cell = spinners_cell },
	{ COLUMN_TIME, "by_spinners_ns", "by spinners",
	  "How long others that had arrived ran in its place.", STRAGGLER(ran_ns[RUNNER_SPUN]) },
	{ COLUMN_TIME, "by_own_ns", "by own", "How long other threads of its program did so.",
	  STRAGGLER(ran_ns[RUNNER_OWN]) },
	{ COLUMN_TIME, "by_others_ns", "by others", "How long other programs did so.",
	  STRAGGLER(ran_ns[RUNNER_OTHER]) },
	{ COLUMN_TIME, "lost_ns", "lost", "The elapsed time that this cost.", STRAGGLER(lost_ns) },
	{ COLUMN_FROM, "from_ns", NULL, "The time in which it shows best: its begin.",
	  STRAGGLER(worst_from_ns) },
	{ COLUMN_TO, "to_ns", NULL, "Its end.", STRAGGLER(worst_to_ns) },
	{ COLUMN_THREAD, NULL, "thread", "The last thread then.", STRAGGLER(worst_thread) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "waits", "Spinning in waits", "wait", wait_columns, sizeof(struct spin_row), wait_rows },
	{ "stragglers", "Last threads without a CPU", "wait", straggler_columns,
	  sizeof(struct spin_straggler_row), straggler_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SPIN_WASTE,
		"threads use CPU time to wait",
		"Threads spin: they wait for others by asking again and again, on a CPU. That CPU time does "
		"no work. It also makes the program slower where another thread has work to do and waits "
		"for the CPU.",
		"annot sums the time on a CPU inside wait spans, for each wait and the work that it is in, "
		"or comes after. Time lost is elapsed time: the time in which a thread with work to do "
		"waited for a CPU on which another one spun (shared, if several waited), as far as a "
		"barrier, or the end, was later for it. Without such threads, only CPU time is lost.",
		"In the page, a thread is 'running' while its lane shows a wait span. annot report --show "
		"spinning lists all waits; the column spin of the table of threads is the sum of each thread.",
		CATALOGUE_CURES(
			"Let waiting threads sleep: OMP_WAIT_POLICY=passive, or with GNU's OpenMP "
			"GOMP_SPINCOUNT=0, with LLVM's KMP_BLOCKTIME=0.",
			"Do not start more threads than there are CPUs (OMP_NUM_THREADS), and pin each to a CPU "
			"of its own (OMP_PROC_BIND=true).",
			"If the waits are long because the work is unequal, see imbalance.",
			"If nobody else wants the CPUs, and waits are short, spinning is the fastest way to "
			"wait: leave it."),
	},
	{
		FINDING_PREEMPTED_STRAGGLER,
		"the last thread at a barrier has no CPU while others spin for it",
		"All threads wait for one that could run but has no CPU. Those that wait spin, so that the "
		"scheduler takes them for busy and gives them CPUs, too.",
		"annot takes the last thread to arrive at each barrier, and sums the time in which it was "
		"preempted or runnable, and another thread ran on its CPU, while others that had arrived "
		"spun. A barrier cannot be later for it than the last thread came after the one before.",
		"In the page, one lane is 'preempted' or 'runnable' while the others are 'running' in wait "
		"spans. annot report --show spinning tells who ran in its place.",
		CATALOGUE_CURES(
			"Start no more threads than there are CPUs (OMP_NUM_THREADS). A container may have "
			"fewer than nproc prints.",
			"Let waiting threads sleep: OMP_WAIT_POLICY=passive, GOMP_SPINCOUNT=0, KMP_BLOCKTIME=0.",
			"Pin each thread to a CPU of its own (OMP_PROC_BIND=true).",
			"If other programs ran in its place, keep them off these CPUs: see interference."),
	},
	{ 0 },
};

const struct analysis_desc spinning_analysis = {
	.name = "spinning",
	.help = "waits on a CPU, and threads that had none meanwhile",
	.title = "Spinning",
	.tables = tables,
	.catalogue = catalogue,
	.compute = spinning_report_compute,
	.needs = &regions_analysis,
	.free = spinning_report_free,
	.add_findings = spinning_report_add_findings,
};
