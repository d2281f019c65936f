/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between two traces, as a page.
 */
#ifndef ANNOT_DIFF_HTML_H
#define ANNOT_DIFF_HTML_H

#include <stdio.h>

#include "report/diff/diff_report.h"

/* A page: every task, whatever report->all says. */
void diff_html(const struct diff_report *report, FILE *out);

#endif /* ANNOT_DIFF_HTML_H */
