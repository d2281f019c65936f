/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What became of rules, told: a line each.
 */
#ifndef ANNOT_RULES_REPORT_H
#define ANNOT_RULES_REPORT_H

#include <stdio.h>

#include "analysis/runs/rules.h"
#include "util/text/json.h"

struct rules_report {
	size_t nr; /* 0: there are no rules */
	const struct rule_result *results;
};

/* Lines, with an empty one before them; nothing without rules. */
void rules_report_text(const struct rules_report *rules, FILE *out);

/* A key with an array, in the object that is open; nothing without rules. */
void rules_report_json(const struct rules_report *rules, struct json *json);

/* A table; nothing without rules. */
void rules_report_html(const struct rules_report *rules, FILE *out);

#endif /* ANNOT_RULES_REPORT_H */
