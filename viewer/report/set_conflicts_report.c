// SPDX-License-Identifier: GPL-2.0
/*
 * set_conflicts: lines that compete for few sets of a cache, as text and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/memory/set_conflicts.h"
#include "analysis/memory/set_conflicts_findings.h"
#include "report/analysis_list.h"
#include "report/address_label.h"
#include "report/registers.h"
#include "util/figure.h"
#include "util/text.h"

#define MOST_JSON_ROWS 1000
#define MOST_TEXT_ROWS 20

static const char *const whys[] = {
	[SET_CONFLICTS_NO_EVENT] = "no sample of L1 misses has an address, or registers (annot "
				   "record -e l1_cache_miss --registers)",
	[SET_CONFLICTS_NO_TOPOLOGY] = "the trace does not have the sizes of the caches",
	[SET_CONFLICTS_LARGE_SPAN] = "a line's set depends on its physical address here",
};

static void *set_conflicts_report_compute(const struct analyses *analyses)
{
	enum miss_level *levels = miss_levels_of_model(analyses->model);
	struct set_conflicts *conflicts = set_conflicts_compute(
		analyses->model, levels,
		registers_of_addresses(trace_info(analyses->model->trace)->machine));

	free(levels);
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

	if (!conflicts->nr || !conflicts->rows->is_conflict)
		return;
	symbols = address_label_symbols(analyses);
	place = address_label_code(analyses->model, symbols, conflicts->rows->sample);
	set_conflicts_add_findings(analyses->model, conflicts, place.text,
				   register_of(analyses->model, conflicts->rows).text, findings);
	symbols_free(symbols);
}

static const char *event_name(const struct model *model, size_t event)
{
	return trace_string(model->trace, model->pmu_events[event].name);
}

static void print_row(const struct model *model, const struct set_conflict *row,
		      struct symbols *symbols, FILE *out)
{
	struct address_label place = address_label_code(model, symbols, row->sample);

	fputs("  ", out);
	text_print_name(out, place.text, 32, 32);
	fprintf(out, " %8s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8s %8s %s%s%s\n",
		figure_number(row->misses).text, row->nr_samples, row->lines, row->agreeing,
		figure_number(row->expected).text, figure_number(row->p_value).text,
		row->is_conflict ? "yes" : "no", row->reg < 0 ? "" : ", ",
		register_of(model, row).text);
}

static void set_conflicts_report_write_text(const struct analyses *analyses, const void *result,
					    FILE *out)
{
	const struct set_conflicts *conflicts = result;
	struct symbols *symbols;

	fputs("SET CONFLICTS: lines that compete for few sets of the L1 cache\n", out);
	if (conflicts->why != SET_CONFLICTS_COMPUTED) {
		fprintf(out, "  Not computed: %s.\n", whys[conflicts->why]);
		return;
	}
	if (!conflicts->nr) {
		fputs("  No instruction has enough samples.\n", out);
		return;
	}
	symbols = address_label_symbols(analyses);
	fprintf(out, "  %-32s %8s %8s %8s %8s %8s %8s %s\n", "instruction", "misses", "samples",
		"lines", "agree", "expected", "p", "conflict");
	for (size_t i = 0; i < conflicts->nr && i < MOST_TEXT_ROWS; i++)
		print_row(analyses->model, &conflicts->rows[i], symbols, out);
	if (conflicts->nr > MOST_TEXT_ROWS)
		fprintf(out, "  %zu more left out.\n", conflicts->nr - MOST_TEXT_ROWS);
	symbols_free(symbols);
}

static void write_row(struct json *json, const struct model *model, const struct set_conflict *row,
		      struct symbols *symbols)
{
	struct address_label place = address_label_code(model, symbols, row->sample);

	json_begin_object(json);
	address_label_json(json, &place);
	json_key_address(json, "ip", row->ip);
	json_key_string(json, "event", event_name(model, row->event));
	json_key_string(json, "from", row->reg < 0 ? "addresses" : "register");
	json_key(json, "register");
	if (row->reg < 0)
		json_null(json);
	else
		json_string(json, register_of(model, row).text + 1);
	json_key_u64(json, "samples", row->nr_samples);
	json_key_known_double(json, "misses", true, row->misses);
	json_key_string(json, "level", "L1");
	json_key_u64(json, "sets", row->sets);
	json_key_u64(json, "ways", row->ways);
	json_key_u64(json, "span_bytes", row->span_bytes);
	json_key_u64(json, "lines", row->lines);
	json_key_known_double(json, "all_lines", isfinite(row->all_lines), row->all_lines);
	json_key_u64(json, "agreeing", row->agreeing);
	json_key_known_double(json, "expected", true, row->expected);
	json_key_known_double(json, "p_value", true, row->p_value);
	json_key_bool(json, "is_contradicted", row->is_contradicted);
	json_key_bool(json, "is_conflict", row->is_conflict);
	json_end_object(json);
}

static void set_conflicts_report_write_json(const struct analyses *analyses, const void *result,
					    struct json *json)
{
	const struct set_conflicts *conflicts = result;
	size_t nr = conflicts->nr < MOST_JSON_ROWS ? conflicts->nr : MOST_JSON_ROWS;
	struct symbols *symbols = nr ? address_label_symbols(analyses) : NULL;

	json_begin_object(json);
	json_key(json, "not_computed");
	if (conflicts->why == SET_CONFLICTS_COMPUTED)
		json_null(json);
	else
		json_string(json, whys[conflicts->why]);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++)
		write_row(json, analyses->model, &conflicts->rows[i], symbols);
	json_end_array(json);
	json_key_u64(json, "left_out", conflicts->nr - nr);
	json_end_object(json);
	symbols_free(symbols);
}

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
	.catalogue = catalogue,
	.compute = set_conflicts_report_compute,
	.free = set_conflicts_report_free,
	.add_findings = set_conflicts_report_add_findings,
	.write_text = set_conflicts_report_write_text,
	.write_json = set_conflicts_report_write_json,
};
