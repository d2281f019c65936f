// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "analysis/tasks/task_events.h"
#include "analysis/tasks/task_tree.h"
#include "report/table/row_json.h"
#include "report/analysis_list.h"
#include "report/schema/sched_members.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define NAME_COLUMNS 32
#define MAX_INDENT 24

static void *task_tree_report_compute(const struct analyses *analyses)
{
	return task_tree_compute(analyses->model);
}

static void task_tree_report_free(void *result)
{
	task_tree_free(result);
}

/* Of events of one name, the one that was counted: it is exact. */
static bool is_shown(const struct model *model, size_t event)
{
	const struct pmu_event *own = &model->pmu_events[event];

	if (own->error || own->is_merged)
		return false;
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		const struct pmu_event *other = &model->pmu_events[i];

		if (i == event || other->name != own->name || other->error || other->is_merged)
			continue;
		if (other->is_counted != own->is_counted ? other->is_counted : i < event)
			return false;
	}
	return true;
}

static bool is_instructions(const struct model *model, size_t event)
{
	return event_is_instructions(trace_string(model->trace, model->pmu_events[event].name));
}

/* The first that was sampled, else counted, and is not instructions; or the number of events. */
static size_t shown_event(const struct model *model)
{
	size_t counted = model->nr_pmu_events;

	for (size_t event = model->nr_pmu_events; event-- > 0;) {
		if (is_shown(model, event) && !is_instructions(model, event) &&
		    model->pmu_events[event].is_counted)
			counted = event;
	}
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (is_shown(model, event) && !is_instructions(model, event) &&
		    !model->pmu_events[event].is_counted)
			return event;
	}
	return counted;
}

/* For each thousand instructions; where these were not counted, by their samples. */
static bool mpki_of(const struct analyses *analyses, const struct task_tree *tree, uint32_t at,
		    struct event_ratio *mpki)
{
	const struct model *model = analyses->model;
	const struct event_figures *figures = &tree->events[at * tree->nr_events];
	size_t event = shown_event(model);

	if (event == model->nr_pmu_events || !figures[event].measured)
		return false;
	if (event_per_1000_instructions(model, event, figures, mpki))
		return true;
	for (size_t i = 0; i < model->nr_pmu_events; i++) {
		if (!is_shown(model, i) || !is_instructions(model, i) || !figures[i].nr_samples)
			continue;
		*mpki = event_ratio(model, event, i, figures);
		return true;
	}
	return false;
}

static void print_node(const struct analyses *analyses, const struct task_tree *tree, uint32_t at,
		       FILE *out)
{
	const struct task_tree_node *node = &tree->nodes[at];
	size_t event = shown_event(analyses->model);
	struct event_ratio mpki;
	int indent = node->depth * 2 < MAX_INDENT ? (int)node->depth * 2 : MAX_INDENT;

	fprintf(out, "%*s", indent, "");
	text_print_name(out, trace_string(analyses->model->trace, node->name),
			NAME_COLUMNS - indent, NAME_COLUMNS - indent);
	fprintf(out, " %4s %6s %3" PRIu32 " %6s %6s %6s %6s %7s",
		node->kind == TRACE_SPAN_WAIT ? "wait" : "work", figure_count(node->instances).text,
		node->nr_threads, figure_ns(node->inclusive_ns, "").text,
		figure_ns(node->exclusive_ns, "").text, figure_ns(node->on_cpu_ns, "").text,
		figure_ns(node->exclusive_on_cpu_ns, "").text,
		figure_ns(node->preempted_ns, "").text);
	if (event < analyses->model->nr_pmu_events) {
		bool has_mpki = mpki_of(analyses, tree, at, &mpki);

		fprintf(out, " %7s %6s %6s",
			figure_number(tree->events[at * tree->nr_events + event].count).text,
			has_mpki ? figure_number(mpki.value).text : "-",
			has_mpki ? figure_error(mpki.error, mpki.value).text : "-");
	}
	fputc('\n', out);
}

static void print_head(const struct analyses *analyses, FILE *out)
{
	const struct model *model = analyses->model;
	size_t event = shown_event(model);

	fprintf(out, "%-*s kind  count thr   wall   self on-CPU   self preempt", NAME_COLUMNS,
		"TASK TREE");
	if (event < model->nr_pmu_events) {
		fputs("  count   MPKI  error of ", out);
		text_print_name(out, trace_string(model->trace, model->pmu_events[event].name), -1,
				0);
	}
	fputc('\n', out);
}

static void task_tree_report_write_text(const struct analyses *analyses, const void *result,
					FILE *out)
{
	const struct task_tree *tree = result;
	uint32_t *order;
	size_t nr = task_tree_order(tree, analyses->threshold_pct, SIZE_MAX, &order);

	print_head(analyses, out);
	for (size_t i = 0; i < nr; i++)
		print_node(analyses, tree, order[i], out);
	if (nr < tree->nr)
		fprintf(out, "%zu paths of less than %g %% left out: --threshold 0 shows them.\n",
			tree->nr - nr, analyses->threshold_pct);
	free(order);
}

static bool has_events(const struct model *model)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (is_shown(model, event))
			return true;
	}
	return false;
}

static void write_misses(const struct analyses *analyses, const struct task_tree *tree, uint32_t at,
			 struct json *json)
{
	const struct model *model = analyses->model;

	json_key(json, "misses");
	if (!has_events(model)) {
		json_null(json);
		return;
	}
	json_begin_object(json);
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		const struct event_figures *own = &tree->events[at * tree->nr_events + event];

		if (is_shown(model, event))
			json_key_known_double(json,
					      trace_string(model->trace,
							   model->pmu_events[event].name),
					      own->measured, own->count);
	}
	json_end_object(json);
}

/* Which of the figures of events that took turns is written. */
typedef void (*write_turn_figure)(struct json *json, const char *name, const struct model *model,
				  size_t event, const struct event_figures *figures);

static void write_turn_error(struct json *json, const char *name, const struct model *model,
			     size_t event, const struct event_figures *figures)
{
	json_key_known_double(json, name, figures->measured, event_error(model, event, figures));
}

static void write_turn_share(struct json *json, const char *name, const struct model *model,
			     size_t event, const struct event_figures *figures)
{
	struct event_reliability own = { 0 };

	event_reliability_of(model, event, figures, &own);
	json_key_known_double(json, name, true, own.measured_share);
}

/* Left out where no event took turns. */
static void write_turns(struct json *json, const char *key, const struct model *model,
			const struct event_figures *figures, write_turn_figure write)
{
	bool has_any = false;

	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (!model->pmu_events[event].is_shared || !is_shown(model, event))
			continue;
		if (!has_any) {
			json_key(json, key);
			json_begin_object(json);
		}
		has_any = true;
		write(json, trace_string(model->trace, model->pmu_events[event].name), model, event,
		      &figures[event]);
	}
	if (has_any)
		json_end_object(json);
}

static void write_node(const struct analyses *analyses, const struct task_tree *tree, uint32_t at,
		       int64_t parent, struct json *json)
{
	const struct event_figures *figures = &tree->events[at * tree->nr_events];
	const struct task_tree_node *node = &tree->nodes[at];
	struct event_ratio mpki = { 0 };
	bool has_mpki = mpki_of(analyses, tree, at, &mpki);

	json_begin_object(json);
	json_key_string(json, "name", trace_string(analyses->model->trace, node->name));
	json_key_string(json, "kind", node->kind == TRACE_SPAN_WAIT ? "wait" : "work");
	json_key(json, "parent");
	json_i64(json, parent);
	json_key_u64(json, "instances", node->instances);
	json_key_u64(json, "inclusive_ns", node->inclusive_ns);
	json_key_u64(json, "exclusive_ns", node->exclusive_ns);
	json_key_u64(json, "on_cpu_ns", node->on_cpu_ns);
	json_key_u64(json, "exclusive_on_cpu_ns", node->exclusive_on_cpu_ns);
	json_key_u64(json, "preempted_ns", node->preempted_ns);
	write_misses(analyses, tree, at, json);
	write_turns(json, "misses_error", analyses->model, figures, write_turn_error);
	write_turns(json, "misses_measured_share", analyses->model, figures, write_turn_share);
	json_key_known_double(json, "mpki", has_mpki, mpki.value);
	json_key_known_double(json, "mpki_error", has_mpki && isfinite(mpki.error), mpki.error);
	json_key_u64(json, "threads", node->nr_threads);
	json_end_object(json);
}

static void task_tree_report_write_json(const struct analyses *analyses, const void *result,
					struct json *json)
{
	const struct task_tree *tree = result;
	int64_t *place = xcalloc(tree->nr, sizeof(*place));
	size_t event = shown_event(analyses->model);
	uint32_t *order;
	size_t nr = task_tree_order(tree, analyses->threshold_pct, ROW_JSON_MAX, &order);

	json_begin_object(json);
	json_key(json, "nodes");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++) {
		uint32_t parent = tree->nodes[order[i]].parent;

		place[order[i]] = (int64_t)i;
		write_node(analyses, tree, order[i], parent == TASK_TREE_ROOT ? -1 : place[parent],
			   json);
	}
	json_end_array(json);
	json_key(json, "mpki_of");
	if (event == analyses->model->nr_pmu_events)
		json_null(json);
	else
		json_string(json, trace_string(analyses->model->trace,
					       analyses->model->pmu_events[event].name));
	json_key(json, "threshold_pct");
	json_double(json, analyses->threshold_pct);
	json_key_u64(json, "left_out", tree->nr - nr);
	json_end_object(json);
	free(order);
	free(place);
}

const struct analysis_desc task_tree_analysis = {
	.name = "task_tree",
	.help = "tasks inside tasks: time with and without inner tasks",
	.compute = task_tree_report_compute,
	.free = task_tree_report_free,
	.write_text = task_tree_report_write_text,
	.write_json = task_tree_report_write_json,
	.members = task_tree_members,
};
