/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_LOCK_CONTENTION_FINDINGS_H
#define ANNOT_LOCK_CONTENTION_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/waits/lock_contention.h"

/*
 * Adds a finding for each lock: that it has convoys, if those that persist take CONVOY_LEAST_SHARE of the session;
 * otherwise that threads wait for it. Time lost is at most the time in which any thread waited for it.
 */
#define CONVOY_LEAST_SHARE 0.05
void lock_contention_add_findings(const struct model *model,
				  const struct lock_contention *contention,
				  struct findings *findings);

#endif /* ANNOT_LOCK_CONTENTION_FINDINGS_H */
