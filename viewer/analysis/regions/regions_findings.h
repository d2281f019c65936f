/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Imbalance and serialisation: one finding for each group of regions that loses time by it.
 */
#ifndef ANNOT_REGIONS_FINDINGS_H
#define ANNOT_REGIONS_FINDINGS_H

#include "analysis/base/findings.h"
#include "analysis/regions/regions.h"

void imbalance_add_findings(const struct model *model, const struct regions *regions,
			    struct findings *findings);
void serialisation_add_findings(const struct model *model, const struct regions *regions,
				struct findings *findings);

#endif /* ANNOT_REGIONS_FINDINGS_H */
