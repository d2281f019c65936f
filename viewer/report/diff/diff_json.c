// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>

#include "report/diff/diff_json.h"
#include "report/diff/diff_report.h"
#include "report/diff/diff_text.h"
#include "util/text/json.h"

static void write_spread(struct json *json, const char *key, const struct spread *spread)
{
	json_key(json, key);
	json_begin_object(json);
	json_key_u64(json, "instances", spread->nr);
	json_key_known_u64(json, "median_ns", spread->nr, spread->median);
	json_key_known_u64(json, "low_ns", spread->nr, spread->low);
	json_key_known_u64(json, "high_ns", spread->nr, spread->high);
	json_end_object(json);
}

static void write_time(struct json *json, const char *key, const struct diff_time *time)
{
	bool both = time->spreads[0].nr && time->spreads[1].nr;

	json_key(json, key);
	json_begin_object(json);
	write_spread(json, "before", &time->spreads[0]);
	write_spread(json, "after", &time->spreads[1]);
	json_key_known_double(json, "change", both && time->spreads[0].median, time->change);
	json_key_known_double(json, "superiority", both, time->superiority);
	json_key_known_double(json, "p_value", both, time->p_value);
	json_key_bool(json, "stands_out", time->stands_out);
	json_end_object(json);
}

static void write_event(struct json *json, const struct diff_event *event)
{
	json_begin_object(json);
	json_key_string(json, "name", event->name);
	json_key_known_double(json, "before", true, event->counts[0]);
	json_key_known_double(json, "before_error", true, event->errors[0]);
	json_key_known_double(json, "after", true, event->counts[1]);
	json_key_known_double(json, "after_error", true, event->errors[1]);
	json_key_known_double(json, "change", event->counts[0] > 0, event->change);
	json_key_bool(json, "stands_out", event->stands_out);
	json_end_object(json);
}

void diff_json_task(struct json *json, const struct diff_task *task)
{
	json_key_string(json, "name", task->name);
	json_key_string(json, "kind", task->kind == TRACE_SPAN_WAIT ? "wait" : "work");
	write_time(json, "wall", &task->wall);
	write_time(json, "on_cpu", &task->on_cpu);
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < task->nr_events; i++)
		write_event(json, &task->events[i]);
	json_end_array(json);
}

void diff_json_finding(struct json *json, const struct diff_finding *row)
{
	json_key_string(json, "kind", finding_kind_name(row->kind));
	json_key_known_u64(json, "before_lost_ns", row->texts[0], row->lost_ns[0]);
	json_key_known_u64(json, "after_lost_ns", row->texts[1], row->lost_ns[1]);
	json_key_text(json, "before", row->texts[0]);
	json_key_text(json, "after", row->texts[1]);
	json_key_bool(json, "stands_out", row->stands_out);
}

void diff_json(const struct diff_report *report, FILE *out)
{
	const struct diff *diff = report->diff;
	char *verdict = diff_verdict(diff);
	struct json json;

	json_init(&json, out, JSON_INDENTED);
	json_begin_object(&json);
	json_key_u64(&json, "version", DIFF_JSON_VERSION);
	json_key_string(&json, "before", report->paths[0]);
	json_key_string(&json, "after", report->paths[1]);
	json_key_text(&json, "verdict", verdict);
	free(verdict);
	json_key_bool(&json, "stands_out", diff->stands_out);
	json_key_u64(&json, "before_session_ns", diff->session_ns[0]);
	json_key_u64(&json, "after_session_ns", diff->session_ns[1]);
	losses_report_json(&report->losses, &json);
	json_key(&json, "tasks");
	json_begin_array(&json);
	for (size_t i = 0; i < diff->nr_tasks && i < DIFF_MAX_ROWS; i++) {
		json_begin_object(&json);
		diff_json_task(&json, &diff->tasks[i]);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_key(&json, "findings");
	json_begin_array(&json);
	for (size_t i = 0; i < diff->nr_findings; i++) {
		json_begin_object(&json);
		diff_json_finding(&json, &diff->findings[i]);
		json_end_object(&json);
	}
	json_end_array(&json);
	json_key_u64(&json, "left_out",
		     diff->nr_tasks > DIFF_MAX_ROWS ? diff->nr_tasks - DIFF_MAX_ROWS : 0);
	why_report_json(&report->why, &json);
	rules_report_json(&report->rules, &json);
	json_end_object(&json);
}
