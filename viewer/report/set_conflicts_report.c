// SPDX-License-Identifier: GPL-2.0
/*
 * set_conflicts: lines that compete for few sets of a cache, as text and as JSON.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/memory/set_conflicts.h"
#include "analysis/memory/set_conflicts_findings.h"
#include "report/parts.h"
#include "report/address_label.h"
#include "report/registers.h"
#include "util/units.h"

#define MOST_JSON_ROWS 1000
#define MOST_TEXT_ROWS 20

static const char *const whys[] = {
	[SET_CONFLICTS_NO_EVENT] = "no sample of L1 misses has an address, or registers (annot "
				   "record -t l1_cache_miss --registers)",
	[SET_CONFLICTS_NO_TOPOLOGY] = "the trace does not tell how large the caches are",
	[SET_CONFLICTS_LARGE_SPAN] = "a line's set depends on its physical address here",
};

static void *analyse_part(const struct insights *insights)
{
	enum miss_level *levels = miss_levels(insights->model);
	struct set_conflicts *conflicts = analyse_set_conflicts(
		insights->model, levels,
		registers_of_addresses(trace_info(insights->model->trace)->machine));

	free(levels);
	return conflicts;
}

static void free_part(void *result)
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

static void find_part(const struct insights *insights, const void *result,
		      struct findings *findings)
{
	const struct set_conflicts *conflicts = result;
	struct symbols *symbols;
	struct place_text place;

	if (!conflicts->nr || !conflicts->rows->is_conflict)
		return;
	symbols = place_symbols(insights);
	place = place_of_code(insights->model, symbols, conflicts->rows->sample);
	find_set_conflicts(insights->model, conflicts, place.text,
			   register_of(insights->model, conflicts->rows).text, findings);
	symbols_free(symbols);
}

static const char *event_name(const struct model *model, size_t event)
{
	return trace_string(model->trace, model->pmu_events[event].name);
}

static void print_row(const struct model *model, const struct set_conflict *row,
		      struct symbols *symbols, FILE *out)
{
	struct place_text place = place_of_code(model, symbols, row->sample);

	fputs("  ", out);
	print_name(out, place.text, 32, 32);
	fprintf(out, " %8s %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8s %8s %s%s%s\n",
		figure_number(row->misses).text, row->nr_samples, row->lines, row->agreeing,
		figure_number(row->expected).text, figure_number(row->p_value).text,
		row->is_conflict ? "yes" : "no", row->reg < 0 ? "" : ", ",
		register_of(model, row).text);
}

static void print_part(const struct insights *insights, const void *result, FILE *out)
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
	symbols = place_symbols(insights);
	fprintf(out, "  %-32s %8s %8s %8s %8s %8s %8s %s\n", "instruction", "misses", "samples",
		"lines", "agree", "expected", "p", "conflict");
	for (size_t i = 0; i < conflicts->nr && i < MOST_TEXT_ROWS; i++)
		print_row(insights->model, &conflicts->rows[i], symbols, out);
	if (conflicts->nr > MOST_TEXT_ROWS)
		fprintf(out, "  %zu more left out.\n", conflicts->nr - MOST_TEXT_ROWS);
	symbols_free(symbols);
}

static void write_row(struct json *json, const struct model *model, const struct set_conflict *row,
		      struct symbols *symbols)
{
	struct place_text place = place_of_code(model, symbols, row->sample);

	json_begin_object(json);
	place_json(json, &place);
	json_key_u64(json, "ip", row->ip);
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

static void write_part(const struct insights *insights, const void *result, struct json *json)
{
	const struct set_conflicts *conflicts = result;
	size_t nr = conflicts->nr < MOST_JSON_ROWS ? conflicts->nr : MOST_JSON_ROWS;
	struct symbols *symbols = nr ? place_symbols(insights) : NULL;

	json_begin_object(json);
	json_key(json, "not_computed");
	if (conflicts->why == SET_CONFLICTS_COMPUTED)
		json_null(json);
	else
		json_string(json, whys[conflicts->why]);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++)
		write_row(json, insights->model, &conflicts->rows[i], symbols);
	json_end_array(json);
	json_key_u64(json, "left_out", conflicts->nr - nr);
	json_end_object(json);
	symbols_free(symbols);
}

const struct insight_part set_conflicts_part = {
	.name = "set_conflicts",
	.help = "instructions whose data competes for few sets of a cache",
	.analyse = analyse_part,
	.free = free_part,
	.find = find_part,
	.text = print_part,
	.json = write_part,
};
