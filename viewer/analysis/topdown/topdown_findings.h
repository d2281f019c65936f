/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of top-down: of each kind, the task that loses most, if that is beyond its threshold with all of its interval, and nothing
 * is in doubt. Of tasks inside each other, the smallest that has half of what the largest loses is named.
 */
#ifndef ANNOT_TOPDOWN_FINDINGS_H
#define ANNOT_TOPDOWN_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/topdown/finding_places.h"
#include "analysis/topdown/topdown.h"

/* @places: NULL: nobody knows. */
void topdown_add_findings(const struct model *model, const struct task_stats *stats,
			  const struct topdown *topdown, const struct finding_places *places,
			  struct findings *findings);

#endif /* ANNOT_TOPDOWN_FINDINGS_H */
