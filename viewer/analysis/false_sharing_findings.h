/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_FALSE_SHARING_FINDINGS_H
#define ANNOT_FALSE_SHARING_FINDINGS_H

#include "analysis/false_sharing.h"
#include "analysis/findings.h"

/* A finding of the line that costs most by false sharing; @place names it. */
void find_false_sharing(const struct model *model, const struct false_sharing *sharing,
			const char *place, struct findings *findings);

#endif /* ANNOT_FALSE_SHARING_FINDINGS_H */
