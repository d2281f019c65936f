/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between several runs a side, as a page.
 */
#ifndef ANNOT_RUNS_HTML_H
#define ANNOT_RUNS_HTML_H

#include <stdio.h>

#include "report/diff/runs_report.h"

/* A page: every task, whatever report->all says. */
void runs_html(const struct runs_report *report, FILE *out);

#endif /* ANNOT_RUNS_HTML_H */
