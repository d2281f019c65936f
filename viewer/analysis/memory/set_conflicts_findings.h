/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_SET_CONFLICTS_FINDINGS_H
#define ANNOT_SET_CONFLICTS_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/memory/set_conflicts.h"

/*
 * A finding of the worst instruction that has conflicts. Time lost: what the misses on lines that
 * agree cost (miss_cost_ns()) in the thread that has most of them. @place names the instruction, @reg the
 * register that tells it ("": addresses do). What a register tells is never sure.
 */
void set_conflicts_add_findings(const struct model *model, const struct set_conflicts *conflicts,
				const char *place, const char *reg, struct findings *findings);

#endif /* ANNOT_SET_CONFLICTS_FINDINGS_H */
