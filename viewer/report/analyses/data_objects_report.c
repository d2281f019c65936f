// SPDX-License-Identifier: GPL-2.0
/*
 * data_objects: whose data sampled accesses touched, and who touched it.
 */
#include <stdlib.h>

#include "analysis/events/event_rates.h"
#include "analysis/memory/object_accesses.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"
#include "util/xalloc.h"

static void *data_objects_report_compute(const struct analyses *analyses)
{
	struct object_accesses *accesses = xcalloc(1, sizeof(*accesses));

	if (analyses->names_addresses)
		*accesses = object_accesses_compute(analyses->model, analyses->stats);
	return accesses;
}

static void data_objects_report_free(void *result)
{
	object_accesses_free(result);
	free(result);
}

static const char *data_objects_report_not_computed(const void *result)
{
	const struct object_accesses *accesses = result;

	return accesses->nr_objects ?
		       NULL :
		       "no sample of the session tells an address (annot record -e l1_cache_miss; on AMD, -e ibs_op)";
}

static const void *object_rows(const void *result, size_t *nr)
{
	const struct object_accesses *accesses = result;

	*nr = accesses->nr_objects;
	return accesses->objects;
}

static const void *user_rows(const void *result, size_t *nr)
{
	const struct object_accesses *accesses = result;

	*nr = accesses->nr_users;
	return accesses->users;
}

static const struct accessed_object *object_of(const struct table_source *source, const void *row)
{
	const struct object_accesses *accesses = source->result;

	return &accesses->objects[((const struct object_user *)row)->object];
}

static struct table_cell string(const struct table_source *source, uint32_t id)
{
	return (struct table_cell){
		.is_unknown = id == TRACE_NO_STRING,
		.text = trace_string(source->analyses->model->trace, id),
	};
}

static struct table_cell event_name(const struct table_source *source, size_t event)
{
	return string(source, source->analyses->model->pmu_events[event].name);
}

/* Of samples of instructions, only shares are known. */
static bool has_counts(const struct table_source *source, size_t event)
{
	return !source->analyses->model->pmu_events[event].by_ratio;
}

static struct table_cell count_of(const struct table_source *source, size_t event,
				  const struct access_figures *figures)
{
	return (struct table_cell){ .is_unknown = !has_counts(source, event),
				    .real = figures->count };
}

static struct table_cell error_of(const struct table_source *source, size_t event,
				  const struct access_figures *figures)
{
	return (struct table_cell){
		.is_unknown = !has_counts(source, event),
		.real = event_samples_error(figures->count, figures->variance, 0),
	};
}

static struct table_cell missed_of(const struct access_figures *figures)
{
	return (struct table_cell){ .is_unknown = !figures->nr_told, .whole = figures->nr_missed };
}

static struct table_cell latency_of(const struct access_figures *figures)
{
	if (!figures->nr_latencies)
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){
		.real = figures->latency_cycles / (double)figures->nr_latencies,
	};
}

static struct table_cell event_cell(const struct table_source *source, const void *row)
{
	return event_name(source, ((const struct accessed_object *)row)->event);
}

static struct table_cell name_cell(const struct table_source *source, const void *row)
{
	return string(source, ((const struct accessed_object *)row)->name);
}

static struct table_cell kind_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){
		.text = data_owner_word(((const struct accessed_object *)row)->kind),
	};
}

static struct table_cell file_cell(const struct table_source *source, const void *row)
{
	return string(source, ((const struct accessed_object *)row)->file);
}

static struct table_cell share_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = ((const struct accessed_object *)row)->share * 100 };
}

static struct table_cell count_cell(const struct table_source *source, const void *row)
{
	const struct accessed_object *object = row;

	return count_of(source, object->event, &object->figures);
}

static struct table_cell error_cell(const struct table_source *source, const void *row)
{
	const struct accessed_object *object = row;

	return error_of(source, object->event, &object->figures);
}

static struct table_cell missed_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return missed_of(&((const struct accessed_object *)row)->figures);
}

static struct table_cell latency_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return latency_of(&((const struct accessed_object *)row)->figures);
}

static struct table_cell threads_cell(const struct table_source *source, const void *row)
{
	const struct accessed_object *object = row;

	(void)source;
	return (struct table_cell){ .is_unknown = !object->nr_threads,
				    .whole = object->nr_threads };
}

static struct table_cell huge_cell(const struct table_source *source, const void *row)
{
	const struct page_share *pages = &((const struct accessed_object *)row)->pages;

	(void)source;
	if (!page_share_is_known(pages))
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){ .real = page_share_of_huge(pages) * 100 };
}

static struct table_cell page_cell(const struct table_source *source, const void *row)
{
	const struct page_share *pages = &((const struct accessed_object *)row)->pages;

	(void)source;
	if (!page_share_is_known(pages))
		return (struct table_cell){ .is_unknown = true };
	return (struct table_cell){ .whole = page_share_page_bytes(pages) / 1024 };
}

static const struct block_estimate *like_it(const void *row)
{
	return &((const struct accessed_object *)row)->like_it;
}

static struct table_cell one_of_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .is_unknown = !like_it(row)->one_of,
				    .whole = like_it(row)->one_of };
}

static struct table_cell sampled_lines_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .is_unknown = !like_it(row)->one_of,
				    .whole = like_it(row)->nr_lines };
}

static struct table_cell estimated(const struct block_estimate *estimate, double share)
{
	return (struct table_cell){ .is_unknown = !estimate->is_known, .real = share * 100 };
}

static struct table_cell all_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return estimated(like_it(row), like_it(row)->share);
}

static struct table_cell all_low_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return estimated(like_it(row), like_it(row)->low);
}

static struct table_cell all_high_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return estimated(like_it(row), like_it(row)->high);
}

static struct table_cell user_event_cell(const struct table_source *source, const void *row)
{
	return event_name(source, object_of(source, row)->event);
}

static struct table_cell user_name_cell(const struct table_source *source, const void *row)
{
	return string(source, object_of(source, row)->name);
}

static struct table_cell task_cell(const struct table_source *source, const void *row)
{
	const struct task_stats *stats = source->analyses->stats;
	uint32_t task = ((const struct object_user *)row)->task;

	if (task == NO_TASK)
		return (struct table_cell){ .is_unknown = true };
	return string(source, stats->tasks[task].name);
}

static struct table_cell user_share_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = ((const struct object_user *)row)->share * 100 };
}

static struct table_cell user_count_cell(const struct table_source *source, const void *row)
{
	return count_of(source, object_of(source, row)->event,
			&((const struct object_user *)row)->figures);
}

static struct table_cell user_error_cell(const struct table_source *source, const void *row)
{
	return error_of(source, object_of(source, row)->event,
			&((const struct object_user *)row)->figures);
}

static struct table_cell user_missed_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return missed_of(&((const struct object_user *)row)->figures);
}

static struct table_cell user_latency_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return latency_of(&((const struct object_user *)row)->figures);
}

#define EVENT "The event that was sampled."
#define COUNT \
	"How many events that is, by the samples' periods; null: samples are of instructions, so only shares are known."
#define ERROR "The truth is within it in 95 of 100 cases; null likewise."
#define MISSED "Samples whose data came from beyond L1; null: no sample tells."
#define LATENCY "How many cycles the access took, in the mean; null: no sample tells."

static const struct table_column object_columns[] = {
	{ COLUMN_TEXT, "event", "event", EVENT, .cell = event_cell },
	{ COLUMN_TEXT, "object", "object",
	  "Whose data it is: a name that the program gave, the call that allocated it, a variable, or what is mapped there.",
	  .cell = name_cell },
	{ COLUMN_TEXT, "kind", "kind",
	  "What that is: object, variable, thread-local, stack, heap, file, kernel, or unknown.",
	  .cell = kind_cell },
	{ COLUMN_TEXT, "file", "file",
	  "Of a variable, thread-local or not, its file; null: it is none.", .cell = file_cell },
	{ COLUMN_NUMBER, "share_pct", "share %",
	  "Its share of the event's samples that have an address, by the samples' periods.",
	  .cell = share_cell },
	{ COLUMN_COUNT, "samples", "samples", "Samples that accessed it.",
	  TABLE_FIELD(accessed_object, figures.nr_samples) },
	{ COLUMN_NUMBER, "count", "events", COUNT, .cell = count_cell },
	{ COLUMN_NUMBER, "count_error", "+/-", ERROR, .cell = error_cell },
	{ COLUMN_COUNT, "missed", "missed", MISSED, .cell = missed_cell },
	{ COLUMN_NUMBER, "latency_cycles", "cycles", LATENCY, .cell = latency_cell },
	{ COLUMN_COUNT, "threads", "threads",
	  "How many threads touched it, in samples of any event; null: it is not known whose data it is.",
	  .cell = threads_cell },
	{ COLUMN_COUNT, "tasks", "tasks", "How many tasks touched it, in samples of this event.",
	  TABLE_FIELD(accessed_object, nr_tasks) },
	{ COLUMN_NUMBER, "huge_pct", "huge %",
	  "How much of the memory that the samples hit was in huge pages when it was first read after them: of the mappings "
	  "around, by the samples' periods; null: not known.",
	  .cell = huge_cell },
	{ COLUMN_COUNT, "page_kib", "page KiB",
	  "The size of the pages that hold most of that; null: not known.", .cell = page_cell },
	{ COLUMN_COUNT, "one_of", NULL,
	  "Of a small block of which a random sample was told: of so many, one was; null: it is none.",
	  .cell = one_of_cell },
	{ COLUMN_COUNT, "sampled_lines", NULL,
	  "In how many lines of 64 bytes those begin that were told and have samples; null likewise.",
	  .cell = sampled_lines_cell },
	{ COLUMN_NUMBER, "all_pct", "all like it %",
	  "Estimated of that: the share of all blocks like it, told or not. Those not told are in rows without a name of the "
	  "program's, as [heap], so the rows do not add up; null: they are in too few lines, or it is no sample.",
	  .cell = all_cell },
	{ COLUMN_NUMBER, "all_low_pct", "from",
	  "Begin of its interval, 95 %, whatever lines are told; null likewise.",
	  .cell = all_low_cell },
	{ COLUMN_NUMBER, "all_high_pct", "to", "Its end; null likewise.", .cell = all_high_cell },
	{ 0 },
};

static const struct table_column user_columns[] = {
	{ COLUMN_TEXT, "event", "event", EVENT, .cell = user_event_cell },
	{ COLUMN_TEXT, "object", "object", "Whose data it is.", .cell = user_name_cell },
	{ COLUMN_TEXT, "task", "task", "The innermost task then; null: none.", .cell = task_cell },
	{ COLUMN_THREAD, NULL, "thread", "Which thread accessed it.",
	  TABLE_FIELD(object_user, thread) },
	{ COLUMN_NUMBER, "share_pct", "share %",
	  "Its share of the event's samples of the object, by the samples' periods.",
	  .cell = user_share_cell },
	{ COLUMN_COUNT, "samples", "samples", "Its samples.",
	  TABLE_FIELD(object_user, figures.nr_samples) },
	{ COLUMN_NUMBER, "count", "events", COUNT, .cell = user_count_cell },
	{ COLUMN_NUMBER, "count_error", "+/-", ERROR, .cell = user_error_cell },
	{ COLUMN_COUNT, "missed", "missed", MISSED, .cell = user_missed_cell },
	{ COLUMN_NUMBER, "latency_cycles", "cycles", LATENCY, .cell = user_latency_cell },
	{ 0 },
};

static const void *line_rows(const void *result, size_t *nr)
{
	const struct object_accesses *accesses = result;

	*nr = accesses->lines.nr;
	return accesses->lines.rows;
}

static struct table_cell array_cell(const struct table_source *source, const void *row)
{
	return string(source, ((const struct line_use *)row)->array);
}

static struct table_cell array_file_cell(const struct table_source *source, const void *row)
{
	return string(source, ((const struct line_use *)row)->file);
}

static struct table_cell fields_cell(const struct table_source *source, const void *row)
{
	return string(source, ((const struct line_use *)row)->fields);
}

static struct table_cell kinds_cell(const struct table_source *source, const void *row)
{
	const struct line_use *use = row;

	(void)source;
	if (use->has_loads && use->has_stores)
		return (struct table_cell){ .text = "loads, stores" };
	return (struct table_cell){ .text = use->has_loads ? "loads" : "stores" };
}

static struct table_cell unseen_cell(const struct table_source *source, const void *row)
{
	(void)source;
	return (struct table_cell){ .real = 100 * ((const struct line_use *)row)->unseen_share };
}

static const struct table_column line_columns[] = {
	{ COLUMN_TEXT, "array", "array of structures",
	  "The variable or the call that allocated it, and the member of it that is the array.",
	  .cell = array_cell },
	{ COLUMN_TEXT, "file", NULL, "Of a variable, its file; null: it is none.",
	  .cell = array_file_cell },
	{ COLUMN_COUNT, "element_bytes", "element", "How many bytes an element has.",
	  TABLE_FIELD(line_use, element_bytes) },
	{ COLUMN_COUNT, "used_bytes", "used", "In how many of these accesses were sampled.",
	  TABLE_FIELD(line_use, used_bytes) },
	{ COLUMN_COUNT, "line_bytes", NULL, "How many bytes a line has.",
	  TABLE_FIELD(line_use, line_bytes) },
	{ COLUMN_NUMBER, "used_line_bytes", "used of a line",
	  "Used bytes of a line that is fetched, in the mean, if all elements are used alike.",
	  TABLE_FIELD(line_use, used_line_bytes) },
	{ COLUMN_TEXT, "fields", "fields",
	  "The fields with most samples, and their shares of these.", .cell = fields_cell },
	{ COLUMN_TEXT, "accesses", "of", "Which accesses were sampled.", .cell = kinds_cell },
	{ COLUMN_COUNT, "samples", "samples", "How many samples that is of.",
	  TABLE_FIELD(line_use, nr_samples) },
	{ COLUMN_NUMBER, "unseen_pct", "unseen %",
	  "A field with this share of the accesses or more is missing in at most 5 of 100 cases.",
	  .cell = unseen_cell },
	{ 0 },
};

static const struct analysis_table tables[] = {
	{ "objects", "Objects", "object", object_columns, sizeof(struct accessed_object),
	  object_rows },
	{ "users", "Who accesses them", "user", user_columns, sizeof(struct object_user),
	  user_rows },
	{ "lines", "Use of lines", "array", line_columns, sizeof(struct line_use), line_rows },
	{ 0 },
};

const struct analysis_desc data_objects_analysis = {
	.name = "data_objects",
	.help = "objects, variables and blocks of memory that sampled accesses touched, and who it was",
	.title = "Whose data",
	.tables = tables,
	.compute = data_objects_report_compute,
	.interns_names = true,
	.free = data_objects_report_free,
	.not_computed = data_objects_report_not_computed,
};
