// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "analysis/sched/smt_sharing.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *smt_sharing_report_compute(const struct analyses *analyses)
{
	struct smt_sharing *result = xcalloc(1, sizeof(*result));

	*result = smt_sharing_compute(analyses->model);
	return result;
}

static void smt_sharing_report_free(void *result)
{
	smt_sharing_free(result);
	free(result);
}

static void smt_sharing_report_add_findings(const struct analyses *analyses, const void *result,
					    struct findings *findings)
{
	smt_sharing_add_findings(analyses->model, result, findings);
}

static const char *smt_sharing_report_not_computed(const void *result)
{
	const struct smt_sharing *sharing = result;

	return sharing->has_siblings ? NULL : "the trace tells of no CPUs that share a core";
}

static const void *all_rows(const void *result, size_t *nr)
{
	const struct smt_sharing *sharing = result;

	*nr = sharing->nr > 0;
	return sharing;
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct smt_sharing *sharing = result;

	*nr = sharing->nr;
	return sharing->threads;
}

/* Nobody gains by a busy sibling: less than 0 is an error of the measurement. */
static struct table_cell lost_cell(bool is_known, double ns)
{
	return (struct table_cell){ .is_unknown = !is_known,
				    .whole = (uint64_t)llround(fmax(ns, 0)) };
}

static struct table_cell rate_cell(const struct smt_rate *rate, double value)
{
	return (struct table_cell){ .is_unknown = !rate->known, .real = value };
}

static struct table_cell measure_cell(const struct table_source *source, const void *row)
{
	const struct smt_sharing *sharing = row;

	(void)source;
	return (struct table_cell){ .is_unknown = sharing->measure == SMT_NOT_MEASURED,
				    .text = smt_measure_name(sharing->measure) };
}

#define ALL_LOST_CELL(name, field)                                                        \
	static struct table_cell name(const struct table_source *source, const void *row) \
	{                                                                                 \
		const struct smt_sharing *sharing = row;                                  \
                                                                                          \
		(void)source;                                                             \
		return lost_cell(sharing->all.known_ns > 0, sharing->all.field);          \
	}

#define THREAD_LOST_CELL(name, field)                                                     \
	static struct table_cell name(const struct table_source *source, const void *row) \
	{                                                                                 \
		const struct smt_sharing_thread *thread = row;                            \
                                                                                          \
		(void)source;                                                             \
		return lost_cell(thread->rate.known, thread->sums.field);                 \
	}

#define RATE_CELL(name, field)                                                            \
	static struct table_cell name(const struct table_source *source, const void *row) \
	{                                                                                 \
		const struct smt_sharing_thread *thread = row;                            \
                                                                                          \
		(void)source;                                                             \
		return rate_cell(&thread->rate, thread->rate.field);                      \
	}

ALL_LOST_CELL(all_lost_cell, lost_ns)
ALL_LOST_CELL(all_low_cell, lost_low_ns)
ALL_LOST_CELL(all_high_cell, lost_high_ns)
THREAD_LOST_CELL(thread_lost_cell, lost_ns)
THREAD_LOST_CELL(thread_low_cell, lost_low_ns)
THREAD_LOST_CELL(thread_high_cell, lost_high_ns)
RATE_CELL(alone_cell, alone)
RATE_CELL(shared_cell, shared)

static struct table_cell slower_cell(const struct table_source *source, const void *row)
{
	const struct smt_sharing_thread *thread = row;

	(void)source;
	return rate_cell(&thread->rate, 100 * thread->rate.slower);
}

static struct table_cell program_cell(const struct table_source *source, const void *row)
{
	const struct smt_sharing_thread *thread = row;
	bool is_unknown = thread->worst_program == TRACE_NO_STRING;

	return (struct table_cell){
		.is_unknown = is_unknown,
		.text = is_unknown ?
				"" :
				trace_string(source->analyses->model->trace, thread->worst_program),
	};
}

static const struct table_column all_columns[] = {
	{ COLUMN_TIME, "on_cpu_ns", "on CPU",
	  "For how long threads that shared a core ran, on CPUs that have a sibling.",
	  TABLE_FIELD(smt_sharing, all.on_cpu_ns) },
	{ COLUMN_TIME, "shared_ns", "shared", "Of that, the sibling was busy.",
	  TABLE_FIELD(smt_sharing, all.shared_ns) },
	{ COLUMN_TIME, "own_ns", "own", "Of that, with threads of the session.",
	  TABLE_FIELD(smt_sharing, all.own_ns) },
	{ COLUMN_TIME, "others_ns", "others", "With threads of others only.",
	  TABLE_FIELD(smt_sharing, all.others_ns) },
	{ COLUMN_TIME, "idle_core_ns", "idle core",
	  "Of the shared time, a whole core was idle meanwhile.",
	  TABLE_FIELD(smt_sharing, all.idle_core_ns) },
	{ COLUMN_TEXT, "measure", "measure",
	  "What threads' rates are of: instructions per cycle, or per ns; null if instructions were not counted.",
	  .cell = measure_cell },
	{ COLUMN_TIME, "known_ns", "known",
	  "Of the shared time, that of threads whose rates are known.",
	  TABLE_FIELD(smt_sharing, all.known_ns) },
	{ COLUMN_TIME, "lost_ns", "lost", "What these lost, taken together.",
	  .cell = all_lost_cell },
	{ COLUMN_TIME, "lost_low_ns", "low", "The sum of the lower bounds of that.",
	  .cell = all_low_cell },
	{ COLUMN_TIME, "lost_high_ns", "high", "The sum of the upper bounds.",
	  .cell = all_high_cell },
	{ COLUMN_TIME, "at_most_ns", "avoidable",
	  "The elapsed time that was lost at most where that could be avoided.",
	  TABLE_FIELD(smt_sharing, at_most_ns) },
	{ 0 },
};

#define FIELD(field) TABLE_FIELD(smt_sharing_thread, field)

static const struct table_column thread_columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread.", FIELD(thread) },
	{ COLUMN_TIME, "on_cpu_ns", "on CPU", "For how long it ran on CPUs that have a sibling.",
	  FIELD(sums.on_cpu_ns) },
	{ COLUMN_TIME, "shared_ns", "shared", "Of that, the sibling was busy.",
	  FIELD(sums.shared_ns) },
	{ COLUMN_TIME, "own_ns", "own", "Of that, with threads of the session.",
	  FIELD(sums.own_ns) },
	{ COLUMN_TIME, "others_ns", "others", "With threads of others only.",
	  FIELD(sums.others_ns) },
	{ COLUMN_TEXT, "program", "program", "Of these, the program that was there for longest.",
	  .cell = program_cell },
	{ COLUMN_TIME, "program_ns", NULL, "For how long that was.", FIELD(worst_program_ns) },
	{ COLUMN_TIME, "idle_core_ns", "idle core",
	  "Of the shared time, a whole core was idle meanwhile.", FIELD(sums.idle_core_ns) },
	{ COLUMN_COUNT, "alone_slices", NULL,
	  "Counted slices in which the sibling was idle for nine tenths or more.",
	  FIELD(rate.alone_slices) },
	{ COLUMN_COUNT, "shared_slices", NULL,
	  "Counted slices in which it was busy for nine tenths or more.",
	  FIELD(rate.shared_slices) },
	{ COLUMN_NUMBER, "alone_rate", "alone",
	  "Instructions per cycle, or per ns, while the sibling was idle; null if not known.",
	  .cell = alone_cell },
	{ COLUMN_NUMBER, "shared_rate", "beside", "The same while it was busy.",
	  .cell = shared_cell },
	{ COLUMN_NUMBER, "slower_pct", "slower %", "By how much that is less.",
	  .cell = slower_cell },
	{ COLUMN_TIME, "lost_ns", "lost", "What that cost; null if not known.",
	  .cell = thread_lost_cell },
	{ COLUMN_TIME, "lost_low_ns", NULL, "The lower bound of that.", .cell = thread_low_cell },
	{ COLUMN_TIME, "lost_high_ns", NULL, "The upper bound.", .cell = thread_high_cell },
	{ COLUMN_TIME, "at_most_ns", "avoidable",
	  "What it lost at most where that could be avoided.", FIELD(at_most_ns) },
	{ COLUMN_FROM, "longest_from_ns", NULL,
	  "When the longest time beside one busy sibling began.", FIELD(longest_from_ns) },
	{ COLUMN_TO, "longest_to_ns", NULL, "When it ended.", FIELD(longest_to_ns) },
	{ COLUMN_CPU, "cpu", "CPU", "Where the thread ran then.", FIELD(longest_cpu) },
	{ COLUMN_CPU, "sibling", "sibling", "The CPU of the same core.", FIELD(longest_by_cpu) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "all", "Sharing of cores", "session", all_columns, sizeof(struct smt_sharing), all_rows },
	{ "threads", "Threads that shared cores", "thread", thread_columns,
	  sizeof(struct smt_sharing_thread), thread_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SMT_SHARING,
		"threads share a core with others",
		"The CPU of a thread is one of two or more hardware threads of a core (SMT, Hyper-Threading). While the other one runs "
		"a thread, too, both share the core's units and caches, and each is slower.",
		"The topology in the trace tells which CPUs share a core, the slices who ran beside whom. From the "
		"instructions and cycles of each slice come a thread's rates alone and beside a busy sibling, if it has 10 "
		"slices and 1 ms or more of each; the share by which it is slower, of its shared time, is lost. Of that, '<' "
		"stands before the elapsed time that is lost where it could be avoided: beside other programs, or while a whole core "
		"is idle. Threads whose rates do not differ for sure count for nothing; of those whose rates are not known, all "
		"shared time with an idle core counts, which is much more than they lost. That a thread does other work "
		"whenever the sibling is busy looks alike; and a core that is idle may be one that the program may not use.",
		"annot report --show smt_sharing lists threads with their rates. In the page, look at the lanes of the CPU and its "
		"sibling. Record with instructions and cycles counted for each slice, to know the rates.",
		CATALOGUE_CURES(
			"Pin one thread to each core: OMP_PLACES=cores OMP_PROC_BIND=spread; mpirun --bind-to core; taskset -c with one CPU of "
			"each core (lscpu -e tells them).",
			"Start as many threads as there are cores, not CPUs; or measure whether two on each core do more "
			"together.",
			"Keep other programs off the siblings of your CPUs: cpuset.cpus of their cgroup, taskset, isolcpus=.",
			"If cores are idle meanwhile, an affinity or a cpuset may forbid them (taskset -p); the scheduler spreads "
			"threads over cores only where it may. Core scheduling (prctl PR_SCHED_CORE) lets only threads of one program share cores."),
	},
	{ 0 },
};

const struct analysis_desc smt_sharing_analysis = {
	.name = "smt_sharing",
	.help = "threads that run while the SMT sibling of their CPU is busy; what that costs",
	.title = "SMT sharing",
	.tables = tables,
	.catalogue = catalogue,
	.compute = smt_sharing_report_compute,
	.free = smt_sharing_report_free,
	.add_findings = smt_sharing_report_add_findings,
	.not_computed = smt_sharing_report_not_computed,
};
