/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of stalls: of each, the task that loses most of its time on a CPU, if that is beyond a threshold with all of its
 * interval. Of tasks inside each other, the smallest that has half of what the largest loses is named; without tasks, the session.
 */
#ifndef ANNOT_STALLS_FINDINGS_H
#define ANNOT_STALLS_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/topdown/finding_places.h"
#include "analysis/topdown/stalls.h"

/* @places: NULL: nobody knows. */
void stalls_add_findings(const struct model *model, const struct task_stats *stats,
			 const struct stalls *stalls, const struct finding_places *places,
			 struct findings *findings);

#endif /* ANNOT_STALLS_FINDINGS_H */
