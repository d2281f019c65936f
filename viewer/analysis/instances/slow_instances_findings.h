/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings: tasks of which some instances are much slower than typical ones, and what these have more of.
 *
 * Of tasks with SLOW_FINDING_LEAST_INSTANCES or more, SLOW_FINDING_LEAST_SLOW or more of them slow, where these take
 * SLOW_FINDING_LEAST_RATIO of the typical time, and chance has them with a p-value below SLOW_FINDING_MOST_CHANCE (slow_chance.h). The greatest part is named as the reason if
 * its own p-value is below that, too. Of a task with a deadline, all that are slow are found, for they are missed.
 *
 * The time lost is not known. At most it is the extra time of all slow ones, and for how long one or more was under way.
 */
#ifndef ANNOT_SLOW_INSTANCES_FINDINGS_H
#define ANNOT_SLOW_INSTANCES_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/instances/slow_instances.h"

#define SLOW_FINDING_LEAST_INSTANCES 30
#define SLOW_FINDING_LEAST_SLOW 3
#define SLOW_FINDING_LEAST_RATIO 1.5
#define SLOW_FINDING_MOST_CHANCE 0.01

void slow_instances_add_findings(const struct model *model, const struct task_stats *stats,
				 const struct slow_instances *slow, struct findings *findings);

#endif /* ANNOT_SLOW_INSTANCES_FINDINGS_H */
