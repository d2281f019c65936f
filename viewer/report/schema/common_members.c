// SPDX-License-Identifier: GPL-2.0
#include "report/schema/common_members.h"

#include "analysis/base/findings.h"

const char *const schema_span_kinds[] = { "work", "wait", NULL };

const char *const schema_finding_kinds[] = {
#define FINDING_NAME(kind, name) name,
	FINDING_KIND_EACH(FINDING_NAME) NULL,
#undef FINDING_NAME
};

const struct schema_member schema_threads[] = {
	{ "thread", SCHEMA_COUNT, 0, .meaning = "The place of the thread in the page's order." },
	{ "tid", SCHEMA_WHOLE, 0, .meaning = "Its tid." },
	MEMBERS_END,
};

const struct schema_member schema_span[] = {
	{ "from_ns", SCHEMA_COUNT, 0, .meaning = "When it began, since the start of the trace." },
	{ "to_ns", SCHEMA_COUNT, 0, .meaning = "When it ended, likewise." },
	MEMBERS_END,
};

const struct schema_member schema_left_out[] = {
	{ "left_out", SCHEMA_COUNT, 0,
	  .meaning = "How many rows are not here, because there are too many." },
	MEMBERS_END,
};

const struct schema_member schema_not_computed[] = {
	{ "not_computed", SCHEMA_TEXT, SCHEMA_NULL,
	  .meaning = "Why there is nothing; null: it is computed." },
	MEMBERS_END,
};

const struct schema_member schema_histogram[] = {
	{ "edges_ns", SCHEMA_COUNT, SCHEMA_LIST,
	  .meaning = "Where each step ends and the next begins." },
	{ "counts", SCHEMA_COUNT, SCHEMA_LIST,
	  .meaning =
		  "How many lie below the first edge, between each two, and at or above the last." },
	MEMBERS_END,
};

const struct schema_member schema_version[] = {
	{ "version", SCHEMA_COUNT, 0,
	  .meaning = "Grows when a key is removed or changes its meaning." },
	MEMBERS_END,
};
