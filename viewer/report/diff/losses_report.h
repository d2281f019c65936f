/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the compared traces lack, told before their figures, which are lower bounds for it.
 */
#ifndef ANNOT_LOSSES_REPORT_H
#define ANNOT_LOSSES_REPORT_H

#include <stdio.h>

#include "analysis/runs/runs_diff.h"
#include "util/text/json.h"

struct losses_report {
	const struct runs *runs;
	char *const *paths[2]; /* of as many traces as there are runs */
};

/* Lines for each trace with losses; nothing without. */
void losses_report_text(const struct losses_report *report, FILE *out);

/* Keys in the object that is open: the losses of each side. */
void losses_report_json(const struct losses_report *report, struct json *json);

/* A paragraph for each trace with losses. */
void losses_report_html(const struct losses_report *report, FILE *out);

#endif /* ANNOT_LOSSES_REPORT_H */
