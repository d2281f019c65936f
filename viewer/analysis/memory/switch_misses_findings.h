/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_SWITCH_MISSES_FINDINGS_H
#define ANNOT_SWITCH_MISSES_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/memory/switch_misses.h"

/*
 * A finding for a kind of switch, migrations or others in between, in the task that it costs most, if
 * of the event that costs most there are 10 runs at least, p < 0.01, the lower bound of the excess is above 0, and above the
 * excess after nobody else has run, which is then taken off: that is not the switch's, but the
 * program's own. Time lost is that of the thread that loses most.
 */
void switch_misses_add_findings(const struct model *model, const struct switch_misses *misses,
				struct findings *findings);

#endif /* ANNOT_SWITCH_MISSES_FINDINGS_H */
