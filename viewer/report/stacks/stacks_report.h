/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call stacks and what belongs to them, in the forms that annot report --stacks prints.
 */
#ifndef ANNOT_REPORT_STACKS_REPORT_H
#define ANNOT_REPORT_STACKS_REPORT_H

#include <stdio.h>

#include "analysis/stacks/stack_weights.h"

struct stacks_report {
	const struct model *model;
	const struct stack_weights *weights;
	double threshold_pct; /* of the text: what has less is left out */
};

void stacks_report_text(const struct stacks_report *report, FILE *out);
void stacks_report_json(const struct stacks_report *report, FILE *out);

#endif /* ANNOT_REPORT_STACKS_REPORT_H */
