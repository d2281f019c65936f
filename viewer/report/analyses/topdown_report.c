// SPDX-License-Identifier: GPL-2.0
/*
 * topdown: where the issue slots of the CPU went, by task, by thread and by region.
 */
#include <stdlib.h>

#include "analysis/topdown/topdown.h"
#include "analysis/topdown/topdown_findings.h"
#include "report/analysis_list.h"
#include "report/samples/task_places.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *topdown_report_compute(const struct analyses *analyses)
{
	struct topdown *topdown = xcalloc(1, sizeof(*topdown));

	*topdown = topdown_compute(analyses->model, analyses->stats,
				   analyses_result(analyses, &regions_analysis));
	return topdown;
}

static void topdown_report_free(void *result)
{
	topdown_free(result);
	free(result);
}

static void topdown_report_add_findings(const struct analyses *analyses, const void *result,
					struct findings *findings)
{
	const struct finding_places places = { task_places_say, analyses };

	topdown_add_findings(analyses->model, analyses->stats, result, &places, findings);
}

static const char *topdown_report_not_computed(const void *result)
{
	const struct topdown *topdown = result;

	return topdown->is_computed ?
		       NULL :
		       "no events of top-down were counted (annot record --topdown, on a CPU that has them)";
}

static const void *task_rows(const void *result, size_t *nr)
{
	const struct topdown *topdown = result;

	*nr = topdown->nr_tasks;
	return topdown->tasks;
}

static const void *thread_rows(const void *result, size_t *nr)
{
	const struct topdown *topdown = result;

	*nr = topdown->nr_threads;
	return topdown->threads;
}

static const void *region_rows(const void *result, size_t *nr)
{
	const struct topdown *topdown = result;

	*nr = topdown->nr_regions;
	return topdown->regions;
}

/* Of what was not counted, there is no table. */
static const void *if_divided(const void *result, const void *rows, size_t *nr)
{
	const struct topdown *topdown = result;

	if (!topdown->divides_slots)
		*nr = 0;
	return rows;
}

static const void *level2_task_rows(const void *result, size_t *nr)
{
	return if_divided(result, task_rows(result, nr), nr);
}

static const void *level2_thread_rows(const void *result, size_t *nr)
{
	return if_divided(result, thread_rows(result, nr), nr);
}

static const void *level2_region_rows(const void *result, size_t *nr)
{
	return if_divided(result, region_rows(result, nr), nr);
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct topdown_row *own = row;
	const struct analyses *analyses = source->analyses;

	return (struct table_cell){
		.text = trace_string(analyses->model->trace,
				     analyses->stats->tasks[own->task].name),
	};
}

static const struct region_group *group_of(const struct table_source *source, const void *row)
{
	const struct topdown_row *own = row;
	const struct regions *regions = analyses_result(source->analyses, &regions_analysis);

	return &regions->groups[own->region];
}

static struct table_cell region_cell(const struct table_source *source, const void *row)
{
	return (struct table_cell){
		.text = trace_string(source->analyses->model->trace, group_of(source, row)->name),
	};
}

static struct table_cell kind_cell(const struct table_source *source, const void *row)
{
	return (struct table_cell){
		.text = region_kind_name(group_of(source, row)->kind),
	};
}

static struct table_cell instances_cell(const struct table_source *source, const void *row)
{
	return (struct table_cell){ .whole = group_of(source, row)->nr };
}

static struct table_cell percent(bool is_known, double share)
{
	return (struct table_cell){ .is_unknown = !is_known, .real = 100 * share };
}

/* Three cells of each figure. */
#define FIGURE_CELLS(figure, name)                                                                 \
	static struct table_cell figure##_cell(const struct table_source *source, const void *row) \
	{                                                                                          \
		const struct topdown_row *own = row;                                               \
		const struct metric_estimate *estimate = &own->figures[TOPDOWN_##figure];          \
                                                                                                   \
		(void)source;                                                                      \
		return percent(estimate->is_known, estimate->value);                               \
	}                                                                                          \
                                                                                                   \
	static struct table_cell figure##_low_cell(const struct table_source *source,              \
						   const void *row)                                \
	{                                                                                          \
		const struct topdown_row *own = row;                                               \
		const struct metric_estimate *estimate = &own->figures[TOPDOWN_##figure];          \
                                                                                                   \
		(void)source;                                                                      \
		return percent(estimate->is_known && estimate->has_bounds, estimate->low);         \
	}                                                                                          \
                                                                                                   \
	static struct table_cell figure##_high_cell(const struct table_source *source,             \
						    const void *row)                               \
	{                                                                                          \
		const struct topdown_row *own = row;                                               \
		const struct metric_estimate *estimate = &own->figures[TOPDOWN_##figure];          \
                                                                                                   \
		(void)source;                                                                      \
		return percent(estimate->is_known && estimate->has_bounds, estimate->high);        \
	}

TOPDOWN_FIGURE_EACH(FIGURE_CELLS)

static struct table_cell error_cell(const struct table_source *source, const void *row)
{
	const struct topdown_row *own = row;

	(void)source;
	return percent(own->has_error, own->error);
}

static struct table_cell measured_cell(const struct table_source *source, const void *row)
{
	const struct topdown_row *own = row;

	(void)source;
	return percent(own->is_any_known, own->measured);
}

static struct table_cell doubt_cell(const struct table_source *source, const void *row)
{
	const struct topdown_row *own = row;
	const char *text = topdown_doubt_text(own->doubt);

	(void)source;
	return (struct table_cell){ .is_unknown = !text, .text = text };
}

static struct table_cell sides_cell(const struct table_source *source, const void *row)
{
	static const char *const texts[] = { "", "user", "kernel", "both" };
	const struct topdown *topdown = source->result;

	(void)row;
	return (struct table_cell){ .text = texts[topdown->sides] };
}

#define FIGURE(figure, key, heading, meaning)                                                \
	{ COLUMN_NUMBER, key "_pct", heading, meaning, .cell = figure##_cell },              \
		{ COLUMN_NUMBER, key "_low_pct", NULL, "Begin of its interval, 95 %.",       \
		  .cell = figure##_low_cell },                                               \
	{                                                                                    \
		COLUMN_NUMBER, key "_high_pct", NULL, "Its end.", .cell = figure##_high_cell \
	}

#define FIELD(field) TABLE_FIELD(topdown_row, field)

#define COLUMN_ON_CPU                                                                      \
	{                                                                                  \
		COLUMN_TIME, "on_cpu_ns", "on CPU", "Its time on a CPU.", FIELD(on_cpu_ns) \
	}

#define COLUMNS_RELIABILITY                                                                         \
	{ COLUMN_NUMBER, "error_pct", "+/-",                                                        \
	  "The truth is within so much of each figure in 95 of 100 cases: half of the widest "      \
	  "interval; null: too few slices.",                                                        \
	  .cell = error_cell },                                                                     \
		{ COLUMN_NUMBER, "measured_pct", "measured",                                        \
		  "In how much of the time on a CPU all events of a figure were counted together: " \
		  "of the figure with least.",                                                      \
		  .cell = measured_cell },                                                          \
		{ COLUMN_TEXT, "sides", NULL, "Of which code: user, kernel, or both.",              \
		  .cell = sides_cell },                                                             \
	{                                                                                           \
		COLUMN_TEXT, "doubt", "doubt",                                                      \
			"Why the figures are not reliable; null: they are.", .cell = doubt_cell     \
	}

#define COLUMNS_OF_SLOTS                                                                           \
	FIGURE(RETIRING, "retiring", "retiring",                                                   \
	       "Issue slots used by instructions that retired, of 100; null: unknown."),           \
		FIGURE(BAD_SPECULATION, "bad_speculation", "bad spec",                             \
		       "Used by others, or lost to recovering from them."),                        \
		FIGURE(FRONTEND_BOUND, "frontend_bound", "front end",                              \
		       "Empty: no instruction was delivered."),                                    \
		FIGURE(BACKEND_BOUND, "backend_bound", "back end",                                 \
		       "Empty: no room for another instruction."),                                 \
		FIGURE(MEMORY_BOUND, "memory_bound", "memory",                                     \
		       "Of the back end's: for loads and stores."),                                \
		FIGURE(CORE_BOUND, "core_bound", "core", "Of the back end's: for anything else."), \
		FIGURE(SMT_CONTENTION, "smt_contention", "SMT",                                    \
		       "Given to the other thread of the core (AMD).")

#define COLUMNS_OF_LEVEL2                                                                          \
	FIGURE(LIGHT_OPERATIONS, "light_operations", "light",                                      \
	       "Of the retiring slots, of 100 of all: instructions of one uop; null: unknown."),   \
		FIGURE(HEAVY_OPERATIONS, "heavy_operations", "heavy",                              \
		       "Instructions of several uops; AMD, and Intel before Skylake: microcode."), \
		FIGURE(BRANCH_MISPREDICTS, "branch_mispredicts", "mispredicts",                    \
		       "Of bad speculation: by branches that were predicted wrongly."),            \
		FIGURE(MACHINE_CLEARS, "machine_clears", "clears",                                 \
		       "By anything else that makes the pipeline start anew."),                    \
		FIGURE(FETCH_LATENCY, "fetch_latency", "fetch latency",                            \
		       "Of the front end's: in cycles in which it delivered nothing."),            \
		FIGURE(FETCH_BANDWIDTH, "fetch_bandwidth", "fetch bandwidth",                      \
		       "In cycles in which it delivered too little.")

static const struct table_column task_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task, of all its threads.", .cell = task_cell },
	COLUMN_ON_CPU,
	COLUMNS_OF_SLOTS,
	COLUMNS_RELIABILITY,
	{ 0 },
};

static const struct table_column level_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task, of all its threads.", .cell = task_cell },
	COLUMN_ON_CPU,
	FIGURE(L1_BOUND, "l1_bound", "L1",
	       "Cycles, of 100, in which nothing was executed and a load waited for L1; null: unknown."),
	FIGURE(L2_BOUND, "l2_bound", "L2", "For L2."),
	FIGURE(L3_BOUND, "l3_bound", "L3", "For L3."),
	FIGURE(DRAM_BOUND, "dram_bound", "DRAM", "For memory."),
	COLUMNS_RELIABILITY,
	{ 0 },
};

static const struct table_column thread_columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread, in its tasks and outside.", FIELD(thread) },
	COLUMN_ON_CPU,
	COLUMNS_OF_SLOTS,
	COLUMNS_RELIABILITY,
	{ 0 },
};

static const struct table_column region_columns[] = {
	{ COLUMN_TEXT, "region", "region",
	  "The regions of this name and kind, of all their threads: from where each begins there until it is done, not what it does until the others are.",
	  .cell = region_cell },
	{ COLUMN_TEXT, "kind", "kind", "parallel or serial, as in regions.", .cell = kind_cell },
	{ COLUMN_COUNT, "instances", "instances", "How many they are.", .cell = instances_cell },
	COLUMN_ON_CPU,
	COLUMNS_OF_SLOTS,
	COLUMNS_RELIABILITY,
	{ 0 },
};

static const struct table_column level2_task_columns[] = {
	{ COLUMN_TEXT, "task", "task", "The task, of all its threads.", .cell = task_cell },
	COLUMN_ON_CPU,
	COLUMNS_OF_LEVEL2,
	COLUMNS_RELIABILITY,
	{ 0 },
};

static const struct table_column level2_thread_columns[] = {
	{ COLUMN_THREAD, NULL, "thread", "The thread, in its tasks and outside.", FIELD(thread) },
	COLUMN_ON_CPU,
	COLUMNS_OF_LEVEL2,
	COLUMNS_RELIABILITY,
	{ 0 },
};

static const struct table_column level2_region_columns[] = {
	{ COLUMN_TEXT, "region", "region", "As in regions.", .cell = region_cell },
	{ COLUMN_TEXT, "kind", "kind", "parallel or serial, as in regions.", .cell = kind_cell },
	{ COLUMN_COUNT, "instances", "instances", "How many they are.", .cell = instances_cell },
	COLUMN_ON_CPU,
	COLUMNS_OF_LEVEL2,
	COLUMNS_RELIABILITY,
	{ 0 },
};

#define FIRST_OF_LEVEL2 4

static const struct analysis_table tables[] = {
	{ "tasks", "Issue slots of tasks, in percent", "task", task_columns,
	  sizeof(struct topdown_row), task_rows },
	{ "levels", "Cycles of tasks that wait for loads, in percent", "task", level_columns,
	  sizeof(struct topdown_row), task_rows },
	{ "threads", "Issue slots of threads, in percent", "thread", thread_columns,
	  sizeof(struct topdown_row), thread_rows },
	{ "regions", "Issue slots of parallel regions, in percent", "region", region_columns,
	  sizeof(struct topdown_row), region_rows },
	{ "level2_tasks", "Issue slots of tasks, divided further, in percent of all", "task",
	  level2_task_columns, sizeof(struct topdown_row), level2_task_rows },
	{ "level2_threads", "Issue slots of threads, divided further, in percent of all", "thread",
	  level2_thread_columns, sizeof(struct topdown_row), level2_thread_rows },
	{ "level2_regions", "Issue slots of parallel regions, divided further, in percent of all",
	  "region", level2_region_columns, sizeof(struct topdown_row), level2_region_rows },
	{ 0 },
};

#define HOW_FOUND                                                                                                                 \
	" It is reported of the task that loses most by it if all of the interval is beyond the threshold, events "               \
	"were counted together for 90 % of its time or more or took turns, and the shares add up. The time lost is at most that " \
	"share of the time on a CPU of the thread with most. Thresholds are those of Intel's TMA."
#define HOW_TO_SEE \
	"annot report --show topdown has all shares, by task, thread and region, each with its interval."

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_MEMORY_BOUND,
		"the CPU waits for memory",
		"In a large part of the CPU's issue slots nothing could be issued, because instructions before "
		"waited for loads or stores.",
		"Top-down: more than 20 % of the slots are memory bound, and more than 20 % back-end bound." HOW_FOUND,
		HOW_TO_SEE
		" Its second table tells for which level of memory: L1 from 10 % of cycles, L2 and L3 from "
		"5 %, DRAM from 10 % are much. Where misses were sampled, too (annot record --topdown -e l1_cache_miss), the finding "
		"tells at which lines and whose data.",
		CATALOGUE_CURES(
			"L1 bound: loads that depend on each other, stores forwarded to loads, splits, TLB misses. Break "
			"dependences, align data, use huge pages.",
			"L2 or L3 bound: work on blocks that fit into a nearer cache; lay out together what is used together.",
			"L3 bound with several threads: data that they share and write (see false-sharing).",
			"DRAM bound: fewer bytes (smaller types, no strides), blocking, prefetching, memory of the own node; "
			"if the bandwidth is used up, fewer threads."),
	},
	{
		FINDING_CORE_BOUND,
		"the CPU waits for its own execution units",
		"In a large part of the CPU's issue slots nothing could be issued, though data was there: execution units were "
		"busy, or each instruction needed the result of the one before.",
		"Top-down: more than 10 % of the slots are core bound, and more than 20 % back-end bound." HOW_FOUND,
		HOW_TO_SEE,
		CATALOGUE_CURES(
			"Divisions and square roots: replace, hoist out of loops, or use approximations.",
			"Long chains of dependences: several accumulators, unrolling.",
			"Vectorise: fewer instructions for the same work."),
	},
	{
		FINDING_FRONTEND_BOUND,
		"the CPU gets too few instructions",
		"In a large part of the CPU's issue slots no instruction was there, though there was room for one: they were "
		"not fetched or decoded fast enough.",
		"Top-down: more than 15 % of the slots are front-end bound." HOW_FOUND,
		HOW_TO_SEE
		" Its tables of level 2 tell whether the front end delivered nothing for cycles (latency) or too little in each "
		"(bandwidth), if that was counted (annot record --topdown=level2).",
		CATALOGUE_CURES(
			"Make the code that is often run smaller and closer together: profile-guided "
			"optimisation, -O2 rather than -O3, less inlining, a linker that orders functions.",
			"Huge pages for code, where it is large.",
			"Fetch latency: instructions miss the caches or the TLB, or the front end starts anew after "
			"branches. Fewer indirect calls and jumps, and less code between which it jumps.",
			"Fetch bandwidth: instructions are decoded too slowly. Loops that fit into the cache of uops, "
			"shorter instructions, no prefixes that change their length."),
	},
	{
		FINDING_BAD_SPECULATION,
		"the CPU works on the wrong path",
		"A large part of the CPU's issue slots went to instructions that never retired, or to recovering from them: branches "
		"were predicted wrongly, or the pipeline had to start anew.",
		"Top-down: more than 15 % of the slots are lost to bad speculation." HOW_FOUND,
		HOW_TO_SEE
		" Its tables of level 2 tell which of both it is, if that was counted (annot record --topdown=level2).",
		CATALOGUE_CURES(
			"Branches on data: sort the data, or compute both sides and select (conditional moves, masks).",
			"Profile-guided optimisation.",
			"Machine clears: data that threads share and write at once, self-modifying code, denormal numbers."),
	},
	{ 0 },
};

const struct analysis_desc topdown_analysis = {
	.name = "topdown",
	.help = "where the issue slots of the CPU went: top-down, levels 1 and 2, by task, thread and region",
	.title = "Top-down",
	.tables = tables,
	.first_optional = FIRST_OF_LEVEL2,
	.catalogue = catalogue,
	.compute = topdown_report_compute,
	.needs = &regions_analysis,
	.free = topdown_report_free,
	.add_findings = topdown_report_add_findings,
	.not_computed = topdown_report_not_computed,
};
