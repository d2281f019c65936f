/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of top-down: of each kind, the task that loses most, if that is beyond its threshold with all of its interval, and nothing
 * is in doubt. Of tasks inside each other, the smallest that has half of what the largest loses is named.
 */
#ifndef ANNOT_TOPDOWN_FINDINGS_H
#define ANNOT_TOPDOWN_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/topdown/topdown.h"

/* Who knows where a task's samples fell. */
struct topdown_places {
	/* Writes a part of a sentence into @text, of @size bytes; "": nothing is known. */
	void (*say)(void *context, uint32_t task, enum finding_kind kind, char *text, size_t size);
	void *context;
};

/* @places: NULL: nobody knows. */
void topdown_add_findings(const struct model *model, const struct task_stats *stats,
			  const struct topdown *topdown, const struct topdown_places *places,
			  struct findings *findings);

#endif /* ANNOT_TOPDOWN_FINDINGS_H */
