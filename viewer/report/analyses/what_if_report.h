/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The replay of the session (analysis/replay/what_if.h), as far as reports and the page have it.
 */
#ifndef ANNOT_WHAT_IF_REPORT_H
#define ANNOT_WHAT_IF_REPORT_H

#include "report/analyses.h"

/* What curing the findings would gain (finding_gains.h), once these are known; the analysis is computed. */
void what_if_report_add_gains(const struct analyses *analyses, struct findings *findings);

/* By which share the unchanged replay is longer than the recording; 0 without a replay. */
double what_if_report_error(const struct analyses *analyses);

#endif /* ANNOT_WHAT_IF_REPORT_H */
