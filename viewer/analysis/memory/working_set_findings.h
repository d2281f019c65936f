/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_WORKING_SET_FINDINGS_H
#define ANNOT_WORKING_SET_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/memory/working_set.h"

/*
 * A finding of the task that loses most by a working set larger than a cache, if the set is known
 * (the curve has a knee). Time lost: in its thread, the task's misses of the level that is too small
 * by what one costs (miss_cost_ns()), if they were measured.
 */
void working_set_add_findings(const struct model *model, const struct task_stats *stats,
			      const struct working_set *sets, const enum miss_level *levels,
			      struct findings *findings);

#endif /* ANNOT_WORKING_SET_FINDINGS_H */
