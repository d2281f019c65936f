/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between two traces, told: a verdict of one line first.
 */
#ifndef ANNOT_DIFF_REPORT_H
#define ANNOT_DIFF_REPORT_H

#include <stdio.h>

#include "analysis/base/top_k.h"
#include "analysis/diff.h"
#include "report/diff/losses_report.h"
#include "report/diff/rules_report.h"
#include "report/diff/why_report.h"

#define DIFF_MAX_ROWS TOP_K_MAX

struct diff_report {
	const struct diff *diff;
	const char *paths[2];
	struct losses_report losses;
	bool all; /* what does not stand out, too */
	struct why_report why;
	struct rules_report rules;
};

#endif /* ANNOT_DIFF_REPORT_H */
