// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "analysis/regions/critical_path.h"
#include "analysis/sched/interference_findings.h"
#include "analysis/base/top_k.h"
#include "report/analyses/critical_path_report.h"
#include "report/analysis_list.h"
#include "report/schema/region_members.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define NAME_COLUMNS 30
#define MOST_LINES 12

/* Of single regions, so many are told, with so many segments in all, but for the last. */
#define MOST_REGIONS 64
#define MOST_REGION_SEGMENTS 2000

struct region_path {
	const struct region *region;
	struct critical_path path;
};

struct paths {
	struct critical_path session;
	size_t nr; /* those with most to save first, in time order where equal */
	struct region_path *regions;
};

static struct path_finder new_finder(const struct analyses *analyses)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);

	return path_finder_new(analyses->model, analyses->stats, &regions->barriers);
}

static struct region_path path_of(const struct analyses *analyses, const struct path_finder *finder,
				  const struct region *region)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);
	uint32_t last = regions->threads[region->last.part].thread;

	return (struct region_path){ region, critical_path_compute(finder, last, region->from_ns,
								   region->to_ns) };
}

static void add_regions(const struct analyses *analyses, const struct path_finder *finder,
			struct paths *paths)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);
	struct top_k worst = { 0 };
	size_t nr_segments = 0;

	for (size_t i = 0; i < regions->nr; i++)
		top_k_add(&worst, regions->rows[i].saved_ns, i);
	top_k_rank(&worst);
	paths->regions = xcalloc(MOST_REGIONS, sizeof(*paths->regions));
	while (paths->nr < worst.nr && paths->nr < MOST_REGIONS &&
	       nr_segments < MOST_REGION_SEGMENTS) {
		struct region_path *own = &paths->regions[paths->nr];

		*own = path_of(analyses, finder, &regions->rows[worst.rows[paths->nr].row]);
		nr_segments += own->path.nr;
		paths->nr++;
	}
}

static void *critical_path_report_compute(const struct analyses *analyses)
{
	struct path_finder finder = new_finder(analyses);
	struct paths *paths = xcalloc(1, sizeof(*paths));
	uint64_t until_ns;
	uint32_t last = critical_path_last_on_cpu(analyses->model, &until_ns);

	paths->session = critical_path_compute(&finder, last, analyses->findings.session_from_ns,
					       until_ns);
	add_regions(analyses, &finder, paths);
	path_finder_free(&finder);
	return paths;
}

const struct critical_path *critical_path_report_session(const struct analyses *analyses)
{
	const struct paths *paths = analyses_result(analyses, &critical_path_analysis);

	return &paths->session;
}

/* The one with most to save; NULL if nothing is to be saved. */
static const struct region_path *worst_of(const struct paths *paths)
{
	return paths->nr && paths->regions[0].region->saved_ns ? &paths->regions[0] : NULL;
}

static void critical_path_report_free(void *result)
{
	struct paths *paths = result;

	critical_path_free(&paths->session);
	for (size_t i = 0; i < paths->nr; i++)
		critical_path_free(&paths->regions[i].path);
	free(paths->regions);
	free(paths);
}

static void critical_path_report_add_findings(const struct analyses *analyses, const void *result,
					      struct findings *findings)
{
	const struct paths *paths = result;
	const struct interference *interference = analyses_result(analyses, &interference_analysis);
	struct late_wakeups late = late_wakeups_compute(analyses->model, &interference->programs,
							&paths->session);

	late_wakeups_add_findings(analyses->model, &late,
				  analyses_result(analyses, &wakeup_latency_analysis), interference,
				  findings);
	late_wakeups_free(&late);
}

static void print_line(const struct model *model, const struct critical_path_line *line,
		       double elapsed_ns, FILE *out)
{
	fprintf(out, "%7s %3.0f%%  ", figure_ns(line->ns, "").text,
		100 * (double)line->ns / elapsed_ns);
	text_print_name(out, thread_label(model, line->thread).text, NAME_COLUMNS, 0);
	fprintf(out, " %s", critical_path_kind_name(line->kind));
	if (line->waits_for != TRACE_NO_STRING)
		fprintf(out, " on %s", trace_string(model->trace, line->waits_for));
	if (line->task != TRACE_NO_STRING) {
		fputs(" in ", out);
		text_print_name(out, trace_string(model->trace, line->task), NAME_COLUMNS, 0);
	}
	fputc('\n', out);
}

static void print_slack(const struct model *model, const struct critical_path *path, FILE *out)
{
	fputs("Slack:", out);
	for (size_t i = 0; i < path->nr_threads && i < MOST_LINES; i++) {
		fputs(i ? ", " : " ", out);
		text_print_name(out, thread_label(model, path->threads[i].thread).text,
				NAME_COLUMNS, 0);
		fprintf(out, " %s", figure_ns(path->threads[i].slack_ns, " ").text);
	}
	if (path->nr_threads > MOST_LINES)
		fprintf(out, ", and more of %zu others", path->nr_threads - MOST_LINES);
	fputc('\n', out);
}

static void print_path(const struct model *model, const struct critical_path *path, FILE *out)
{
	for (size_t i = 0; i < path->nr_lines && i < MOST_LINES; i++)
		print_line(model, &path->lines[i], (double)(path->to_ns - path->from_ns), out);
	print_slack(model, path, out);
}

static const struct region_group *group_of(const struct analyses *analyses,
					   const struct region *region)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);

	return &regions->groups[region->group];
}

/* From 1 on. */
static size_t instance_number(const struct analyses *analyses, const struct region *region)
{
	const struct regions *regions = analyses_result(analyses, &regions_analysis);
	size_t number = 1;

	for (size_t row = regions->groups[region->group].first; &regions->rows[row] != region;
	     row = regions->rows[row].next_of_group)
		number++;
	return number;
}

static void print_region_path(const struct analyses *analyses, const struct region_path *own,
			      FILE *out)
{
	const struct model *model = analyses->model;
	const struct region_group *group = group_of(analyses, own->region);

	fputs("\nCritical path of ", out);
	text_print_name(out, trace_string(model->trace, group->name), NAME_COLUMNS, 0);
	fprintf(out, ", instance %zu of %zu%s, at %s, %s:\n",
		instance_number(analyses, own->region), group->nr,
		analyses->region ? "" : " (the worst)", figure_ns(own->path.from_ns, " ").text,
		figure_ns(own->path.to_ns - own->path.from_ns, " ").text);
	print_path(model, &own->path, out);
}

static struct region_path path_of_chosen(const struct analyses *analyses)
{
	struct path_finder finder = new_finder(analyses);
	struct region_path own = path_of(analyses, &finder, analyses->region);

	path_finder_free(&finder);
	return own;
}

static void critical_path_report_write_text(const struct analyses *analyses, const void *result,
					    FILE *out)
{
	const struct paths *paths = result;
	const struct region_path *worst = worst_of(paths);
	struct region_path chosen;

	fprintf(out, "Critical path of the session, %s:\n",
		figure_ns(paths->session.to_ns - paths->session.from_ns, " ").text);
	print_path(analyses->model, &paths->session, out);
	if (analyses->region) {
		chosen = path_of_chosen(analyses);
		print_region_path(analyses, &chosen, out);
		critical_path_free(&chosen.path);
	} else if (worst) {
		print_region_path(analyses, worst, out);
	}
}

static const char *string_or_null(const struct trace *trace, uint32_t id)
{
	return id == TRACE_NO_STRING ? NULL : trace_string(trace, id);
}

static void write_segment(const struct model *model, const struct critical_path_segment *segment,
			  struct json *json)
{
	json_begin_object(json);
	json_key_u64(json, "thread", segment->thread);
	json_key(json, "tid");
	json_i64(json, model->threads[segment->thread].tid);
	json_key_u64(json, "from_ns", segment->from_ns);
	json_key_u64(json, "to_ns", segment->to_ns);
	json_key_string(json, "kind", critical_path_kind_name(segment->kind));
	json_key_text(json, "waits_for", string_or_null(model->trace, segment->waits_for));
	json_key_text(json, "task", string_or_null(model->trace, segment->task));
	json_key_string(json, "cause", critical_path_cause_name(segment->cause));
	json_end_object(json);
}

/* Members of the object that @json is in. */
static void write_path(const struct model *model, const struct critical_path *path,
		       const struct region_group *group, struct json *json)
{
	json_key_u64(json, "from_ns", path->from_ns);
	json_key_u64(json, "to_ns", path->to_ns);
	json_key(json, "group");
	if (group)
		json_string(json, trace_string(model->trace, group->name));
	else
		json_null(json);
	json_key_u64(json, "elapsed_ns", path->to_ns - path->from_ns);
	json_key(json, "segments");
	json_begin_array(json);
	for (size_t i = 0; i < path->nr; i++)
		write_segment(model, &path->segments[i], json);
	json_end_array(json);
	json_key(json, "threads");
	json_begin_array(json);
	for (size_t i = 0; i < path->nr_threads && i < TOP_K_MAX; i++) {
		const struct critical_path_thread *thread = &path->threads[i];

		json_begin_object(json);
		json_key_u64(json, "thread", thread->thread);
		json_key(json, "tid");
		json_i64(json, model->threads[thread->thread].tid);
		json_key_u64(json, "on_path_ns", thread->on_path_ns);
		json_key_u64(json, "slack_ns", thread->slack_ns);
		json_end_object(json);
	}
	json_end_array(json);
	json_key_u64(json, "left_out", path->left_out);
}

static void write_region(const struct analyses *analyses, const struct region_path *own,
			 struct json *json)
{
	json_begin_object(json);
	json_key_u64(json, "instance", instance_number(analyses, own->region));
	write_path(analyses->model, &own->path, group_of(analyses, own->region), json);
	json_end_object(json);
}

static void write_chosen(const struct analyses *analyses, struct json *json)
{
	struct region_path chosen = path_of_chosen(analyses);

	json_key(json, "chosen_region");
	write_region(analyses, &chosen, json);
	critical_path_free(&chosen.path);
}

static void critical_path_report_write_json(const struct analyses *analyses, const void *result,
					    struct json *json)
{
	const struct paths *paths = result;
	const struct region_path *worst = worst_of(paths);

	json_begin_object(json);
	write_path(analyses->model, &paths->session, NULL, json);
	if (analyses->region)
		write_chosen(analyses, json);
	json_key(json, "worst_region");
	if (worst)
		write_region(analyses, worst, json);
	else
		json_null(json);
	json_key(json, "other_regions");
	json_begin_array(json);
	for (size_t i = worst ? 1 : 0; i < paths->nr; i++)
		write_region(analyses, &paths->regions[i], json);
	json_end_array(json);
	json_end_object(json);
}

const struct analysis_desc critical_path_analysis = {
	.name = "critical_path",
	.help = "work and waits that determined the end; slack of each thread",
	.compute = critical_path_report_compute,
	.needs = &regions_analysis,
	.free = critical_path_report_free,
	.add_findings = critical_path_report_add_findings,
	.write_text = critical_path_report_write_text,
	.write_json = critical_path_report_write_json,
	.members = critical_path_members,
};
