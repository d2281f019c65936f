/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between two traces, as JSON.
 */
#ifndef ANNOT_DIFF_JSON_H
#define ANNOT_DIFF_JSON_H

#include <stdio.h>

#include "report/diff/diff_report.h"
#include "util/text/json.h"

#define DIFF_JSON_VERSION 1

/* Members of the object that @json is in. */
void diff_json_task(struct json *json, const struct diff_task *task);
void diff_json_finding(struct json *json, const struct diff_finding *row);

void diff_json(const struct diff_report *report, FILE *out);

#endif /* ANNOT_DIFF_JSON_H */
