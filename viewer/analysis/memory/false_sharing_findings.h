/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_FALSE_SHARING_FINDINGS_H
#define ANNOT_FALSE_SHARING_FINDINGS_H

#include "analysis/memory/false_sharing.h"
#include "analysis/base/findings.h"

/*
 * A finding of the lines that a process shares falsely, of the process with the one that costs most,
 * which @place names. Time lost: what they cost the thread that they cost most.
 */
void false_sharing_add_findings(const struct model *model, const struct false_sharing *sharing,
				const char *place, struct findings *findings);

#endif /* ANNOT_FALSE_SHARING_FINDINGS_H */
