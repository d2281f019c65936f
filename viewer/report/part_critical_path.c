// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/critical_path.h"
#include "analysis/interference_findings.h"
#include "report/parts.h"
#include "report/worst.h"
#include "util/units.h"
#include "util/xalloc.h"

#define NAME_COLUMNS 30
#define MOST_LINES 12

struct paths {
	struct critical_path session;
	const struct region_group *group; /* of the region with most to save; NULL: no region */
	struct critical_path region;
};

/* The region with most to save; NULL if nothing is to be saved. */
static const struct region *worst_region(const struct regions *regions)
{
	const struct region *worst = NULL;

	for (size_t i = 0; i < regions->nr_groups; i++) {
		const struct region *region = &regions->rows[regions->groups[i].worst];

		if (region->saved_ns && (!worst || region->saved_ns > worst->saved_ns))
			worst = region;
	}
	return worst;
}

static void *analyse_part(const struct insights *insights)
{
	const struct regions *regions = insights_of(insights, &regions_part);
	const struct region *worst = worst_region(regions);
	struct path_finder finder = path_finder(insights->model, insights->analysis,
						&regions->barriers);
	struct paths *paths = xcalloc(1, sizeof(*paths));
	uint64_t until_ns;
	uint32_t last = last_on_cpu(insights->model, &until_ns);

	paths->session = critical_path(&finder, last, insights->findings.session_from_ns, until_ns);
	if (worst) {
		paths->group = &regions->groups[worst->group];
		paths->region = critical_path(&finder, regions->threads[worst->last.part].thread,
					      worst->from_ns, worst->to_ns);
	}
	path_finder_free(&finder);
	return paths;
}

static void free_part(void *result)
{
	struct paths *paths = result;

	critical_path_free(&paths->session);
	critical_path_free(&paths->region);
	free(paths);
}

static void find(const struct insights *insights, const void *result, struct findings *findings)
{
	const struct paths *paths = result;
	const struct interference *interference = insights_of(insights, &interference_part);
	struct late_wakeups late = late_wakeups_of(insights->model, &interference->programs,
						   &paths->session);

	late_wakeups_find(insights->model, &late, insights_of(insights, &wakeups_part),
			  interference, findings);
	late_wakeups_free(&late);
}

/* Segments of one thread, task and kind, taken together. */
struct line {
	struct path_segment segment;
	uint64_t ns;
};

static int compare_segments(const void *a, const void *b)
{
	const struct path_segment *first = &((const struct line *)a)->segment;
	const struct path_segment *second = &((const struct line *)b)->segment;

	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	if (first->task != second->task)
		return first->task < second->task ? -1 : 1;
	return first->kind < second->kind ? -1 : first->kind > second->kind;
}

static int compare_times(const void *a, const void *b)
{
	const struct line *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return compare_segments(a, b);
}

/* What the path is made of, the most first. free() it. */
static struct line *gather_lines(const struct critical_path *path, size_t *nr)
{
	struct line *lines = xcalloc(path->nr, sizeof(*lines));

	*nr = 0;
	for (size_t i = 0; i < path->nr; i++) {
		lines[i].segment = path->segments[i];
		lines[i].ns = path->segments[i].to_ns - path->segments[i].from_ns;
	}
	if (!path->nr)
		return lines;
	qsort(lines, path->nr, sizeof(*lines), compare_segments);
	for (size_t i = 0; i < path->nr; i++) {
		if (*nr && !compare_segments(&lines[*nr - 1], &lines[i]))
			lines[*nr - 1].ns += lines[i].ns;
		else
			lines[(*nr)++] = lines[i];
	}
	qsort(lines, *nr, sizeof(*lines), compare_times);
	return lines;
}

static void print_line(const struct model *model, const struct line *line, double elapsed_ns,
		       FILE *out)
{
	fprintf(out, "%7s %3.0f%%  ", figure_ns(line->ns, "").text,
		100 * (double)line->ns / elapsed_ns);
	print_name(out, thread_label(model, line->segment.thread).text, NAME_COLUMNS, 0);
	fprintf(out, " %s", path_kind_name(line->segment.kind));
	if (line->segment.task != TRACE_NO_STRING) {
		fputs(" in ", out);
		print_name(out, trace_string(model->trace, line->segment.task), NAME_COLUMNS, 0);
	}
	fputc('\n', out);
}

static void print_slack(const struct model *model, const struct critical_path *path, FILE *out)
{
	fputs("Slack:", out);
	for (size_t i = 0; i < path->nr_threads && i < MOST_LINES; i++) {
		fputs(i ? ", " : " ", out);
		print_name(out, thread_label(model, path->threads[i].thread).text, NAME_COLUMNS, 0);
		fprintf(out, " %s", figure_ns(path->threads[i].slack_ns, " ").text);
	}
	if (path->nr_threads > MOST_LINES)
		fprintf(out, ", and more of %zu others", path->nr_threads - MOST_LINES);
	fputc('\n', out);
}

static void print_path(const struct model *model, const struct critical_path *path, FILE *out)
{
	size_t nr;
	struct line *lines = gather_lines(path, &nr);

	for (size_t i = 0; i < nr && i < MOST_LINES; i++)
		print_line(model, &lines[i], (double)(path->to_ns - path->from_ns), out);
	print_slack(model, path, out);
	free(lines);
}

static void text(const struct insights *insights, const void *result, FILE *out)
{
	const struct paths *paths = result;
	const struct model *model = insights->model;

	fprintf(out, "Critical path of the session, %s:\n",
		figure_ns(paths->session.to_ns - paths->session.from_ns, " ").text);
	print_path(model, &paths->session, out);
	if (!paths->group)
		return;
	fputs("\nCritical path of the worst instance of ", out);
	print_name(out, trace_string(model->trace, paths->group->name), NAME_COLUMNS, 0);
	fprintf(out, ", at %s, %s:\n", figure_ns(paths->region.from_ns, " ").text,
		figure_ns(paths->region.to_ns - paths->region.from_ns, " ").text);
	print_path(model, &paths->region, out);
}

static void write_segment(const struct model *model, const struct path_segment *segment,
			  struct json *json)
{
	json_begin_object(json);
	json_key_u64(json, "thread", segment->thread);
	json_key(json, "tid");
	json_i64(json, model->threads[segment->thread].tid);
	json_key_u64(json, "from_ns", segment->from_ns);
	json_key_u64(json, "to_ns", segment->to_ns);
	json_key_string(json, "kind", path_kind_name(segment->kind));
	json_key(json, "task");
	if (segment->task == TRACE_NO_STRING)
		json_null(json);
	else
		json_string(json, trace_string(model->trace, segment->task));
	json_key_string(json, "cause", path_cause_name(segment->cause));
	json_end_object(json);
}

/* Returns how many are left out: the shortest. */
static size_t write_segments(const struct model *model, const struct critical_path *path,
			     struct json *json)
{
	struct badness *rows = xcalloc(path->nr, sizeof(*rows));
	size_t nr;

	for (size_t i = 0; i < path->nr; i++)
		rows[i] = (struct badness){ path->segments[i].to_ns - path->segments[i].from_ns,
					    i };
	nr = keep_worst(rows, path->nr);
	json_key(json, "segments");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++)
		write_segment(model, &path->segments[rows[i].row], json);
	json_end_array(json);
	free(rows);
	return path->nr - nr;
}

/* Members of the object that @json is in. */
static void write_path(const struct model *model, const struct critical_path *path,
		       const struct region_group *group, struct json *json)
{
	size_t left_out;

	json_key_u64(json, "from_ns", path->from_ns);
	json_key_u64(json, "to_ns", path->to_ns);
	json_key(json, "group");
	if (group)
		json_string(json, trace_string(model->trace, group->name));
	else
		json_null(json);
	json_key_u64(json, "elapsed_ns", path->to_ns - path->from_ns);
	left_out = write_segments(model, path, json);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < path->nr_threads && i < MOST_ROWS; i++) {
		const struct path_thread *thread = &path->threads[i];

		json_begin_object(json);
		json_key_u64(json, "thread", thread->thread);
		json_key(json, "tid");
		json_i64(json, model->threads[thread->thread].tid);
		json_key_u64(json, "on_path_ns", thread->on_path_ns);
		json_key_u64(json, "slack_ns", thread->slack_ns);
		json_end_object(json);
	}
	json_end_array(json);
	json_key_u64(json, "left_out", left_out);
}

static void write_json(const struct insights *insights, const void *result, struct json *json)
{
	const struct paths *paths = result;

	json_begin_object(json);
	write_path(insights->model, &paths->session, NULL, json);
	json_key(json, "worst_region");
	if (paths->group) {
		json_begin_object(json);
		write_path(insights->model, &paths->region, paths->group, json);
		json_end_object(json);
	} else {
		json_null(json);
	}
	json_end_object(json);
}

const struct insight_part critical_path_part = {
	.name = "critical_path",
	.help = "what the end waited for; slack of each thread",
	.analyse = analyse_part,
	.free = free_part,
	.find = find,
	.text = text,
	.json = write_json,
};
