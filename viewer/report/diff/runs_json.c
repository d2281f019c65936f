// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "report/diff/diff_json.h"
#include "report/diff/diff_report.h"
#include "report/diff/runs_json.h"
#include "report/diff/runs_verdict.h"
#include "util/text/json.h"

/* The unit of a figure, which is in the names of its keys. */
struct unit {
	const char *mean;
	const char *low;
	const char *high;
};

static const struct unit of_ns = { "mean_ns", "difference_low_ns", "difference_high_ns" };
static const struct unit of_counts = { "mean", "difference_low", "difference_high" };

static void write_sample(struct json *json, const char *key, const struct sample *sample,
			 const struct unit *unit)
{
	json_key(json, key);
	json_begin_object(json);
	json_key_u64(json, "runs", sample->nr);
	json_key_known_double(json, unit->mean, sample->nr, sample->mean);
	json_key_known_double(json, "noise", sample->nr > 1 && sample->mean > 0,
			      sample_noise(sample));
	json_end_object(json);
}

/* Its keys, in the object that is open. */
static void write_value(struct json *json, const struct runs_value *value, const struct unit *unit)
{
	const struct welch_test *test = &value->test;
	bool has_interval = test->is_tested && test->has_ratio;

	write_sample(json, "before", &value->samples[0], unit);
	write_sample(json, "after", &value->samples[1], unit);
	json_key_known_double(json, "change", test->has_ratio, test->estimate);
	json_key_known_double(json, "change_low", has_interval, test->low);
	json_key_known_double(json, "change_high", has_interval, test->high);
	json_key_known_double(json, unit->low, test->is_tested && !test->has_ratio, test->low);
	json_key_known_double(json, unit->high, test->is_tested && !test->has_ratio, test->high);
	json_key_known_double(json, "p_value", test->is_tested, test->p_value);
	json_key_known_double(json, "adjusted_p_value", test->is_tested, value->adjusted_p);
	json_key_bool(json, "stands_out", value->stands_out);
}

static void write_time(struct json *json, const char *key, const struct runs_value *value)
{
	json_key(json, key);
	json_begin_object(json);
	write_value(json, value, &of_ns);
	json_end_object(json);
}

static void write_task(struct json *json, const struct runs_report *report,
		       const struct runs_task *task)
{
	json_begin_object(json);
	json_key_string(json, "name", string_table_get(report->runs->names, task->name));
	json_key_string(json, "kind", task->kind == TRACE_SPAN_WAIT ? "wait" : "work");
	json_key_u64(json, "before_instances", task->instances[0]);
	json_key_u64(json, "after_instances", task->instances[1]);
	write_time(json, "wall", &task->wall);
	write_time(json, "on_cpu", &task->on_cpu);
	json_key(json, "events");
	json_begin_array(json);
	for (size_t i = 0; i < task->nr_events; i++) {
		json_begin_object(json);
		json_key_string(json, "name",
				string_table_get(report->runs->names, task->events[i].name));
		write_value(json, &task->events[i].count, &of_counts);
		json_end_object(json);
	}
	json_end_array(json);
	json_end_object(json);
}

static void write_finding(struct json *json, const struct runs_finding *row)
{
	json_begin_object(json);
	json_key_string(json, "kind", finding_kind_name(row->kind));
	json_key_u64(json, "before_found", row->nr_found[0]);
	json_key_u64(json, "after_found", row->nr_found[1]);
	json_key(json, "lost");
	json_begin_object(json);
	write_value(json, &row->lost, &of_ns);
	json_end_object(json);
	json_key_text(json, "before", row->texts[0]);
	json_key_text(json, "after", row->texts[1]);
	json_end_object(json);
}

static void write_paths(struct json *json, const struct runs_report *report, const char *key,
			int side)
{
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; i < report->runs->nr[side]; i++)
		json_string(json, report->paths[side][i]);
	json_end_array(json);
}

static void write_head(struct json *json, const struct runs_report *report)
{
	const struct runs_value *session = &report->diff->session;
	char *verdict = runs_verdict(report);

	json_key_u64(json, "version", DIFF_JSON_VERSION);
	write_paths(json, report, "before_traces", 0);
	write_paths(json, report, "after_traces", 1);
	json_key_text(json, "verdict", verdict);
	free(verdict);
	json_key_bool(json, "stands_out", report->diff->stands_out);
	json_key_u64(json, "compared", report->diff->nr_compared);
	json_key_u64(json, "before_session_ns", (uint64_t)llround(session->samples[0].mean));
	json_key_u64(json, "after_session_ns", (uint64_t)llround(session->samples[1].mean));
	losses_report_json(&report->losses, json);
	write_time(json, "session", session);
}

void runs_json(const struct runs_report *report, FILE *out)
{
	const struct runs_diff *diff = report->diff;
	struct json json;

	json_init(&json, out, JSON_INDENTED);
	json_begin_object(&json);
	write_head(&json, report);
	json_key(&json, "tasks");
	json_begin_array(&json);
	for (size_t i = 0; i < diff->nr_tasks && i < DIFF_MAX_ROWS; i++)
		write_task(&json, report, &diff->tasks[i]);
	json_end_array(&json);
	json_key(&json, "findings");
	json_begin_array(&json);
	for (size_t i = 0; i < diff->nr_findings; i++)
		write_finding(&json, &diff->findings[i]);
	json_end_array(&json);
	json_key_u64(&json, "left_out",
		     diff->nr_tasks > DIFF_MAX_ROWS ? diff->nr_tasks - DIFF_MAX_ROWS : 0);
	why_report_json(&report->why, &json);
	rules_report_json(&report->rules, &json);
	json_end_object(&json);
}
