/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What other analyses take of the waits in which threads spun.
 */
#ifndef ANNOT_SPINNING_REPORT_H
#define ANNOT_SPINNING_REPORT_H

#include "analysis/spinning/spinning.h"
#include "report/analyses.h"

const struct spinning *spinning_report_waits(const struct analyses *analyses);

#endif /* ANNOT_SPINNING_REPORT_H */
