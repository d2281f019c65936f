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

/* What a change is made of, as "+1.20ms preempted, -3.00us on a CPU". free() it. NULL: it cannot be had. */
char *why_report_sentence(const struct why_report *why, const struct why_task *task);

/* How many lines of the path are worth telling to people: the first ones. */
size_t why_report_nr_lines(const struct why_report *why);

/* An object. */
void why_report_line_json(const struct why_report *why, const struct why_path_line *line,
			  struct json *json);

#endif /* ANNOT_WHY_REPORT_H */
