/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Findings of spinning: CPU time that was spent in wait spans, and barriers to which a thread came late that had no CPU while
 * others spun.
 */
#ifndef ANNOT_SPINNING_FINDINGS_H
#define ANNOT_SPINNING_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/spinning/spin_stragglers.h"

/*
 * Adds a finding for each group of waits in SPIN_LEAST_TIMES of which threads spun, if they did so for SPIN_LEAST_SHARE of
 * their program's CPU time, or made the session later by SPIN_LEAST_LOST of it.
 */
#define SPIN_LEAST_TIMES 5
#define SPIN_LEAST_SHARE 0.1
#define SPIN_LEAST_LOST 0.02
void spinning_add_findings(const struct model *model, const struct spinning *spinning,
			   struct findings *findings);

/*
 * Adds a finding for each group of waits at whose barriers this happened STRAGGLER_LEAST_TIMES times, and made the session
 * later by STRAGGLER_LEAST_LOST of it.
 */
#define STRAGGLER_LEAST_TIMES 5
#define STRAGGLER_LEAST_LOST 0.02
void spin_stragglers_add_findings(const struct model *model, const struct programs *programs,
				  const struct spin_stragglers *stragglers,
				  struct findings *findings);

#endif /* ANNOT_SPINNING_FINDINGS_H */
