// SPDX-License-Identifier: GPL-2.0
#include "report/schema/diff_schema.h"

#include "report/schema/common_members.h"
#include "report/schema/diff_members.h"

static const struct schema_member spread_members[] = {
	{ "instances", SCHEMA_COUNT, 0, .meaning = "How many." },
	{ "median_ns", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "Their median, if there are any." },
	{ "low_ns", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "Their first quartile, likewise." },
	{ "high_ns", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "Their third quartile, likewise." },
	MEMBERS_END,
};

static const struct schema_member time_members[] = {
	{ "before", SCHEMA_OBJECT, 0, .meaning = "The instances before.", spread_members },
	{ "after", SCHEMA_OBJECT, 0, .meaning = "The instances after.", spread_members },
	{ "change", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Of the median, as a share." },
	{ "superiority", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The share of pairs in which that after is longer." },
	{ "p_value", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The probability of chance." },
	MEMBERS(diff_stands_out),
	MEMBERS_END,
};

static const struct schema_member event_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The event." },
	{ "before", SCHEMA_NUMBER, 0, .meaning = "How often per instance before." },
	{ "before_error", SCHEMA_NUMBER, 0, .meaning = "The standard error of that." },
	{ "after", SCHEMA_NUMBER, 0, .meaning = "How often per instance after." },
	{ "after_error", SCHEMA_NUMBER, 0, .meaning = "The standard error of that." },
	{ "change", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "As a share, if any were before." },
	MEMBERS(diff_stands_out),
	MEMBERS_END,
};

static const struct schema_member task_members[] = {
	MEMBERS(diff_name),
	{ "wall", SCHEMA_OBJECT, 0, .meaning = "How long instances take.", time_members },
	{ "on_cpu", SCHEMA_OBJECT, 0, .meaning = "Their time on a CPU.", time_members },
	{ "events", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What both traces measured.",
	  event_members },
	MEMBERS_END,
};

static const struct schema_member finding_members[] = {
	{ "kind", SCHEMA_TEXT, 0, .meaning = "As annot explain takes it.",
	  .words = schema_finding_kinds },
	{ "before_lost_ns", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "What it cost before, if found." },
	{ "after_lost_ns", SCHEMA_COUNT, SCHEMA_NULL, .meaning = "What it cost after, if found." },
	MEMBERS(diff_texts),
	MEMBERS(diff_stands_out),
	MEMBERS_END,
};

static const struct schema_member two_members[] = {
	MEMBERS(schema_version),
	{ "before", SCHEMA_TEXT, 0, .meaning = "The path of the trace before." },
	{ "after", SCHEMA_TEXT, 0, .meaning = "The path of the trace after." },
	MEMBERS(diff_verdict_members),
	MEMBERS(diff_sessions),
	{ "tasks", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What changed most comes first.",
	  task_members },
	{ "findings", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The worst of each kind.",
	  finding_members },
	MEMBERS(schema_left_out),
	MEMBERS(diff_why),
	MEMBERS_END,
};

void diff_schema(bool has_rules, FILE *out)
{
	diff_document("two traces", two_members, has_rules, out);
}
