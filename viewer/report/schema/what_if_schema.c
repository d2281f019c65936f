// SPDX-License-Identifier: GPL-2.0
#include "report/schema/what_if_schema.h"

#include "analysis/base/run_change.h"
#include "report/schema/document_schema.h"

static const char *const change_names[] = {
#define RUN_CHANGE_NAME(kind, name) name,
	RUN_CHANGE_EACH(RUN_CHANGE_NAME) NULL,
#undef RUN_CHANGE_NAME
};

static const struct schema_member head[] = {
	{ "recorded_ns", SCHEMA_COUNT, 0, .meaning = "The length of the session." },
	{ "replayed_ns", SCHEMA_COUNT, 0, .meaning = "That of its replay, unchanged." },
	{ "replay_error_pct", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "By how much that is longer; null: nothing was recorded." },
	{ "slice_ns", SCHEMA_COUNT, 0, .meaning = "The time slice of the replay." },
	{ "latency_ns", SCHEMA_COUNT, 0, .meaning = "Until an idle CPU switches a thread in." },
	MEMBERS_END,
};

static const struct schema_member no_answer[] = {
	{ "no_answer", SCHEMA_TEXT, 0, .meaning = "Why there is none." },
	MEMBERS_END,
};

static const struct schema_member prediction[] = {
	{ "predicted_ns", SCHEMA_COUNT, 0, .meaning = "The length with the change." },
	{ "predicted_least_ns", SCHEMA_COUNT, 0, .meaning = "Where the interval of that begins." },
	{ "predicted_most_ns", SCHEMA_COUNT, 0, .meaning = "Where it ends." },
	MEMBERS_END,
};

static const struct schema_member trial_members[] = {
	{ "change", SCHEMA_TEXT, 0, .meaning = "The option of annot what-if.",
	  .words = change_names },
	{ "name", SCHEMA_TEXT, SCHEMA_OPTIONAL, .meaning = "What the option is given, if a name." },
	{ "cpus", SCHEMA_COUNT, SCHEMA_OPTIONAL, .meaning = "Likewise, if a number of CPUs." },
	MEMBERS(prediction),
	MEMBERS_END,
};

static const struct schema_member trials[] = {
	{ "trials", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "Changes, each alone, the greatest gain first.", trial_members },
	MEMBERS_END,
};

static const struct schema_member task_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The task." },
	{ "work_ns", SCHEMA_COUNT, 0, .meaning = "Its work." },
	{ "gain_pct_per_pct", SCHEMA_NUMBER, 0,
	  .meaning = "By how much the run is shorter for 1 % less of that." },
	MEMBERS_END,
};

static const struct schema_member nothing[] = { MEMBERS_END };

static void write_required(struct json *json, const struct schema_member *members)
{
	json_key(json, "required");
	json_begin_array(json);
	json_schema_required(json, members);
	json_end_array(json);
}

/* Either @answer or none. */
static void write_one_of(struct json *json, const struct schema_member *answer)
{
	const struct schema_member *const either[] = { no_answer, answer };

	json_key(json, "oneOf");
	json_begin_array(json);
	for (int i = 0; i < 2; i++) {
		json_begin_object(json);
		write_required(json, either[i]);
		json_end_object(json);
	}
	json_end_array(json);
}

/* Each of @members needs all of @answer. */
static void write_needs(struct json *json, const struct schema_member *members,
			const struct schema_member *answer)
{
	for (; members->key || members->members; members++) {
		if (!members->key) {
			write_needs(json, members->members, answer);
			continue;
		}
		json_key(json, members->key);
		json_begin_array(json);
		json_schema_required(json, answer);
		json_end_array(json);
	}
}

static void write_schema(struct json *json, const struct schema_member *answer)
{
	json_key_string(json, "type", "object");
	json_key(json, "properties");
	json_begin_object(json);
	json_schema_members(json, head);
	json_schema_members(json, no_answer);
	json_schema_members(json, answer);
	json_end_object(json);
	write_required(json, head);
	write_one_of(json, answer);
	json_key(json, "dependentRequired");
	json_begin_object(json);
	write_needs(json, answer, answer);
	json_end_object(json);
	json_key_bool(json, "additionalProperties", false);
}

void what_if_schema(bool is_changed, bool tries_all, FILE *out)
{
	const struct schema_member answer[] = {
		MEMBERS(is_changed ? prediction : nothing),
		MEMBERS(tries_all ? trials : nothing),
		{ "next_task", SCHEMA_TEXT, SCHEMA_NULL,
		  .meaning = "Which is worth most to make faster, with the change; null: none." },
		{ "tasks", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What is worth making faster.",
		  task_members },
		{ "tasks_left_out", SCHEMA_COUNT, 0,
		  .meaning = "How many tasks have less than 1 % of the work, or no answer." },
		MEMBERS_END,
	};
	struct json json;

	document_schema_begin(&json,
			      tries_all	 ? "annot what-if --try-all --json" :
			      is_changed ? "annot what-if --json, with something changed" :
					   "annot what-if --json",
			      out);
	write_schema(&json, answer);
	json_end_object(&json);
}
