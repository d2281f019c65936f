/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures in the forms that annot report prints: for people, for programs, for tables.
 */
#ifndef ANNOT_REPORT_H
#define ANNOT_REPORT_H

#include <stdio.h>

#include "analysis/tasks/task_stats.h"
#include "model/model.h"
#include "report/analyses.h"

struct report {
	const struct model *model;
	const struct task_stats *stats;
	const struct analyses *analyses;
	const char
		*shown; /* parts of the analyses to print as well, commas in between; NULL: none */
	size_t *tasks; /* indices in analysis->tasks, in the order to print */
	size_t *threads; /* indices in analysis->threads, likewise */
	bool all_threads; /* in the text, those of no interest to the session, too */
};

#endif /* ANNOT_REPORT_H */
