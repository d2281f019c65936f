// SPDX-License-Identifier: GPL-2.0
/*
 * set_conflicts: lines that compete for few sets of a cache, as text and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/memory/set_conflicts.h"
#include "analysis/memory/set_conflicts_findings.h"
#include "report/analyses/load_latency_report.h"
#include "report/analysis_list.h"
#include "report/samples/data_names.h"
#include "report/samples/registers.h"
#include "report/schema/cache_members.h"
#include "report/table/table_json.h"

static const char *const reason_texts[] = {
	[SET_CONFLICTS_NO_EVENT] = "no sample of L1 misses has an address, or registers (annot "
				   "record -e l1_cache_miss --registers; on AMD: -e ibs_op)",
	[SET_CONFLICTS_NO_TOPOLOGY] = "the trace does not have the sizes of the caches",
	[SET_CONFLICTS_LARGE_SPAN] = "a line's set depends on its physical address here",
};

static void *set_conflicts_report_compute(const struct analyses *analyses)
{
	struct sample_misses misses = sample_misses_compute(analyses->model, analyses->stats);
	struct set_conflicts *conflicts = set_conflicts_compute(
		analyses->model, &misses,
		registers_of_addresses(trace_info(analyses->model->trace)->machine));

	sample_misses_free(&misses);
	return conflicts;
}

static void set_conflicts_report_free(void *result)
{
	set_conflicts_free(result);
}

/* "%di"; "" if it has addresses. */
struct source_name {
	char text[REGISTER_NAME_BYTES + 1];
};

static struct source_name register_of(const struct model *model, const struct set_conflict *row)
{
	struct source_name name = { "" };

	if (row->reg < 0)
		return name;
	name.text[0] = '%';
	register_name(trace_info(model->trace)->machine, (size_t)row->reg, name.text + 1);
	return name;
}

static void set_conflicts_report_add_findings(const struct analyses *analyses, const void *result,
					      struct findings *findings)
{
	const struct set_conflicts *conflicts = result;
	struct symbols *symbols;
	struct address_label place;
	struct data_names data;

	if (!conflicts->nr || !conflicts->rows->is_conflict)
		return;
	symbols = address_label_symbols(analyses);
	place = address_label_code(analyses->model, symbols, conflicts->rows->sample);
	data = data_names_of_instruction(analyses->model, symbols, conflicts->rows->sample);
	set_conflicts_add_findings(analyses->model, conflicts,
				   &load_latency_report_costs(analyses)->of[MISS_L1], place.text,
				   register_of(analyses->model, conflicts->rows).text, data.text,
				   findings);
}

static const char *set_conflicts_report_not_computed(const void *result)
{
	const struct set_conflicts *conflicts = result;

	return conflicts->why == SET_CONFLICTS_COMPUTED ? NULL : reason_texts[conflicts->why];
}

static const void *conflict_rows(const void *result, size_t *nr)
{
	const struct set_conflicts *conflicts = result;

	*nr = conflicts->nr;
	return conflicts->rows;
}

static struct table_cell place_cell(const struct table_source *source, const void *row)
{
	const struct set_conflict *conflict = row;

	return (struct table_cell){
		.place = address_label_code(source->analyses->model, source->symbols,
					    conflict->sample),
	};
}

static struct table_cell event_cell(const struct table_source *source, const void *row)
{
	const struct model *model = source->analyses->model;
	const struct set_conflict *conflict = row;

	return (struct table_cell){
		.text = trace_string(model->trace, model->pmu_events[conflict->event].name),
	};
}

static struct table_cell from_cell(const struct table_source *source, const void *row)
{
	const struct set_conflict *conflict = row;

	(void)source;
	return (struct table_cell){ .text = conflict->reg < 0 ? "addresses" : "register" };
}

static struct table_cell register_cell(const struct table_source *source, const void *row)
{
	const struct set_conflict *conflict = row;

	(void)source;
	return (struct table_cell){
		.is_unknown = conflict->reg < 0,
		.whole = (uint64_t)conflict->reg,
	};
}

static struct table_cell level_cell(const struct table_source *source, const void *row)
{
	(void)source;
	(void)row;
	return (struct table_cell){ .text = "L1" };
}

static struct table_cell misses_cell(const struct table_source *source, const void *row)
{
	const struct set_conflict *conflict = row;

	(void)source;
	return (struct table_cell){
		.is_unknown = isnan(conflict->misses),
		.real = conflict->misses,
	};
}

static struct table_cell all_lines_cell(const struct table_source *source, const void *row)
{
	const struct set_conflict *conflict = row;

	(void)source;
	return (struct table_cell){
		.is_unknown = !isfinite(conflict->all_lines),
		.real = conflict->all_lines,
	};
}

#define FIELD(field) TABLE_FIELD(set_conflict, field)

static const struct table_column columns[] = {
	{ COLUMN_PLACE, NULL, "instruction", "The instruction that missed; each may be null.",
	  .cell = place_cell },
	{ COLUMN_ADDRESS, "ip", NULL, "Its address.", FIELD(ip) },
	{ COLUMN_TEXT, "event", NULL, "The event that was sampled.", .cell = event_cell },
	{ COLUMN_TEXT, "from", NULL, "What was tested: addresses, or a register.",
	  .cell = from_cell },
	{ COLUMN_COUNT, "samples", "samples", "Its samples.", FIELD(nr_samples) },
	{ COLUMN_NUMBER, "misses", "misses",
	  "The misses that they stand for; null: of these samples it is not known.",
	  .cell = misses_cell },
	{ COLUMN_TEXT, "level", NULL, "The cache.", .cell = level_cell },
	{ COLUMN_COUNT, "sets", NULL, "Its sets.", FIELD(sets) },
	{ COLUMN_COUNT, "ways", NULL, "Its ways.", FIELD(ways) },
	{ COLUMN_COUNT, "span_bytes", NULL,
	  "The distance of addresses that fall into the same set.", FIELD(span_bytes) },
	{ COLUMN_COUNT, "lines", "lines", "Different lines that the instruction missed.",
	  FIELD(lines) },
	{ COLUMN_NUMBER, "all_lines", NULL,
	  "The same with an estimate of those that no sample hit; null: too many.",
	  .cell = all_lines_cell },
	{ COLUMN_COUNT, "agreeing", "agree", "Lines whose set has more of them than it has ways.",
	  FIELD(agreeing) },
	{ COLUMN_NUMBER, "expected", "expected", "How many would agree by chance.",
	  FIELD(expected) },
	{ COLUMN_NUMBER, "p_value", "p",
	  "An upper bound of the probability that the fullest set is as full by chance.",
	  FIELD(p_value) },
	{ COLUMN_FLAG, "is_contradicted", NULL,
	  "Whether another register has as many lines, which are no conflict.",
	  FIELD(is_contradicted) },
	{ COLUMN_FLAG, "is_conflict", "conflict", "Whether it is a conflict.", FIELD(is_conflict) },
	{ COLUMN_REGISTER, "register", "register", "The register that was tested; null: addresses.",
	  .cell = register_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "rows", "Instructions", "instruction", columns, sizeof(struct set_conflict),
	  conflict_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_SET_CONFLICTS,
		"data competes for the same few sets of a cache",
		"The address of a line determines the one set of a cache that can hold the line. A set "
		"holds only a few lines: it has few ways. Lines whose addresses agree modulo the set "
		"span (number of sets times line size, 4096 bytes in most L1 caches) evict each "
		"other, while the rest of the cache is free.",
		"For each instruction, annot counts how the distinct lines of its samples are spread "
		"over the sets. There is a conflict if a set gets more lines than it has ways, far more "
		"than by chance, and all lines together would fit into the cache. If samples have no "
		"addresses, annot tests the registers that were recorded with them (annot record "
		"--registers) as if they were addresses. It then reports no conflict if another "
		"register has as many lines without conflicts. A constant that the instruction adds to "
		"the register changes nothing. An index that it adds is not in the register: rows of "
		"4096 bytes, read one after the other, then look like a conflict. If an instruction "
		"loads into its address register, that address is lost. annot tests the L1 "
		"cache only: the sets of the other levels depend on physical addresses, which annot "
		"does not record.",
		"annot samples --columns ip,addr shows addresses with the same last digits; --columns "
		"ip,regs shows registers. annot report --show set_conflicts lists the instructions, "
		"and whether addresses or a register gave the evidence.",
		CATALOGUE_CURES(
			"Padding: make rows or arrays a line (or a few) longer than a power of two.",
			"Colouring: start arrays that are used together at different offsets.",
			"Another layout: an array of structs instead of arrays of the same size side "
			"by side.",
			"Copy a block into a buffer of its own before working on it.",
			"Page colouring or huge pages, for a cache that is indexed by physical address."),
	},
	{ 0 },
};

const struct analysis_desc set_conflicts_analysis = {
	.name = "set_conflicts",
	.help = "instructions whose data competes for few sets of a cache",
	.title = "Set conflicts",
	.tables = tables,
	.catalogue = catalogue,
	.compute = set_conflicts_report_compute,
	.free = set_conflicts_report_free,
	.add_findings = set_conflicts_report_add_findings,
	.not_computed = set_conflicts_report_not_computed,
};
