/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between several runs a side, as JSON.
 */
#ifndef ANNOT_RUNS_JSON_H
#define ANNOT_RUNS_JSON_H

#include <stdio.h>

#include "report/diff/runs_report.h"

void runs_json(const struct runs_report *report, FILE *out);

#endif /* ANNOT_RUNS_JSON_H */
