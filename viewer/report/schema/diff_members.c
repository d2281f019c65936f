// SPDX-License-Identifier: GPL-2.0
#include "report/schema/diff_members.h"

#include "report/diff/diff_json.h"
#include "report/schema/common_members.h"
#include "report/schema/document_schema.h"

static const char *const path_states[] = {
	"running", "preempted", "runnable", "blocked", "unknown", NULL,
};

static const char *const outcomes[] = { "ok", "fail", "unknown", NULL };

static const char *const limit_units[] = { "share", "count", "ns", NULL };

const struct schema_member diff_stands_out[] = {
	{ "stands_out", SCHEMA_FLAG, 0, .meaning = "Whether it differs by more than chance." },
	MEMBERS_END,
};

const struct schema_member diff_verdict_members[] = {
	{ "verdict", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "One sentence." },
	MEMBERS(diff_stands_out),
	MEMBERS_END,
};

static const struct schema_member losses[] = {
	{ "lost_events", SCHEMA_COUNT, 0, .meaning = "Events, where the kernel counted them." },
	{ "lost_gaps", SCHEMA_COUNT, 0, .meaning = "Intervals in which events were lost." },
	{ "lost_annotations", SCHEMA_COUNT, 0, .meaning = "Annotations." },
	MEMBERS_END,
};

const struct schema_member diff_sessions[] = {
	{ "before_session_ns", SCHEMA_COUNT, 0, .meaning = "How long the session took before." },
	{ "after_session_ns", SCHEMA_COUNT, 0, .meaning = "How long it took after." },
	{ "before_lost", SCHEMA_OBJECT, 0, .meaning = "What the traces before lack.", losses },
	{ "after_lost", SCHEMA_OBJECT, 0, .meaning = "What the traces after lack.", losses },
	MEMBERS_END,
};

const struct schema_member diff_name[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The task." },
	{ "kind", SCHEMA_TEXT, 0, .meaning = "What its spans are.", .words = schema_span_kinds },
	MEMBERS_END,
};

const struct schema_member diff_texts[] = {
	{ "before", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "Its sentence before; null: not found." },
	{ "after", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "Its sentence after, likewise." },
	MEMBERS_END,
};

static const struct schema_member blocked_members[] = {
	{ "cause", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "On what, if known." },
	{ "difference_ns", SCHEMA_WHOLE, 0, .meaning = "By how much longer." },
	MEMBERS_END,
};

static const struct schema_member parts[] = {
	{ "instructions_ns", SCHEMA_WHOLE, 0, .meaning = "By the number of instructions." },
	{ "misses_ns", SCHEMA_WHOLE, 0, .meaning = "By cache misses." },
	{ "sibling_ns", SCHEMA_WHOLE, 0, .meaning = "By busy SMT siblings." },
	{ "ipc_ns", SCHEMA_WHOLE, 0, .meaning = "By IPC for other reasons." },
	{ "clock_ns", SCHEMA_WHOLE, 0, .meaning = "By the clock's frequency." },
	{ "useful_ns", SCHEMA_WHOLE, 0, .meaning = "On a CPU, where that was not counted." },
	{ "stolen_ns", SCHEMA_WHOLE, 0, .meaning = "In interrupts." },
	{ "spinning_ns", SCHEMA_WHOLE, 0, .meaning = "On a CPU in wait spans." },
	{ "preempted_ns", SCHEMA_WHOLE, 0, .meaning = "Preempted." },
	{ "wakeup_ns", SCHEMA_WHOLE, 0, .meaning = "Woken, and not yet running." },
	{ "blocked_ns", SCHEMA_WHOLE, 0, .meaning = "Asleep." },
	{ "unknown_ns", SCHEMA_WHOLE, 0, .meaning = "Of unknown state." },
	MEMBERS_END,
};

static const struct schema_member why_members[] = {
	MEMBERS(diff_name),
	{ "before_mean_ns", SCHEMA_NUMBER, 0, .meaning = "The mean instance before." },
	{ "after_mean_ns", SCHEMA_NUMBER, 0, .meaning = "The mean instance after." },
	{ "difference_ns", SCHEMA_WHOLE, 0, .meaning = "The sum of the parts that follow." },
	MEMBERS(parts),
	{ "blocked_on", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What blocked_ns is made of.",
	  blocked_members },
	{ "before_migrations", SCHEMA_NUMBER, 0, .meaning = "Migrations per instance before." },
	{ "after_migrations", SCHEMA_NUMBER, 0, .meaning = "Migrations per instance after." },
	MEMBERS_END,
};

static const struct schema_member line_members[] = {
	{ "task", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "The task; null: outside of tasks." },
	{ "state", SCHEMA_TEXT, 0, .meaning = "What threads did.", .words = path_states },
	{ "waits_for", SCHEMA_TEXT, SCHEMA_NULL,
	  .meaning = "What they were blocked on, if known." },
	{ "before_ns", SCHEMA_NUMBER, 0, .meaning = "For how long before." },
	{ "after_ns", SCHEMA_NUMBER, 0, .meaning = "For how long after." },
	MEMBERS_END,
};

const struct schema_member diff_why[] = {
	{ "why", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What differences of tasks are made of.",
	  why_members },
	{ "critical_path", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "What is on the session's path.",
	  line_members },
	MEMBERS_END,
};

static const struct schema_member rule_members[] = {
	{ "rule", SCHEMA_TEXT, 0, .meaning = "As it was given." },
	{ "result", SCHEMA_TEXT, 0, .meaning = "What became of it.", .words = outcomes },
	{ "before_runs", SCHEMA_COUNT, 0, .meaning = "Runs before that have the figure." },
	{ "after_runs", SCHEMA_COUNT, 0, .meaning = "Runs after that have it." },
	{ "before", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Its mean before, if known." },
	{ "after", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Its mean after, if known." },
	{ "unit", SCHEMA_TEXT, 0, .meaning = "Of limit and figure.", .words = limit_units },
	{ "limit", SCHEMA_NUMBER, 0, .meaning = "The limit." },
	{ "figure", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "What is limited, if known." },
	{ "low", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Where the interval of that begins." },
	{ "high", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Where it ends." },
	{ "adjusted_p_value", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The probability of chance." },
	{ "within_variation", SCHEMA_FLAG, 0,
	  .meaning = "Whether it is beyond the limit only as runs differ from each other." },
	MEMBERS_END,
};

static const struct schema_member rules[] = {
	{ "rules", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "Those of --fail-on.", rule_members },
	MEMBERS_END,
};

static const struct schema_member nothing[] = { MEMBERS_END };

void diff_document(const char *of, const struct schema_member *members, bool has_rules, FILE *out)
{
	const struct schema_member document[] = {
		MEMBERS(members),
		MEMBERS(has_rules ? rules : nothing),
		MEMBERS_END,
	};
	char title[64];

	snprintf(title, sizeof(title), "annot diff --json of %s, version %d", of,
		 DIFF_JSON_VERSION);
	document_schema(title, document, out);
}
