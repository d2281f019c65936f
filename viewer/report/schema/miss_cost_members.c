// SPDX-License-Identifier: GPL-2.0
#include "report/schema/miss_cost_members.h"

static const char *const sources[] = { "samples", "assumed", NULL };

const struct schema_member miss_cost_members[] = {
	{ "cost_from", SCHEMA_TEXT, 0,
	  .meaning =
		  "Where the cost of a miss is from: samples of loads that tell their latency, or a constant.",
	  .words = sources },
	{ "cost_cycles", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "What one costs. Unit: cycles." },
	{ "cost_error_cycles", SCHEMA_NUMBER, SCHEMA_NULL,
	  .meaning =
		  "The truth is within it in 95 of 100 cases; null: it is a constant. Unit: cycles." },
	{ "cost_ns", SCHEMA_NUMBER, SCHEMA_NULL, .meaning = "What one costs. Unit: ns." },
	MEMBERS_END,
};

void miss_cost_json(struct json *json, const struct miss_cost *cost)
{
	json_key_string(json, "cost_from", miss_cost_source(cost));
	json_key_known_double(json, "cost_cycles", true, cost->cycles);
	json_key_known_double(json, "cost_error_cycles", cost->is_sampled, cost->error_cycles);
	json_key_known_double(json, "cost_ns", true, cost->ns);
}
