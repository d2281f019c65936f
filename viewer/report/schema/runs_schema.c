// SPDX-License-Identifier: GPL-2.0
#include "report/schema/runs_schema.h"

#include "report/schema/common_members.h"
#include "report/schema/diff_members.h"

static const struct schema_member runs[] = {
	{ "runs", SCHEMA_COUNT, 0, .meaning = "How many have the figure." },
	MEMBERS_END,
};

static const struct schema_member noise[] = {
	{ "noise", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The standard deviation as a share of the mean, if known." },
	MEMBERS_END,
};

static const struct schema_member times[] = {
	MEMBERS(runs),
	{ "mean_ns", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The mean over runs, if any." },
	MEMBERS(noise),
	MEMBERS_END,
};

static const struct schema_member counts[] = {
	MEMBERS(runs),
	{ "mean", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The mean over runs, if any." },
	MEMBERS(noise),
	MEMBERS_END,
};

static const struct schema_member changes[] = {
	{ "change", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Of the means, as a share, if known." },
	{ "change_low", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Where the interval of that begins; null: that is not tested." },
	{ "change_high", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Where it ends, likewise." },
	MEMBERS_END,
};

static const struct schema_member tests[] = {
	{ "p_value", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The probability of chance." },
	{ "adjusted_p_value", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The same for the number of all figures." },
	MEMBERS(diff_stands_out),
	MEMBERS_END,
};

static const struct schema_member time_members[] = {
	{ "before", SCHEMA_OBJECT, 0, .meaning = "The runs before.", times },
	{ "after", SCHEMA_OBJECT, 0, .meaning = "The runs after.", times },
	MEMBERS(changes),
	{ "difference_low_ns", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Where the interval of the difference begins, if that is tested." },
	{ "difference_high_ns", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Where it ends." },
	MEMBERS(tests),
	MEMBERS_END,
};

static const struct schema_member event_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The event." },
	{ "before", SCHEMA_OBJECT, 0, .meaning = "The runs before.", counts },
	{ "after", SCHEMA_OBJECT, 0, .meaning = "The runs after.", counts },
	MEMBERS(changes),
	{ "difference_low", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Where the interval of the difference begins, if that is tested." },
	{ "difference_high", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Where it ends." },
	MEMBERS(tests),
	MEMBERS_END,
};

static const struct schema_member task_members[] = {
	MEMBERS(diff_name),
	{ "before_instances", SCHEMA_COUNT, 0, .meaning = "All instances before." },
	{ "after_instances", SCHEMA_COUNT, 0, .meaning = "All instances after." },
	{ "wall", SCHEMA_OBJECT, 0, .meaning = "How long the mean one takes.", time_members },
	{ "on_cpu", SCHEMA_OBJECT, 0, .meaning = "Its time on a CPU.", time_members },
	{ "events", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What was measured, per instance.",
	  event_members },
	MEMBERS_END,
};

static const struct schema_member finding_members[] = {
	{ "kind", SCHEMA_TEXT, 0, .meaning = "As annot explain takes it.",
	  .words = schema_finding_kinds },
	{ "before_found", SCHEMA_COUNT, 0, .meaning = "In how many runs before." },
	{ "after_found", SCHEMA_COUNT, 0, .meaning = "In how many runs after." },
	{ "lost", SCHEMA_OBJECT, 0, .meaning = "What the worst one cost.", time_members },
	MEMBERS(diff_texts),
	MEMBERS_END,
};

static const struct schema_member runs_members[] = {
	MEMBERS(schema_version),
	{ "before_traces", SCHEMA_TEXT, SCHEMA_LIST, .meaning = "The paths of those before." },
	{ "after_traces", SCHEMA_TEXT, SCHEMA_LIST, .meaning = "The paths of those after." },
	MEMBERS(diff_verdict_members),
	{ "compared", SCHEMA_COUNT, 0, .meaning = "The number of figures." },
	MEMBERS(diff_sessions),
	{ "session", SCHEMA_OBJECT, 0, .meaning = "How long it took.", time_members },
	{ "tasks", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What changed most comes first.",
	  task_members },
	{ "findings", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The worst of each kind.",
	  finding_members },
	MEMBERS(schema_left_out),
	MEMBERS(diff_why),
	MEMBERS_END,
};

void runs_schema(bool has_rules, FILE *out)
{
	diff_document("several runs", runs_members, has_rules, out);
}
