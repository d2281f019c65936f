/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why tasks take longer or shorter than before, told, and how the critical path changed.
 */
#ifndef ANNOT_WHY_REPORT_H
#define ANNOT_WHY_REPORT_H

#include <stdio.h>

#include "analysis/runs/why.h"
#include "util/text/json.h"

struct why_report {
	const struct whys *whys;
	bool with_path; /* it is told, too */
};

/* Two tables, with an empty line before each; nothing where there is nothing to tell. */
void why_report_text(const struct why_report *why, FILE *out);
void why_report_html(const struct why_report *why, FILE *out);

/* Two keys with arrays, in the object that is open. */
void why_report_json(const struct why_report *why, struct json *json);

#endif /* ANNOT_WHY_REPORT_H */
