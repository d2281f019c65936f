/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_WORKING_SET_FINDINGS_H
#define ANNOT_WORKING_SET_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/memory/miss_costs.h"
#include "analysis/memory/working_set.h"

/*
 * Adds a finding for the task that loses most by a working set that is larger than a cache, if the working set is known
 * (the curve has a knee). Time lost: the task's misses of the level that is too small, in its thread, times the
 * cost of one, if they were measured.
 */
void working_set_add_findings(const struct model *model, const struct task_stats *stats,
			      const struct working_set *sets, const enum miss_level *levels,
			      const struct miss_costs *costs, struct findings *findings);

#endif /* ANNOT_WORKING_SET_FINDINGS_H */
