/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of programs with more threads ready than CPUs.
 */
#ifndef ANNOT_OVERSUBSCRIPTION_FINDINGS_H
#define ANNOT_OVERSUBSCRIPTION_FINDINGS_H

#include "analysis/regions/critical_path.h"
#include "analysis/spinning/oversubscription.h"
#include "analysis/spinning/spinning.h"

/*
 * Adds a finding for each program that was oversubscribed for OVERSUBSCRIPTION_LEAST_SHARE of the session, and whose threads
 * then waited for each other, taken together, for OVERSUBSCRIPTION_LEAST_WAITED of it. @path: that of the session. What
 * spinning cost the program is known to be lost; all else has an upper bound only.
 */
#define OVERSUBSCRIPTION_LEAST_SHARE 0.2
#define OVERSUBSCRIPTION_LEAST_WAITED 0.1
void oversubscription_add_findings(const struct model *model, const struct oversubscription *over,
				   const struct critical_path *path,
				   const struct spinning *spinning, struct findings *findings);

#endif /* ANNOT_OVERSUBSCRIPTION_FINDINGS_H */
