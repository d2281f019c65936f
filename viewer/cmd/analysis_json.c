// SPDX-License-Identifier: GPL-2.0
#include "cmd/analysis_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "report/insights.h"
#include "util/json.h"

static void write_model(struct json *json, const struct model *model)
{
	struct analysis *analysis = analyse(model);
	struct insights *insights = insights_new(model, analysis);

	insights_json(insights, json);
	insights_free(insights);
	analysis_free(analysis);
}

static void write_left_out(struct json *json, uint64_t nr_events)
{
	json_key(json, "left_out");
	json_begin_object(json);
	json_key_u64(json, "events", nr_events);
	json_key_u64(json, "most_events", ANALYSIS_MOST_EVENTS);
	json_end_object(json);
}

static struct model *build(const char *path, struct trace *trace, const struct model_filter *filter)
{
	struct selection *selection = NULL;
	struct model *model;

	if (filter && selection_new(path, filter, NULL, &selection))
		return NULL;
	if (model_build_again(trace, &model))
		model = NULL;
	else if (selection)
		selection_take(selection, &model);
	selection_free(selection);
	return model;
}

/* Returns whether there is anything to tell. */
static bool write_trace(struct json *json, const char *path, struct trace *trace,
			const struct model_filter *filter)
{
	uint64_t nr_events = trace_guess_events(trace);
	struct model *model;

	if (nr_events > ANALYSIS_MOST_EVENTS) {
		write_left_out(json, nr_events);
		return true;
	}
	model = build(path, trace, filter);
	if (!model)
		return false;
	write_model(json, model);
	model_free(model);
	return true;
}

char *analysis_json(const char *path, const struct model_filter *filter)
{
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);
	struct trace *trace;
	struct json json;
	bool done;

	if (!out)
		return NULL;
	if (trace_open(path, &trace)) {
		fclose(out);
		free(text);
		return NULL;
	}
	json_init(&json, out, JSON_COMPACT);
	json_begin_object(&json);
	done = write_trace(&json, path, trace, filter);
	json_end_object(&json);
	trace_close(trace);
	fclose(out);
	if (!done) {
		free(text);
		return NULL;
	}
	return text;
}
