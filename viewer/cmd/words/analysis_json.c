// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/analysis_json.h"

#include <stdio.h>
#include <stdlib.h>

#include "cmd/words/message_rows.h"
#include "model/reading.h"
#include "report/analysis_list.h"
#include "report/table/table_columns.h"
#include "report/turn_figures_json.h"
#include "util/diag.h"
#include "util/memory_room.h"
#include "util/spill/spill.h"
#include "util/text/json.h"

static void write_model(struct json *json, const struct model *model,
			struct message_table *messages)
{
	struct task_stats *stats = task_stats_compute(model);
	struct analyses *analyses = analyses_new_named(model, stats, NULL, NULL);

	analyses_json(analyses, json);
	table_columns_json(json);
	turn_figures_json(json, model, stats);
	message_rows_add(messages, analyses_result(analyses, &messages_analysis));
	analyses_free(analyses);
	task_stats_free(stats);
}

static void write_left_out(struct json *json, uint64_t nr_events, uint64_t most_events,
			   struct analysis_json *out)
{
	out->nr_left_out = nr_events;
	out->most_events = most_events;
	json_key(json, "left_out");
	json_begin_object(json);
	json_key_u64(json, "events", nr_events);
	json_key_u64(json, "most_events", most_events);
	json_end_object(json);
}

uint64_t analysis_guess_events(uint64_t duration_ns, uint64_t nr_read, uint64_t read_ns)
{
	double share = duration_ns > read_ns ? (double)read_ns / (double)duration_ns : 1;

	return share > 0 ? (uint64_t)((double)nr_read / share) : nr_read;
}

/* @model stays NULL, and in @nr_events is about how many there are, if these are too many. */
static int build_model(struct trace *trace, const struct model_filter *filter, uint64_t most_events,
		       uint64_t *nr_events, struct model **model)
{
	uint64_t duration_ns = trace_duration_ns(trace), read_ns;
	struct selection *selection = NULL;
	int status;

	/* The size of the file does not show how many annotations are in batches. */
	*nr_events = trace_guess_events(trace);
	if (*nr_events > most_events)
		return 0;
	if (filter && selection_new(trace, filter, NULL, &selection))
		return -1;
	status = model_build_again(trace, most_events, &read_ns, model);
	if (*model && selection)
		selection_take(selection, model);
	else if (!*model)
		*nr_events = analysis_guess_events(duration_ns, most_events, read_ns);
	selection_free(selection);
	return status;
}

static int write_trace(struct json *json, struct trace *trace, const struct model_filter *filter,
		       uint64_t most_events, struct analysis_json *out)
{
	struct model *model = NULL;
	uint64_t nr_events;

	if (build_model(trace, filter, most_events, &nr_events, &model))
		return -1;
	if (!model) {
		write_left_out(json, nr_events, most_events, out);
		return 0;
	}
	write_model(json, model, &out->messages);
	model_free(model);
	return 0;
}

/* An object in out->text, until end_object(). */
static int begin_object(struct json *json, struct analysis_json *out)
{
	FILE *stream = open_memstream(&out->text, &out->nr_bytes);

	if (!stream)
		return diag_error("out of memory");
	json_init(json, stream, JSON_COMPACT);
	json_begin_object(json);
	return 0;
}

static void end_object(struct json *json)
{
	json_end_object(json);
	fclose(json->out);
}

int analysis_json(const struct trace *whole, const struct model_filter *filter,
		  uint64_t most_events, struct analysis_json *out)
{
	struct trace *trace;
	struct json json;
	int status;

	if (trace_reopen(whole, &trace))
		return -1;
	status = begin_object(&json, out);
	if (!status) {
		status = write_trace(&json, trace, filter, most_events, out);
		end_object(&json);
	}
	trace_close(trace);
	return status;
}

int analysis_json_of_model(const struct model *model, struct analysis_json *out)
{
	struct json json;

	if (begin_object(&json, out))
		return -1;
	write_model(&json, model, &out->messages);
	end_object(&json);
	return 0;
}

int analysis_json_left_out(uint64_t nr_events, uint64_t most_events, struct analysis_json *out)
{
	struct json json;

	if (begin_object(&json, out))
		return -1;
	write_left_out(&json, nr_events, most_events, out);
	end_object(&json);
	return 0;
}

void analysis_json_free(struct analysis_json *json)
{
	free(json->text);
	message_table_free(&json->messages);
}

uint64_t analysis_most_events(void)
{
	uint64_t memory_bytes = memory_room_bytes(), disk_bytes = spill_room_bytes();

	if (memory_bytes > UINT64_MAX - disk_bytes)
		return UINT64_MAX;
	return (memory_bytes + disk_bytes) / ANALYSIS_BYTES_PER_EVENT;
}
