/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What analyses that lose time by misses write of the cost of one.
 */
#ifndef ANNOT_MISS_COST_MEMBERS_H
#define ANNOT_MISS_COST_MEMBERS_H

#include "analysis/memory/miss_costs.h"
#include "report/schema/json_schema.h"
#include "util/text/json.h"

extern const struct schema_member miss_cost_members[];

/* Keys of the object that @json is in: those of miss_cost_members. */
void miss_cost_json(struct json *json, const struct miss_cost *cost);

#endif /* ANNOT_MISS_COST_MEMBERS_H */
