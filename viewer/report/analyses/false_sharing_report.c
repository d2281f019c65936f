// SPDX-License-Identifier: GPL-2.0
/*
 * false_sharing: lines that several CPUs write to, as text and as JSON.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/memory/false_sharing.h"
#include "analysis/memory/false_sharing_findings.h"
#include "report/analyses/load_latency_report.h"
#include "report/analysis_list.h"
#include "report/samples/shared_fields.h"
#include "report/schema/cache_members.h"
#include "report/schema/miss_cost_members.h"
#include "report/table/table_json.h"
#include "util/xalloc.h"

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
	struct sample_misses misses = sample_misses_compute(model, analyses->stats);
	bool *is_stores = xcalloc(model->nr_pmu_events, sizeof(*is_stores));
	struct false_sharing *sharing;

	for (size_t i = 0; i < model->nr_pmu_events; i++)
		is_stores[i] = has_word(trace_string(model->trace, model->pmu_events[i].name),
					"store");
	sharing = false_sharing_compute(
		model, &misses, &load_latency_report_costs(analyses)->of[MISS_COST_OF_TAKEN_LINE],
		is_stores);
	sample_misses_free(&misses);
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

/* Where the worst line begins, and which fields are in it. free() it. */
static char *words_of_worst(const struct model *model, struct symbols *symbols,
			    const struct false_sharing *sharing)
{
	struct address_label place = place_of_shared(model, symbols, sharing->lines);
	struct shared_fields fields = shared_fields_of_line(model, symbols, sharing,
							    sharing->lines);

	return xasprintf("%s%s%s", place.text, *fields.text ? ", with " : "", fields.text);
}

static void false_sharing_report_add_findings(const struct analyses *analyses, const void *result,
					      struct findings *findings)
{
	const struct false_sharing *sharing = result;
	struct symbols *symbols;
	char *place;

	if (!sharing->nr || !sharing->lines->is_false_sharing)
		return;
	symbols = address_label_symbols(analyses);
	place = words_of_worst(analyses->model, symbols, sharing);
	false_sharing_add_findings(analyses->model, sharing, place, findings);
	free(place);
}

static const char *false_sharing_report_not_computed(const void *result)
{
	const struct false_sharing *sharing = result;

	return sharing->known ? NULL : "no sample has an address";
}

static void false_sharing_report_write_json(const struct analyses *analyses, const void *result,
					    struct json *json)
{
	const struct false_sharing *sharing = result;

	if (!sharing->known) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_key_u64(json, "line_bytes", sharing->line_bytes);
	miss_cost_json(json, &sharing->cost);
	table_json_write(analyses, &false_sharing_analysis, json);
	json_end_object(json);
}

static const void *line_rows(const void *result, size_t *nr)
{
	const struct false_sharing *sharing = result;

	*nr = sharing->nr;
	return sharing->lines;
}

static struct table_cell place_cell(const struct table_source *source, const void *row)
{
	return (struct table_cell){
		.place = place_of_shared(source->analyses->model, source->symbols, row),
	};
}

static struct table_cell cpus_cell(const struct table_source *source, const void *row)
{
	const struct shared_line *line = row;
	struct table_cell cell = { .list.nr = line->nr_threads };

	(void)source;
	_Static_assert(SHARED_MOST_THREADS <= TABLE_LIST_MOST, "a cell holds all");
	for (size_t i = 0; i < line->nr_threads; i++)
		cell.list.numbers[i] = (uint32_t)line->threads[i].cpu;
	return cell;
}

static struct table_cell threads_cell(const struct table_source *source, const void *row)
{
	const struct shared_line *line = row;
	struct table_cell cell = { .list.nr = line->nr_threads };

	(void)source;
	for (size_t i = 0; i < line->nr_threads; i++)
		cell.list.numbers[i] = line->threads[i].thread;
	return cell;
}

static const void *access_rows(const void *result, size_t *nr)
{
	const struct false_sharing *sharing = result;

	*nr = sharing->accesses.nr;
	return sharing->accesses.rows;
}

static struct address_label label_of_access(const struct table_source *source, const void *row)
{
	const struct line_access *access = row;

	return address_label_data(source->analyses->model, source->symbols, access->sample);
}

static struct table_cell data_cell(const struct table_source *source, const void *row)
{
	return (struct table_cell){ .place = label_of_access(source, row) };
}

static struct table_cell field_cell(const struct table_source *source, const void *row)
{
	struct address_label label = label_of_access(source, row);
	struct trace *trace = source->analyses->model->trace;

	return (struct table_cell){
		.is_unknown = !label.has_field,
		.text = trace_string(trace, trace_intern(trace, label.text)),
	};
}

#define FIELD(field) TABLE_FIELD(shared_line, field)

static const struct table_column columns[] = {
	{ COLUMN_ADDRESS, "address", NULL, "Where the line begins.", FIELD(address) },
	{ COLUMN_PLACE, NULL, "line",
	  "What stands there: a variable, or memory that the program named, of which object is null. "
	  "Each may be null.",
	  .cell = place_cell },
	{ COLUMN_CPUS, "cpus", NULL, "The CPU on which each thread used it first.",
	  .cell = cpus_cell },
	{ COLUMN_THREADS, NULL, "threads", "The first threads to use it, 8 at most.",
	  .cell = threads_cell },
	{ COLUMN_COUNT, "samples", "samples", "Samples of it.", FIELD(nr_samples) },
	{ COLUMN_COUNT, "stores", "stores", "Those of stores among them.", FIELD(nr_stores) },
	{ COLUMN_COUNT, "turns", "turns",
	  "Samples on another CPU than the sample before them, within 10 ms.", FIELD(nr_turns) },
	{ COLUMN_FLAG, "is_false_sharing", "false sharing", "Whether it is shared falsely.",
	  FIELD(is_false_sharing) },
	{ COLUMN_COUNT, "modified", "modified",
	  "Samples of loads that found it modified in another CPU's cache.", FIELD(nr_modified) },
	{ 0 },
};

#define ACCESS_FIELD(field) TABLE_FIELD(line_access, field)

static const struct table_column access_columns[] = {
	{ COLUMN_PLACE, NULL, "data",
	  "A variable, or memory that the program named, of which object is null. Each may be null.",
	  .cell = data_cell },
	{ COLUMN_TEXT, "field", NULL,
	  "Its field by debug information, as counters[1].hits; null: not known.",
	  .cell = field_cell },
	{ COLUMN_ADDRESS, "address", NULL, "Where it is.", ACCESS_FIELD(address) },
	{ COLUMN_ADDRESS, "line_address", NULL, "Where its line begins.",
	  ACCESS_FIELD(line_address) },
	{ COLUMN_THREAD, NULL, "thread", "Who accessed it.", ACCESS_FIELD(thread) },
	{ COLUMN_COUNT, "samples", "samples", "Samples of it, with loads that hit L1.",
	  ACCESS_FIELD(nr_samples) },
	{ COLUMN_COUNT, "stores", "stores", "Those of stores among them.",
	  ACCESS_FIELD(nr_stores) },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "rows", "Lines that several CPUs use", "line", columns, sizeof(struct shared_line),
	  line_rows },
	{ "accesses", "Who accesses what in lines that are shared falsely", "falsely shared place",
	  access_columns, sizeof(struct line_access), access_rows },
	{ 0 },
};

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_FALSE_SHARING,
		"CPUs write to different data in one cache line",
		"A CPU that writes to a line takes it from all other CPUs. If the other CPUs use other "
		"bytes of the line, it moves between CPUs without need.",
		"annot finds lines that samples of several CPUs hit in turn, at different offsets, with "
		"stores among the samples (annot record -e l1_cache_miss,memory_stores; on AMD, -e "
		"ibs_op,l1_cache_miss). It estimates the cost from the samples of misses; of IBS, whose "
		"samples are no counts, by ratio: counted instructions, or misses, to samples. What one "
		"costs is the mean latency of 30 or more sampled loads of lines that another CPU had "
		"written to (annot report --show load_latency), else 75 cycles at 3 GHz, or more.",
		"annot report --show false_sharing lists the lines, and which thread accesses which data "
		"of those that are shared falsely.",
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
	.title = "False sharing",
	.tables = tables,
	.catalogue = catalogue,
	.compute = false_sharing_report_compute,
	.needs = &load_latency_analysis,
	.free = false_sharing_report_free,
	.add_findings = false_sharing_report_add_findings,
	.not_computed = false_sharing_report_not_computed,
	.write_json = false_sharing_report_write_json,
	.members = false_sharing_members,
	.may_be_null = true,
};
