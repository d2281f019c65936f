// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/spinning/oversubscription_findings.h"
#include "report/analyses/critical_path_report.h"
#include "report/analyses/spinning_report.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *oversubscription_report_compute(const struct analyses *analyses)
{
	struct oversubscription *result = xcalloc(1, sizeof(*result));

	*result = oversubscription_compute(analyses->model);
	return result;
}

static void oversubscription_report_free(void *result)
{
	oversubscription_free(result);
	free(result);
}

static void oversubscription_report_add_findings(const struct analyses *analyses,
						 const void *result, struct findings *findings)
{
	oversubscription_add_findings(analyses->model, result,
				      critical_path_report_session(analyses),
				      spinning_report_waits(analyses), findings);
}

static const void *program_rows(const void *result, size_t *nr)
{
	const struct oversubscription *over = result;

	*nr = over->nr;
	return over->rows;
}

static struct table_cell program_cell(const struct table_source *source, const void *row)
{
	const struct oversubscription *over = source->result;
	const struct oversubscription_row *own = row;

	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace,
				     over->programs.names[own->program]),
	};
}

static struct table_cell average_cell(const struct table_source *source, const void *row)
{
	const struct oversubscription_row *own = row;

	(void)source;
	return (struct table_cell){
		.is_unknown = !own->active_ns,
		.real = own->ready_ns / (double)own->active_ns,
	};
}

#define FIELD(field) TABLE_FIELD(oversubscription_row, field)

static const struct table_column columns[] = {
	{ COLUMN_TEXT, "program", "program", "The program.", .cell = program_cell },
	{ COLUMN_COUNT, "nr_threads", "threads", "How many of its threads ran.",
	  FIELD(nr_threads) },
	{ COLUMN_COUNT, "nr_cpus", "CPUs",
	  "How many CPUs it has: on which it ran for 1 % of its CPU time or more, or that were busy "
	  "for half of the session.",
	  FIELD(nr_cpus) },
	{ COLUMN_NUMBER, "average_ready", "ready",
	  "How many of its threads were ready to run, on average over the time in which any was.",
	  .cell = average_cell },
	{ COLUMN_COUNT, "most_ready", "most", "How many were at once, at most.",
	  FIELD(most_ready) },
	{ COLUMN_TIME, "over_ns", "over", "For how long more threads were ready than it has CPUs.",
	  FIELD(over_ns) },
	{ COLUMN_TIME, "waited_ns", "waited",
	  "For how long its threads together then waited for CPUs on which others of them ran.",
	  FIELD(waited_ns) },
	{ COLUMN_TIME, "contended_ns", "contended", "For how long at least one of them did so.",
	  FIELD(contended_ns) },
	{ COLUMN_TIME, "cpu_ns", "CPU time", "The CPU time of its threads.", FIELD(cpu_ns) },
	{ COLUMN_FROM, "from_ns", NULL, "The longest time at a stretch: its begin.",
	  FIELD(longest_from_ns) },
	{ COLUMN_TO, "to_ns", NULL, "Its end.", FIELD(longest_to_ns) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "programs", "Programs with more threads than CPUs", "program", columns,
	  sizeof(struct oversubscription_row), program_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_OVERSUBSCRIPTION,
		"a program has more threads ready to run than CPUs",
		"Threads of one program take CPUs from each other. The CPUs do its work meanwhile, so that "
		"alone loses no more than the switches cost. But whoever waits for a thread that has no "
		"CPU, at a barrier or for a lock, waits for its turn, too.",
		"A thread is ready while it runs, is preempted or runnable. annot counts for how long more "
		"threads of a program were ready than it has CPUs (those on which it ran for 1 % of its CPU "
		"time or more, and those that were busy for half of the session), and how long its threads "
		"waited for CPUs on which others of them ran. The trace does not tell what was lost by "
		"that. At most, it is the time in which any thread waited so, or what the program's "
		"threads were in queues for on the critical path of the session, with all that they spun; "
		"whichever is less. '<' stands before such a bound.",
		"In the page, lanes of one program are 'preempted' in turns. annot report --show "
		"oversubscription lists each program; --show interference which thread took the CPU from "
		"which.",
		CATALOGUE_CURES(
			"Start as many threads as there are CPUs (OMP_NUM_THREADS). A container may have fewer "
			"than nproc prints, and several libraries may each start their own threads.",
			"Give the process more CPUs: its affinity mask or cpuset may be narrower than the machine.",
			"If threads spin while they wait, let them sleep: see spin-waste.",
			"If threads only take turns and none waits for another, leave it: it costs little."),
	},
	{ 0 },
};

const struct analysis_desc oversubscription_analysis = {
	.name = "oversubscription",
	.help = "programs with more threads ready to run than CPUs",
	.title = "Oversubscription",
	.tables = tables,
	.catalogue = catalogue,
	.compute = oversubscription_report_compute,
	.takes_longest = true,
	.free = oversubscription_report_free,
	.add_findings = oversubscription_report_add_findings,
};
