/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What differs between several runs before and several after, told.
 */
#ifndef ANNOT_RUNS_REPORT_H
#define ANNOT_RUNS_REPORT_H

#include <math.h>

#include "analysis/runs/runs_diff.h"
#include "report/diff/losses_report.h"
#include "report/diff/rules_report.h"
#include "report/diff/why_report.h"
#include "util/text/figure.h"

struct runs_report {
	const struct runs *runs;
	const struct runs_diff *diff;
	char *const *paths[2]; /* of as many traces as there are runs */
	struct losses_report losses;
	bool all; /* what does not stand out, too */
	struct why_report why;
	struct rules_report rules;
};

/* Of times. */
static inline struct figure runs_mean_ns(const struct sample *sample, const char *space)
{
	return figure_ns((uint64_t)llround(sample->mean), space);
}

#endif /* ANNOT_RUNS_REPORT_H */
