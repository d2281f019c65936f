// SPDX-License-Identifier: GPL-2.0
#include "report/schema/cache_members.h"

#include "report/schema/common_members.h"
#include "report/schema/miss_cost_members.h"

static const char *const sources[] = { "counts", "samples", NULL };

static const struct schema_member after_members[] = {
	{ "after", SCHEMA_TEXT, 0, .meaning = "What was before the slices: the kind of switch." },
	{ "switches", SCHEMA_COUNT, 0, .meaning = "How many." },
	MEMBERS_END,
};

static const struct schema_member curve_members[] = {
	MEMBERS(after_members),
	{ "rate_per_us", SCHEMA_NUMBER, SCHEMA_LIST | SCHEMA_NULL_INSIDE,
	  .meaning = "Misses in each bin for each microsecond." },
	{ "error", SCHEMA_NUMBER, SCHEMA_LIST | SCHEMA_NULL_INSIDE,
	  .meaning = "The standard errors of that." },
	MEMBERS_END,
};

static const struct schema_member excess_members[] = {
	MEMBERS(after_members),
	{ "per_switch", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Misses beyond the warm rate, for each." },
	{ "low", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Where the interval of that begins." },
	{ "high", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "Where it ends." },
	{ "ns_per_switch", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "What they cost for each. Unit: ns." },
	{ "p_value", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The probability of chance." },
	MEMBERS_END,
};

static const struct schema_member excesses[] = {
	{ "warm_rate_per_us", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Misses for each microsecond, long after a switch." },
	{ "excess", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "An element for each kind of switch.",
	  excess_members },
	MEMBERS_END,
};

static const struct schema_member switch_task_members[] = {
	{ "task", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "The task; null: outside all spans." },
	{ "switches", SCHEMA_COUNT, 0, .meaning = "How many." },
	MEMBERS(excesses),
	MEMBERS_END,
};

static const struct schema_member switch_event_members[] = {
	{ "event", SCHEMA_TEXT, 0, .meaning = "The event." },
	{ "level", SCHEMA_TEXT, 0, .meaning = "The cache that it misses." },
	{ "from", SCHEMA_TEXT, 0, .meaning = "What the figures are from.", .words = sources },
	{ "left_out", SCHEMA_COUNT, 0, .meaning = "Runs that were not measured all the time." },
	MEMBERS(miss_cost_members),
	{ "bins_us", SCHEMA_COUNT, SCHEMA_LIST | SCHEMA_NULL_INSIDE,
	  .meaning = "Where each bin ends; of the last null: it has no end." },
	{ "curves", SCHEMA_OBJECT, SCHEMA_LIST,
	  .meaning = "By the time since the switch, from samples.", curve_members },
	MEMBERS(excesses),
	{ "tasks", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The same of each task.",
	  switch_task_members },
	MEMBERS_END,
};

const struct schema_member switch_misses_members[] = {
	MEMBERS(switch_event_members),
	{ "others", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The same of the other events.",
	  switch_event_members },
	MEMBERS_END,
};

const struct schema_member false_sharing_members[] = {
	{ "line_bytes", SCHEMA_COUNT, 0, .meaning = "The size of a cache line." },
	MEMBERS(miss_cost_members),
	MEMBERS_END,
};

static const struct schema_member level_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The cache." },
	{ "bytes", SCHEMA_COUNT, 0, .meaning = "Its size." },
	{ "holds_bytes", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "What tasks show that it holds." },
	{ "holds_not_bytes", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "What tasks show that it does not hold." },
	MEMBERS_END,
};

static const struct schema_member point_members[] = {
	{ "accesses", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "After so many accesses ..." },
	{ "bytes", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "... so much data was used. Unit: bytes." },
	{ "is_sure", SCHEMA_FLAG, 0, .meaning = "If false, the point may be far off." },
	MEMBERS_END,
};

static const struct schema_member miss_members[] = {
	{ "level", SCHEMA_TEXT, 0, .meaning = "The cache." },
	{ "expected_per_load", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The misses to expect." },
	{ "expected_is_upper_bound", SCHEMA_FLAG, 0,
	  .meaning = "Whether these are an upper bound." },
	{ "measured_per_load", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "The misses that were measured." },
	{ "event", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "The event that was measured." },
	MEMBERS_END,
};

static const struct schema_member working_set_task_members[] = {
	{ "name", SCHEMA_TEXT, 0, .meaning = "The task." },
	MEMBERS(schema_threads),
	{ "samples", SCHEMA_COUNT, 0, .meaning = "Its samples." },
	{ "points", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "How much data over how many accesses.",
	  point_members },
	{ "doubt", SCHEMA_TEXT, SCHEMA_NULL, .meaning = "Why no point is sure; null if some are." },
	{ "least_bytes", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The least at the last point." },
	{ "most_bytes", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "The most at the last point." },
	{ "knee_bytes", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "Where the curve rises no more; null: it still rises." },
	{ "knee_accesses", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning = "After how many accesses that is." },
	{ "misses", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "By cache.", miss_members },
	MEMBERS_END,
};

const struct schema_member working_set_members[] = {
	{ "event", SCHEMA_TEXT, 0, .meaning = "The event whose samples are used." },
	{ "is_of_loads", SCHEMA_FLAG, 0, .meaning = "Whether it is loads; else misses." },
	{ "line_bytes", SCHEMA_COUNT, 0, .meaning = "The size of a cache line." },
	{ "levels", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The caches.", level_members },
	{ "tasks", SCHEMA_OBJECT, SCHEMA_LIST, .meaning = "The tasks.", working_set_task_members },
	MEMBERS(schema_left_out),
	MEMBERS_END,
};
