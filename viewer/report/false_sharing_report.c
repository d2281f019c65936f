// SPDX-License-Identifier: GPL-2.0
/*
 * false_sharing: lines that several CPUs write to, as text and as JSON.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/memory/false_sharing.h"
#include "analysis/memory/false_sharing_findings.h"
#include "report/analysis_list.h"
#include "report/address_label.h"
#include "util/text.h"
#include "util/xalloc.h"

#define MOST_JSON_ROWS 1000
#define MOST_TEXT_ROWS 20

static bool has_word(const char *text, const char *word)
{
	for (; *text; text++) {
		size_t i = 0;

		while (word[i] && tolower((unsigned char)text[i]) == word[i])
			i++;
		if (!word[i])
			return true;
	}
	return false;
}

static void *false_sharing_report_compute(const struct analyses *analyses)
{
	const struct model *model = analyses->model;
	enum miss_level *levels = miss_levels_of_model(model);
	bool *is_stores = xcalloc(model->nr_pmu_events, sizeof(*is_stores));
	struct false_sharing *sharing;

	for (size_t i = 0; i < model->nr_pmu_events; i++)
		is_stores[i] = has_word(trace_string(model->trace, model->pmu_events[i].name),
					"store");
	sharing = false_sharing_compute(model, levels, is_stores);
	free(levels);
	free(is_stores);
	return sharing;
}

static void false_sharing_report_free(void *result)
{
	false_sharing_free(result);
}

static struct address_label place_of_shared(const struct model *model, struct symbols *symbols,
					    const struct shared_line *line)
{
	return address_label_line(model, symbols, line->sample, line->address);
}

static void false_sharing_report_add_findings(const struct analyses *analyses, const void *result,
					      struct findings *findings)
{
	const struct false_sharing *sharing = result;
	struct symbols *symbols;
	struct address_label place;

	if (!sharing->nr || !sharing->lines->is_false_sharing)
		return;
	symbols = address_label_symbols(analyses);
	place = place_of_shared(analyses->model, symbols, sharing->lines);
	false_sharing_add_findings(analyses->model, sharing, place.text, findings);
	symbols_free(symbols);
}

static void print_line(const struct model *model, const struct shared_line *line,
		       struct symbols *symbols, FILE *out)
{
	struct address_label place = place_of_shared(model, symbols, line);

	fputs("  ", out);
	text_print_name(out, place.text, 40, 40);
	fprintf(out, " %8zu %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %s\n", line->nr_threads,
		line->nr_samples, line->nr_stores, line->nr_turns,
		line->is_false_sharing ? "falsely" : "-");
}

static void false_sharing_report_write_text(const struct analyses *analyses, const void *result,
					    FILE *out)
{
	const struct false_sharing *sharing = result;
	struct symbols *symbols;

	fputs("SHARED LINES: cache lines that several CPUs use and write to\n", out);
	if (!sharing->known) {
		fputs("  Not computed: no sample has an address.\n", out);
		return;
	}
	if (!sharing->nr) {
		fputs("  None was seen.\n", out);
		return;
	}
	symbols = address_label_symbols(analyses);
	fprintf(out, "  %-40s %8s %8s %8s %8s %s\n", "line", "threads", "samples", "stores",
		"turns", "shared");
	for (size_t i = 0; i < sharing->nr && i < MOST_TEXT_ROWS; i++)
		print_line(analyses->model, &sharing->lines[i], symbols, out);
	if (sharing->nr > MOST_TEXT_ROWS)
		fprintf(out, "  %zu more left out.\n", sharing->nr - MOST_TEXT_ROWS);
	symbols_free(symbols);
}

static void write_users(struct json *json, const struct model *model,
			const struct shared_line *line)
{
	json_key(json, "cpus");
	json_begin_array(json);
	for (size_t i = 0; i < line->nr_threads; i++)
		json_i64(json, line->threads[i].cpu);
	json_end_array(json);
	json_key(json, "tids");
	json_begin_array(json);
	for (size_t i = 0; i < line->nr_threads; i++)
		json_i64(json, model->threads[line->threads[i].thread].tid);
	json_end_array(json);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < line->nr_threads; i++)
		json_u64(json, line->threads[i].thread);
	json_end_array(json);
}

static void write_line(struct json *json, const struct model *model, const struct shared_line *line,
		       struct symbols *symbols)
{
	struct address_label place = place_of_shared(model, symbols, line);

	json_begin_object(json);
	json_key_address(json, "address", line->address);
	address_label_json(json, &place);
	write_users(json, model, line);
	json_key_u64(json, "samples", line->nr_samples);
	json_key_u64(json, "stores", line->nr_stores);
	json_key_u64(json, "turns", line->nr_turns);
	json_key_bool(json, "is_false_sharing", line->is_false_sharing);
	json_end_object(json);
}

static void false_sharing_report_write_json(const struct analyses *analyses, const void *result,
					    struct json *json)
{
	const struct false_sharing *sharing = result;
	size_t nr = sharing->nr < MOST_JSON_ROWS ? sharing->nr : MOST_JSON_ROWS;
	struct symbols *symbols;

	if (!sharing->known) {
		json_null(json);
		return;
	}
	symbols = nr ? address_label_symbols(analyses) : NULL;
	json_begin_object(json);
	json_key_u64(json, "line_bytes", sharing->line_bytes);
	json_key(json, "rows");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++)
		write_line(json, analyses->model, &sharing->lines[i], symbols);
	json_end_array(json);
	json_key_u64(json, "left_out", sharing->nr - nr);
	json_end_object(json);
	symbols_free(symbols);
}

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_FALSE_SHARING,
		"CPUs write to different data in one cache line",
		"A CPU that writes to a line takes it from all other CPUs. If the other CPUs use other "
		"bytes of the line, it moves between CPUs without need.",
		"annot finds lines that samples of several CPUs hit in turn, at different offsets, with "
		"stores among the samples (annot record -e l1_cache_miss,memory_stores). It estimates "
		"the cost from the samples of misses.",
		"annot report --show false_sharing lists the lines; annot report --by address shows the "
		"data in them.",
		CATALOGUE_CURES(
			"Align the data of each thread to lines of its own: alignas(64), padding "
			"(128 bytes on CPUs that fetch lines in pairs).",
			"Let each thread add up in a local variable, and write the sum once.",
			"Keep data that is written apart from data that is only read.",
			"Split arrays among threads in whole lines."),
	},
	{ 0 },
};

const struct analysis_desc false_sharing_analysis = {
	.name = "false_sharing",
	.help = "cache lines that several CPUs use and write to",
	.catalogue = catalogue,
	.compute = false_sharing_report_compute,
	.free = false_sharing_report_free,
	.add_findings = false_sharing_report_add_findings,
	.write_text = false_sharing_report_write_text,
	.write_json = false_sharing_report_write_json,
};
