// SPDX-License-Identifier: GPL-2.0
#include "report/stacks/stacks_report.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "analysis/stacks/stack_tree.h"
#include "trace/event.h"
#include "util/text/figure.h"
#include "util/text/json.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define FIGURES_COLUMNS 28 /* in front of the names */
#define MOST_INDENT 60 /* further levels are not indented */

/* What is weighed, in words. */
static const struct {
	const char *title;
	const char *points; /* of one */
	const char *column;
	bool is_time;
} words[NR_STACKS_OF] = {
	[STACKS_OFF_CPU] = { "Time off the CPU, blocked, by call stack", "wait", "WAITS", true },
	[STACKS_ON_CPU] = { "Time on a CPU by call stack", "stretch", "STRETCHES", true },
	[STACKS_WAKERS] = { "Time off the CPU, blocked, by call stack of who ended it", "wait",
			    "WAITS", true },
	[STACKS_MISSES] = { "Samples by call stack", "sample", "SAMPLES", false },
};

static struct figure figure_of(const struct stacks_report *report, uint64_t weight)
{
	return words[report->weights->of].is_time ? figure_ns(weight, "") :
						    figure_number((double)weight);
}

static double share_of(const struct stacks_report *report, uint64_t weight)
{
	uint64_t all = report->weights->weight;

	return all ? (double)weight / (double)all : 0;
}

static const char *event_name(const struct stacks_report *report)
{
	const struct model *model = report->model;
	size_t event = report->weights->event;

	return event < model->nr_pmu_events ?
		       trace_string(model->trace, model->pmu_events[event].name) :
		       "";
}

/* A point of a profile is a sample. */
static enum stacks_of points_of(const struct stack_weights *weights)
{
	return weights->is_profile ? STACKS_MISSES : weights->of;
}

static uint64_t nr_lost_samples(const struct stacks_report *report)
{
	const struct stack_weights *weights = report->weights;

	return weights->is_profile ? report->model->pmu_events[weights->event].nr_lost : 0;
}

static void print_head(const struct stacks_report *report, FILE *out)
{
	const struct stack_weights *weights = report->weights;
	uint64_t all = weights->weight + weights->weight_without;
	enum stacks_of points = points_of(weights);

	fputs(words[weights->of].title, out);
	if (weights->of == STACKS_MISSES) {
		fputs(", of ", out);
		text_print_name(out, event_name(report), -1, 0);
	}
	fprintf(out, ":\n%s in %" PRIu64 " %s%s.\n", figure_of(report, weights->weight).text,
		weights->nr_points, words[points].points,
		weights->nr_points == 1 ? "" :
		points == STACKS_ON_CPU ? "es" :
					  "s");
	if (weights->weight_without)
		fprintf(out, "Besides, %s (%.1f %% of all) without a stack.\n",
			figure_of(report, weights->weight_without).text,
			(double)weights->weight_without / (double)all * 100);
	if (nr_lost_samples(report))
		fprintf(out,
			"%" PRIu64
			" samples of all programs are missing: the time is longer than that.\n",
			nr_lost_samples(report));
}

static const char *name_of(const struct model *model, const struct stack_node *node)
{
	if (node->frame)
		return stack_frame_name(model, node->frame);
	return node->cause ? trace_string(model->trace, node->cause) : "unknown";
}

/* How a node is printed. */
struct place {
	uint32_t indent; /* one for each of the nodes around it that have several children */
	bool is_head; /* of a chain: its caller has several children, or none is there */
};

/* free() them. */
static struct place *places_of(const struct stack_tree *tree)
{
	uint32_t *nr_children = xcalloc(tree->nr + 1, sizeof(*nr_children));
	struct place *places = xcalloc(tree->nr + 1, sizeof(*places));

	for (size_t i = 0; i < tree->nr; i++) {
		if (tree->nodes[i].parent != STACK_TREE_NO_NODE)
			nr_children[tree->nodes[i].parent]++;
	}
	for (size_t i = 0; i < tree->nr; i++) {
		uint32_t parent = tree->nodes[i].parent;

		/* What was waited for stands out. */
		places[i].is_head = parent == STACK_TREE_NO_NODE || nr_children[parent] > 1 ||
				    !tree->nodes[parent].frame;
		if (parent != STACK_TREE_NO_NODE)
			places[i].indent = places[parent].indent + places[i].is_head;
	}
	free(nr_children);
	return places;
}

static void print_node(const struct stacks_report *report, const struct stack_tree *tree, size_t at,
		       struct place place, FILE *out)
{
	const struct model *model = report->model;
	const struct stack_node *node = &tree->nodes[at];
	uint32_t object = node->frame ? model->frames.object[node->frame] : TRACE_NO_STRING;
	uint32_t around = node->parent == STACK_TREE_NO_NODE ? 0 : tree->nodes[node->parent].frame;

	fprintf(out, "%5.1f%% %8s %9" PRIu64 "  %*s%s", share_of(report, node->weight) * 100,
		figure_of(report, node->weight).text, node->nr,
		(int)(2 * place.indent < MOST_INDENT ? 2 * place.indent : MOST_INDENT), "",
		place.is_head ? "- " : "  ");
	if (node->frame && model->frames.flags[node->frame] & FRAME_INLINED)
		fputs("(inlined) ", out);
	text_print_name(out, name_of(model, node), -1, 0);
	if (object && (!around || model->frames.object[around] != object)) {
		fputs("  ", out);
		text_print_name(out, trace_string(model->trace, object), -1, 0);
	}
	fputc('\n', out);
}

void stacks_report_text(const struct stacks_report *report, FILE *out)
{
	struct stack_tree tree = stack_tree_make(report->model, report->weights);
	struct place *places = places_of(&tree);
	uint64_t nr_hidden = 0;

	print_head(report, out);
	if (tree.nr)
		fprintf(out, "\n%6s %8s %9s    %s\n", "SHARE",
			words[report->weights->of].is_time ? "TIME" : "EVENTS",
			words[points_of(report->weights)].column, "FUNCTION");
	for (size_t i = 0; i < tree.nr; i++) {
		if (share_of(report, tree.nodes[i].weight) * 100 < report->threshold_pct)
			nr_hidden++;
		else
			print_node(report, &tree, i, places[i], out);
	}
	if (nr_hidden)
		fprintf(out, "%*s(%" PRIu64 " more, each less than %g %%: --threshold 0)\n",
			FIGURES_COLUMNS, "", nr_hidden, report->threshold_pct);
	free(places);
	stack_tree_free(&tree);
}

static void write_frame(struct json *json, const struct model *model, uint32_t frame)
{
	const struct frame_table *frames = &model->frames;
	uint32_t line = frames->line[frame];

	json_begin_object(json);
	json_key_string(json, "function", stack_frame_name(model, frame));
	json_key_string(json, "object", trace_string(model->trace, frames->object[frame]));
	json_key_text(json, "line", line ? trace_string(model->trace, line) : NULL);
	json_key_bool(json, "inlined", frames->flags[frame] & FRAME_INLINED);
	json_key_bool(json, "kernel", frames->flags[frame] & FRAME_KERNEL);
	json_end_object(json);
}

static void write_row(struct json *json, const struct stacks_report *report,
		      const struct stack_weight *row)
{
	const struct model *model = report->model;
	const struct thread *thread = &model->threads[row->thread];
	uint32_t frames[STACKS_MOST_FRAMES];
	size_t nr = stack_weight_frames(model, row, frames);

	json_begin_object(json);
	json_key_string(json, "thread", trace_string(model->trace, thread->comm));
	json_key_u64(json, "tid", (uint64_t)thread->tid);
	if (stacks_have_causes(report->weights->of))
		json_key_text(json, "cause",
			      row->cause ? trace_string(model->trace, row->cause) : NULL);
	json_key_u64(json, words[report->weights->of].is_time ? "time_ns" : "events", row->weight);
	json_key_u64(json, "count", row->nr);
	json_key(json, "frames");
	json_begin_array(json);
	for (size_t i = 0; i < nr; i++)
		write_frame(json, model, frames[i]);
	json_end_array(json);
	json_end_object(json);
}

void stacks_report_json(const struct stacks_report *report, FILE *out)
{
	const struct stack_weights *weights = report->weights;
	bool is_time = words[weights->of].is_time;
	struct json json;

	json_init(&json, out, JSON_INDENTED);
	json_begin_object(&json);
	json_key_string(&json, "of", stacks_of_names[weights->of]);
	if (weights->of == STACKS_MISSES)
		json_key_string(&json, "event", event_name(report));
	json_key_bool(&json, "profile", weights->is_profile);
	if (weights->is_profile)
		json_key_u64(&json, "lost_samples", nr_lost_samples(report));
	json_key_u64(&json, is_time ? "time_ns" : "events", weights->weight);
	json_key_u64(&json, is_time ? "without_stack_ns" : "events_without_stack",
		     weights->weight_without);
	json_key(&json, "stacks");
	json_begin_array(&json);
	for (size_t i = 0; i < weights->nr; i++)
		write_row(&json, report, &weights->rows[i]);
	json_end_array(&json);
	json_end_object(&json);
	fputc('\n', out);
}
