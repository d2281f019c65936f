/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_SET_CONFLICTS_FINDINGS_H
#define ANNOT_SET_CONFLICTS_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/memory/miss_costs.h"
#include "analysis/memory/set_conflicts.h"

/*
 * Adds a finding for the worst instruction that has conflicts. Time lost: @cost, that of a miss of L1, by the misses
 * on lines that agree, in the thread that has most of them. @place names the instruction. @reg names the register
 * that gave the evidence ("": addresses did); the confidence of such a finding is low. @data names
 * what was accessed; "": it is not known.
 */
void set_conflicts_add_findings(const struct model *model, const struct set_conflicts *conflicts,
				const struct miss_cost *cost, const char *place, const char *reg,
				const char *data, struct findings *findings);

#endif /* ANNOT_SET_CONFLICTS_FINDINGS_H */
