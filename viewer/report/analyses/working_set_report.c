// SPDX-License-Identifier: GPL-2.0
/*
 * working_set: how much data each task uses, as text and as JSON.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/events/access_events.h"
#include "analysis/memory/working_set.h"
#include "analysis/memory/working_set_findings.h"
#include "report/analyses/load_latency_report.h"
#include "report/analysis_list.h"
#include "report/schema/cache_members.h"
#include "report/table/row_json.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define MOST_TEXT_ROWS 20

static void *working_set_report_compute(const struct analyses *analyses)
{
	const struct model *model = analyses->model;
	enum miss_level *levels = miss_levels_of_model(model);
	bool *is_loads = xcalloc(model->nr_pmu_events, sizeof(*is_loads));
	struct working_set_choice choice = { levels, is_loads };
	struct working_set *sets;

	for (size_t i = 0; i < model->nr_pmu_events; i++)
		is_loads[i] = access_event_is_loads(
			trace_string(model->trace, model->pmu_events[i].name));
	sets = working_set_compute(model, analyses->stats, &choice);
	free(levels);
	free(is_loads);
	return sets;
}

static void working_set_report_free(void *result)
{
	working_set_free(result);
}

static void working_set_report_add_findings(const struct analyses *analyses, const void *result,
					    struct findings *findings)
{
	enum miss_level *levels = miss_levels_of_model(analyses->model);

	working_set_add_findings(analyses->model, analyses->stats, result, levels,
				 load_latency_report_costs(analyses), findings);
	free(levels);
}

static const char *task_name(const struct analyses *analyses, const struct working_set_task *task)
{
	return trace_string(analyses->model->trace, analyses->stats->tasks[task->task].name);
}

static struct figure figure_kib(double bytes)
{
	return figure_number(bytes / 1024);
}

static const struct {
	const char *name; /* in JSON */
	const char *text;
} doubts[NR_WORKING_SET_DOUBTS] = {
	[WORKING_SET_SELDOM] = { "seldom", "few samples per line" },
	[WORKING_SET_IN_ORDER] = { "in_order", "in turn, few samples" },
	[WORKING_SET_IN_STEP] = { "in_step", "in step? a prime -c" },
};

static void print_task(const struct analyses *analyses, const struct working_set_task *task,
		       FILE *out)
{
	fputs("  ", out);
	text_print_name(out, task_name(analyses, task), 20, 20);
	fprintf(out, " %8s", figure_count(task->nr_samples).text);
	fprintf(out, " %9s", task->knee_known ? figure_kib(task->knee_bytes).text : "-");
	if (task->doubt != WORKING_SET_SURE)
		fprintf(out, " %s to %s: %s", figure_kib(task->least_bytes).text,
			figure_kib(task->most_bytes).text, doubts[task->doubt].text);
	/* Each other point: the last is there. */
	for (size_t i = (task->nr_points + 1) % 2; i < task->nr_points; i += 2) {
		if (!task->points[i].is_unsure)
			fprintf(out, " %s/%s", figure_number(task->points[i].accesses).text,
				figure_kib(task->points[i].bytes).text);
	}
	fputc('\n', out);
}

/* "expected/measured", in percent of loads; "<=" is a bound. */
static void print_misses(const struct working_set_misses *misses, FILE *out)
{
	char text[32], expected[12] = "-", measured[12] = "-";

	if (misses->expected_known)
		snprintf(expected, sizeof(expected), "%s%.1f",
			 misses->expected_is_bound ? "<=" : "", 100 * misses->expected);
	if (misses->measured_known)
		snprintf(measured, sizeof(measured), "%.1f", 100 * misses->measured);
	snprintf(text, sizeof(text), "%s/%s", expected, measured);
	fprintf(out, " %13s", text);
}

static bool has_misses(const struct working_set *sets, int level)
{
	for (size_t i = 0; i < sets->nr; i++) {
		if (sets->tasks[i].misses[level].expected_known ||
		    sets->tasks[i].misses[level].measured_known)
			return true;
	}
	return false;
}

static void print_held(const struct working_set *sets, int level, FILE *out)
{
	const struct working_set_held *held = &sets->held[level];

	if (!(held->bytes > 0) && !(held->not_bytes > 0))
		return;
	fprintf(out, "  L%d holds, by measured misses,", level + 1);
	if (held->bytes > 0)
		fprintf(out, " %s KiB%s", figure_kib(held->bytes).text,
			held->not_bytes > 0 ? ", but" : "\n");
	if (held->not_bytes > 0)
		fprintf(out, " not %s KiB\n", figure_kib(held->not_bytes).text);
}

static void print_all_misses(const struct analyses *analyses, const struct working_set *sets,
			     FILE *out)
{
	bool has[WORKING_SET_LEVELS], has_any = false;

	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		has[level] = has_misses(sets, level);
		has_any = has_any || has[level];
	}
	if (!has_any)
		return;
	fprintf(out, "  %-20s %8s", "misses in 100 loads:", "set");
	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		if (has[level])
			fprintf(out, "   L%d exp./seen", level + 1);
	}
	fputc('\n', out);
	for (size_t i = 0; i < sets->nr && i < MOST_TEXT_ROWS; i++) {
		const struct working_set_task *task = &sets->tasks[i];

		fputs("  ", out);
		text_print_name(out, task_name(analyses, task), 20, 20);
		fprintf(out, " %8s", task->knee_known ? figure_kib(task->knee_bytes).text : "-");
		for (int level = 0; level < WORKING_SET_LEVELS; level++) {
			if (has[level])
				print_misses(&task->misses[level], out);
		}
		fputc('\n', out);
	}
	for (int level = 0; level < WORKING_SET_LEVELS; level++)
		print_held(sets, level, out);
}

static void working_set_report_write_text(const struct analyses *analyses, const void *result,
					  FILE *out)
{
	const struct working_set *sets = result;

	fputs("WORKING SETS: how much data each task uses, in KiB\n", out);
	if (!sets->known) {
		fputs("  Not computed: no sample of loads or misses has an address (annot record -e "
		      "memory_loads).\n",
		      out);
		return;
	}
	fprintf(out, "  By %s;",
		trace_string(analyses->model->trace,
			     analyses->model->pmu_events[sets->event].name));
	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		if (sets->level_bytes[level])
			fprintf(out, " L%d has %s,", level + 1,
				figure_kib((double)sets->level_bytes[level]).text);
	}
	fprintf(out, " lines have %" PRIu32 " bytes\n", sets->line_bytes);
	fprintf(out, "  %-20s %8s %9s %s\n", "task", "samples", "set", "accesses/KiB");
	for (size_t i = 0; i < sets->nr && i < MOST_TEXT_ROWS; i++)
		print_task(analyses, &sets->tasks[i], out);
	if (sets->nr > MOST_TEXT_ROWS)
		fprintf(out, "  %zu more left out.\n", sets->nr - MOST_TEXT_ROWS);
	print_all_misses(analyses, sets, out);
}

static const char *const level_names[WORKING_SET_LEVELS] = { "L1", "L2", "L3" };

/* Of each level of which something is known. */
static void write_misses(struct json *json, const struct analyses *analyses,
			 const struct working_set_task *task)
{
	const struct model *model = analyses->model;

	json_key(json, "misses");
	json_begin_array(json);
	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		const struct working_set_misses *misses = &task->misses[level];

		if (!misses->expected_known && !misses->measured_known)
			continue;
		json_begin_object(json);
		json_key_string(json, "level", level_names[level]);
		json_key_known_double(json, "expected_per_load", misses->expected_known,
				      misses->expected);
		json_key_bool(json, "expected_is_upper_bound", misses->expected_is_bound);
		json_key_known_double(json, "measured_per_load", misses->measured_known,
				      misses->measured);
		json_key(json, "event");
		if (misses->measured_known)
			json_string(json, trace_string(model->trace,
						       model->pmu_events[misses->event].name));
		else
			json_null(json);
		json_end_object(json);
	}
	json_end_array(json);
}

static void write_task(struct json *json, const struct analyses *analyses,
		       const struct working_set_task *task)
{
	json_begin_object(json);
	json_key_string(json, "name", task_name(analyses, task));
	json_key_u64(json, "thread", task->thread);
	json_key(json, "tid");
	json_i64(json, analyses->model->threads[task->thread].tid);
	json_key_u64(json, "samples", task->nr_samples);
	json_key(json, "points");
	json_begin_array(json);
	for (size_t i = 0; i < task->nr_points; i++) {
		json_begin_object(json);
		json_key_known_double(json, "accesses", true, task->points[i].accesses);
		json_key_known_double(json, "bytes", true, task->points[i].bytes);
		json_key_bool(json, "is_sure", !task->points[i].is_unsure);
		json_end_object(json);
	}
	json_end_array(json);
	json_key(json, "doubt");
	if (task->doubt == WORKING_SET_SURE)
		json_null(json);
	else
		json_string(json, doubts[task->doubt].name);
	json_key_known_double(json, "least_bytes", true, task->least_bytes);
	json_key_known_double(json, "most_bytes", true, task->most_bytes);
	json_key_known_double(json, "knee_bytes", task->knee_known, task->knee_bytes);
	json_key_known_double(json, "knee_accesses", task->knee_known, task->knee_accesses);
	write_misses(json, analyses, task);
	json_end_object(json);
}

static void write_levels(struct json *json, const struct working_set *sets)
{
	json_key(json, "levels");
	json_begin_array(json);
	for (int level = 0; level < WORKING_SET_LEVELS; level++) {
		const struct working_set_held *held = &sets->held[level];

		if (!sets->level_bytes[level])
			continue;
		json_begin_object(json);
		json_key_string(json, "name", level_names[level]);
		json_key_u64(json, "bytes", sets->level_bytes[level]);
		json_key_known_double(json, "holds_bytes", held->bytes > 0, held->bytes);
		json_key_known_double(json, "holds_not_bytes", held->not_bytes > 0,
				      held->not_bytes);
		json_end_object(json);
	}
	json_end_array(json);
}

static void working_set_report_write_json(const struct analyses *analyses, const void *result,
					  struct json *json)
{
	const struct working_set *sets = result;
	size_t nr = sets->nr < ROW_JSON_MAX ? sets->nr : ROW_JSON_MAX;

	if (!sets->known) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	json_key_string(json, "event",
			trace_string(analyses->model->trace,
				     analyses->model->pmu_events[sets->event].name));
	json_key_bool(json, "is_of_loads", sets->is_of_loads);
	json_key_u64(json, "line_bytes", sets->line_bytes);
	write_levels(json, sets);
	json_key(json, "tasks");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++)
		write_task(json, analyses, &sets->tasks[i]);
	json_end_array(json);
	json_key_u64(json, "left_out", sets->nr - nr);
	json_end_object(json);
}

static const struct catalogue_entry catalogue[] = {
	{
		FINDING_WORKING_SET,
		"a task uses more data than a cache holds",
		"Between two uses of the same data, a task uses more other data than the cache holds. "
		"The data has been evicted by then, and each access misses (capacity misses).",
		"annot counts the distinct lines in the samples of a task, scales the number up to all "
		"accesses, and compares the size with that of each cache.",
		"The page draws the number of lines over the number of accesses, with lines at the "
		"sizes of the caches. It also draws the misses of tasks over their size. annot report "
		"--show working_set prints the figures, and the misses to expect in each cache.",
		CATALOGUE_CURES(
			"Blocking (tiling): work on a part that fits, as long as possible.",
			"Reorder the loops, so that the innermost loop walks along memory.",
			"Smaller data: float for double, indices for pointers, hot fields apart from "
			"cold ones.",
			"Prefetch, if the order is known and the time is spent waiting for memory.",
			"Fuse loops over the same data.",
			"Use more CPUs that have their own caches, each with a part of the data."),
	},
	{ 0 },
};

const struct analysis_desc working_set_analysis = {
	.name = "working_set",
	.help = "how much data each task uses, compared with the caches",
	.catalogue = catalogue,
	.compute = working_set_report_compute,
	.free = working_set_report_free,
	.add_findings = working_set_report_add_findings,
	.write_text = working_set_report_write_text,
	.write_json = working_set_report_write_json,
	.members = working_set_members,
	.may_be_null = true,
};
