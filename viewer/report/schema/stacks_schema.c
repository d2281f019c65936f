// SPDX-License-Identifier: GPL-2.0
#include "report/schema/stacks_schema.h"

#include "report/schema/document_schema.h"

static const struct schema_member frame_members[] = {
	{ "function", SCHEMA_TEXT, 0, .meaning = "Its name, or its address." },
	{ "object", SCHEMA_TEXT, 0, .meaning = "Its file." },
	{ "line", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "Its line of source, if known." },
	{ "inlined", SCHEMA_FLAG, 0, .meaning = "Whether it is inlined into its caller." },
	{ "kernel", SCHEMA_FLAG, 0, .meaning = "Whether it is the kernel's." },
	MEMBERS_END,
};

static const struct schema_member nothing[] = { MEMBERS_END };

static const struct schema_member cause[] = {
	{ "cause", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "What was waited for, if known." },
	MEMBERS_END,
};

static const struct schema_member time[] = {
	{ "time_ns", SCHEMA_COUNT, 0, .meaning = "Time with a stack." },
	MEMBERS_END,
};

static const struct schema_member events[] = {
	{ "events", SCHEMA_COUNT, 0,
	  .meaning =
		  "Events that samples with a stack stand for; of samples that are no counts (IBS), the samples." },
	MEMBERS_END,
};

static const struct schema_member all_time[] = {
	MEMBERS(time),
	{ "without_stack_ns", SCHEMA_COUNT, 0, .meaning = "Time without a stack." },
	MEMBERS_END,
};

static const struct schema_member all_events[] = {
	MEMBERS(events),
	{ "events_without_stack", SCHEMA_COUNT, 0, .meaning = "Events without a stack." },
	MEMBERS_END,
};

static const struct schema_member event[] = {
	{ "event", SCHEMA_TEXT, 0, .meaning = "The event that was sampled." },
	MEMBERS_END,
};

static const struct schema_member lost[] = {
	{ "lost_samples", SCHEMA_COUNT, SCHEMA_OPTIONAL,
	  .meaning = "Of a profile: samples of all programs that are missing." },
	MEMBERS_END,
};

/* @row: what a stack has. */
static void write_schema(enum stacks_of of, const struct schema_member *row, FILE *out)
{
	const char *const names[] = { stacks_of_names[of], NULL };
	const struct schema_member document[] = {
		{ "of", SCHEMA_TEXT, 0, .meaning = "What stacks are weighed by.", .words = names },
		MEMBERS(of == STACKS_MISSES ? event : nothing),
		{ "profile", SCHEMA_FLAG, 0, .meaning = "Whether time is told by samples of it." },
		MEMBERS(of == STACKS_ON_CPU ? lost : nothing),
		MEMBERS(of == STACKS_MISSES ? all_events : all_time),
		{ "stacks", SCHEMA_OBJECT, SCHEMA_LIST,
		  .meaning = "In the order in which they came.", row },
		MEMBERS_END,
	};
	char title[64];

	snprintf(title, sizeof(title), "annot report --stacks %s --json", names[0]);
	document_schema(title, document, out);
}

void stacks_schema(enum stacks_of of, FILE *out)
{
	const struct schema_member row[] = {
		{ "thread", SCHEMA_TEXT, 0, .meaning = "The thread's name." },
		{ "tid", SCHEMA_COUNT, 0, .meaning = "The thread." },
		MEMBERS(stacks_have_causes(of) ? cause : nothing),
		MEMBERS(of == STACKS_MISSES ? events : time),
		{ "count", SCHEMA_COUNT, 0, .meaning = "How often: waits, stretches or samples." },
		{ "frames", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The outermost caller first.",
		  frame_members },
		MEMBERS_END,
	};

	write_schema(of, row, out);
}
