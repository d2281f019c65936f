/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of stalls: of each, the task that loses most of its time on a CPU, if that is beyond a threshold with all of its
 * interval. Of tasks inside each other, the smallest that has half of what the largest loses is named; without tasks, the session.
 */
#ifndef ANNOT_STALLS_FINDINGS_H
#define ANNOT_STALLS_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/topdown/stalls.h"

/* Who knows where the samples of an event fell in a task, or in the session (NO_TASK). */
struct stalls_places {
	/* Writes a part of a sentence into @text, of @size bytes; "": nothing is known. */
	void (*say)(void *context, const struct stall_row *row, char *text, size_t size);
	void *context;
};

/* @places: NULL: nobody knows. */
void stalls_add_findings(const struct model *model, const struct task_stats *stats,
			 const struct stalls *stalls, const struct stalls_places *places,
			 struct findings *findings);

#endif /* ANNOT_STALLS_FINDINGS_H */
