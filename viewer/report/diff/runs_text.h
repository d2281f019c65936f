/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between several runs a side, as text: a verdict of one line first.
 */
#ifndef ANNOT_RUNS_TEXT_H
#define ANNOT_RUNS_TEXT_H

#include <stdio.h>

#include "report/diff/runs_report.h"

void runs_text(const struct runs_report *report, FILE *out);

#endif /* ANNOT_RUNS_TEXT_H */
