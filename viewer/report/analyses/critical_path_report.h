/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What other analyses take of the critical paths.
 */
#ifndef ANNOT_CRITICAL_PATH_REPORT_H
#define ANNOT_CRITICAL_PATH_REPORT_H

#include "analysis/regions/critical_path.h"
#include "report/analyses.h"

/* The path of the session. */
const struct critical_path *critical_path_report_session(const struct analyses *analyses);

#endif /* ANNOT_CRITICAL_PATH_REPORT_H */
