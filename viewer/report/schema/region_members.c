// SPDX-License-Identifier: GPL-2.0
#include "report/schema/region_members.h"

#include "report/schema/common_members.h"

static const struct schema_member efficiencies[] = {
	{ "load_balance", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The average useful time of the threads over the greatest." },
	{ "parallel_efficiency", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The useful time over the length times the threads." },
	{ "imbalance_time_ns", SCHEMA_COUNT, 0,
	  .meaning = "The greatest useful time of a thread less the average." },
	{ "imbalance_pct", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The imbalance percentage." },
	{ "saved_ns", SCHEMA_COUNT, 0,
	  .meaning = "How much earlier it would have ended with equal useful times." },
	MEMBERS_END,
};

static const char *const region_kinds[] = { "parallel", "serial", NULL };

static const struct schema_member group_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The task that takes most of its time." },
	{ "is_barrier", SCHEMA_FLAG, 0,
	  .meaning = "Whether the name is that of a barrier, because nothing else was annotated." },
	{ "kind", SCHEMA_TEXT, 0, .meaning = "Whether one thread does all of the work.",
	  .words = region_kinds },
	{ "instances", SCHEMA_COUNT, 0, .meaning = "How many regions have the name." },
	{ "nr_threads", SCHEMA_COUNT, 0, .meaning = "The most threads of one instance." },
	{ "elapsed_ns", SCHEMA_COUNT, 0, .meaning = "The sum of their lengths." },
	{ "useful_ns", SCHEMA_COUNT, 0,
	  .meaning = "Time on a CPU outside wait spans, of all threads." },
	MEMBERS(efficiencies),
	{ "serial_ns", SCHEMA_COUNT, 0, .meaning = "Their length, if they are serial; else 0." },
	MEMBERS_END,
};

static const struct schema_member totals[] = {
	{ "elapsed_ns", SCHEMA_COUNT, 0, .meaning = "Of the session." },
	{ "parallel_ns", SCHEMA_COUNT, 0, .meaning = "In parallel regions." },
	{ "serial_ns", SCHEMA_COUNT, 0, .meaning = "In serial regions." },
	{ "saved_ns", SCHEMA_COUNT, 0, .meaning = "What equal useful times would save." },
	{ "serialisation_efficiency", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "What remains without the idle time of serial regions." },
	{ "load_balance_efficiency", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "What remains of that without idling longer than the busiest thread." },
	{ "scheduling_efficiency", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "What remains of that without the time that all threads were idle." },
	{ "parallel_efficiency", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The product of the three." },
	MEMBERS_END,
};

static const struct schema_member last_members[] = {
	MEMBERS(schema_threads),
	{ "why", SCHEMA_TEXT, 0, .meaning = "The time in which it exceeds the others most." },
	{ "behind_ns", SCHEMA_COUNT, 0,
	  .meaning = "How far it was behind the average of the others." },
	{ "excess_ns", SCHEMA_COUNT, 0, .meaning = "How much of that is due to the reason." },
	{ "text", SCHEMA_TEXT, 0, .meaning = "The same as a sentence." },
	{ "by_thread", SCHEMA_COUNT, SCHEMA_NULL,
	  .meaning = "Who ran in its place, if that is known." },
	{ "by_tid", SCHEMA_WHOLE, SCHEMA_NULL, .meaning = "Its tid." },
	MEMBERS_END,
};

static const struct schema_member thread_members[] = {
	MEMBERS(schema_threads),
	MEMBERS(schema_span),
	{ "useful_ns", SCHEMA_COUNT, 0, .meaning = "Time on a CPU outside wait spans." },
	{ "waiting_ns", SCHEMA_COUNT, 0, .meaning = "Time that it waited for the others." },
	{ "preempted_ns", SCHEMA_COUNT, 0, .meaning = "Time preempted." },
	{ "wakeup_ns", SCHEMA_COUNT, 0, .meaning = "Time from a wakeup until it ran." },
	{ "blocked_ns", SCHEMA_COUNT, 0, .meaning = "Time asleep, but for the barrier." },
	{ "late_ns", SCHEMA_COUNT, 0, .meaning = "Time before it began." },
	{ "unknown_ns", SCHEMA_COUNT, 0, .meaning = "Time of unknown state." },
	{ "spinning_ns", SCHEMA_COUNT, 0,
	  .meaning = "The part of waiting_ns that it was on a CPU." },
	{ "migrations", SCHEMA_COUNT, 0, .meaning = "How often it moved to another CPU." },
	{ "misses", SCHEMA_NUMBER, SCHEMA_BY_NAME | SCHEMA_NULL | SCHEMA_NULL_INSIDE,
	  .meaning = "How often each miss that was measured happened; null if none was." },
	{ "stolen_ns", SCHEMA_COUNT, SCHEMA_OPTIONAL,
	  .meaning = "Time that interrupts took; only if the trace has events of interrupts." },
	MEMBERS_END,
};

static const struct schema_member instance_members[] = {
	{ "group", SCHEMA_COUNT, 0, .meaning = "The place of its group in the list." },
	MEMBERS(schema_span),
	MEMBERS(efficiencies),
	{ "last", SCHEMA_OBJECT, 0, .meaning = "The thread that was done last, and why.",
	  last_members },
	{ "threads", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "What each thread did; times add up to the length.", thread_members },
	{ "threads_left_out", SCHEMA_COUNT, 0, .meaning = "How many threads are not here." },
	MEMBERS_END,
};

const struct schema_member regions_members[] = {
	{ "groups", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "All regions of one name and kind.",
	  group_members },
	{ "totals", SCHEMA_OBJECT, 0, .meaning = "Over all regions.", totals },
	{ "instances", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "Those with most to save.",
	  instance_members },
	MEMBERS(schema_left_out),
	MEMBERS_END,
};

static const char *const segment_kinds[] = { "running", "preempted", "runnable",
					     "blocked", "unknown",   NULL };
static const char *const segment_causes[] = { "order", "start", "wakeup", "barrier", NULL };

static const struct schema_member segment_members[] = {
	MEMBERS(schema_threads),
	MEMBERS(schema_span),
	{ "kind", SCHEMA_TEXT, 0, .meaning = "What the thread did.", .words = segment_kinds },
	{ "waits_for", SCHEMA_TEXT, SCHEMA_NULL,
	  .meaning = "What it was blocked on, if that is known." },
	{ "task", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "The innermost span." },
	{ "cause", SCHEMA_TEXT, 0, .meaning = "How the path came to the segment.",
	  .words = segment_causes },
	MEMBERS_END,
};

static const struct schema_member path_thread_members[] = {
	MEMBERS(schema_threads),
	{ "on_path_ns", SCHEMA_COUNT, 0, .meaning = "Time on the path." },
	{ "slack_ns", SCHEMA_COUNT, 0, .meaning = "Time that it waited off the path." },
	MEMBERS_END,
};

static const struct schema_member path_members[] = {
	MEMBERS(schema_span),
	{ "group", SCHEMA_TEXT, SCHEMA_NULL,
	  .meaning = "The name of the region; null: the session." },
	{ "elapsed_ns", SCHEMA_COUNT, 0, .meaning = "The length of the path." },
	{ "segments", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The longest segments, in time order.",
	  segment_members },
	{ "threads", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "Threads, least slack first.",
	  path_thread_members },
	MEMBERS(schema_left_out),
	MEMBERS_END,
};

static const struct schema_member region_path_members[] = {
	{ "instance", SCHEMA_COUNT, 0,
	  .meaning = "The number of the region in its group, from 1." },
	MEMBERS(path_members),
	MEMBERS_END,
};

const struct schema_member critical_path_members[] = {
	MEMBERS(path_members),
	{ "chosen_region", SCHEMA_OBJECT, SCHEMA_OPTIONAL,
	  .meaning = "That of --region, if it is given.", region_path_members },
	{ "worst_region", SCHEMA_OBJECT, SCHEMA_NULL,
	  .meaning = "The region with most to save, if any.", region_path_members },
	{ "other_regions", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The regions after it.",
	  region_path_members },
	MEMBERS_END,
};
