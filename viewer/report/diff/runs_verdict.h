/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between several runs a side, in a line.
 */
#ifndef ANNOT_RUNS_VERDICT_H
#define ANNOT_RUNS_VERDICT_H

#include "report/diff/runs_report.h"

/* Without a newline; free() it. */
char *runs_verdict(const struct runs_report *report);

/* A few sentences: what stands out means here. Without a newline; free() it. */
char *runs_how_compared(const struct runs_report *report);

#endif /* ANNOT_RUNS_VERDICT_H */
