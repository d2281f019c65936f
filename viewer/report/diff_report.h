/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between two traces, told: a verdict of one line first.
 */
#ifndef ANNOT_DIFF_REPORT_H
#define ANNOT_DIFF_REPORT_H

#include <stdio.h>

#include "analysis/base/top_k.h"
#include "analysis/diff.h"

#define DIFF_JSON_VERSION 1
#define DIFF_MAX_ROWS TOP_K_MAX

struct diff_report {
	const struct diff *diff;
	const char *paths[2];
	bool all; /* what does not stand out, too */
};

/* Without a newline; free() it. */
char *diff_verdict(const struct diff *diff);

void diff_text(const struct diff_report *report, FILE *out);
void diff_json(const struct diff_report *report, FILE *out);
/* A page: every task, whatever report->all says. */
void diff_html(const struct diff_report *report, FILE *out);

#endif /* ANNOT_DIFF_REPORT_H */
