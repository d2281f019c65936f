/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_SWITCH_MISSES_FINDINGS_H
#define ANNOT_SWITCH_MISSES_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/memory/switch_misses.h"

/*
 * Adds a finding for a kind of switch (migration, or another program in between), in the task with the greatest cost,
 * for the event with the greatest cost. It needs 10 runs or more, p < 0.01, and a lower bound of the excess above 0 and
 * above the excess of runs before which no other thread ran. The latter is subtracted: the program causes it, not the
 * switch. Time lost is that of the thread that loses most.
 */
void switch_misses_add_findings(const struct model *model, const struct switch_misses *misses,
				struct findings *findings);

#endif /* ANNOT_SWITCH_MISSES_FINDINGS_H */
