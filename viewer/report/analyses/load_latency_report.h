/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_LOAD_LATENCY_REPORT_H
#define ANNOT_LOAD_LATENCY_REPORT_H

#include "analysis/memory/miss_costs.h"
#include "report/analyses.h"

/* What misses cost in this trace, which other analyses use. */
const struct miss_costs *load_latency_report_costs(const struct analyses *analyses);

#endif /* ANNOT_LOAD_LATENCY_REPORT_H */
