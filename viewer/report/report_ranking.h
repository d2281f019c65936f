/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where samples fell, in the forms that annot report --by prints.
 */
#ifndef ANNOT_REPORT_RANKING_H
#define ANNOT_REPORT_RANKING_H

#include <stdio.h>

#include "analysis/memory/ranking.h"

struct ranking_report {
	const struct model *model;
	const struct ranking *rankings; /* of each of the model's events */
	const char *event; /* only those of this name; NULL: all that were sampled */
};

/* Whether event @event of the model is one that is reported. */
bool ranking_report_has(const struct ranking_report *report, size_t event);

void report_ranking_text(const struct ranking_report *report, FILE *out);
void report_ranking_json(const struct ranking_report *report, FILE *out);
void report_ranking_csv(const struct ranking_report *report, FILE *out);

#endif /* ANNOT_REPORT_RANKING_H */
