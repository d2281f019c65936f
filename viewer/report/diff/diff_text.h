/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between two traces, as text.
 */
#ifndef ANNOT_DIFF_TEXT_H
#define ANNOT_DIFF_TEXT_H

#include <stdio.h>

#include "report/diff/diff_report.h"

/* Without a newline; free() it. */
char *diff_verdict(const struct diff *diff);

/* "less" or "more". */
const char *diff_less_or_more(double change);

void diff_text(const struct diff_report *report, FILE *out);

#endif /* ANNOT_DIFF_TEXT_H */
