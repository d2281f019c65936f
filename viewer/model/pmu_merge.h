/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts that came before the trace told what was counted, under the names that it then told.
 */
#ifndef ANNOT_MODEL_PMU_MERGE_H
#define ANNOT_MODEL_PMU_MERGE_H

#include "model/pmu.h"

/* The counts of what was made up go to what was told later. */
void pmu_merge_counts(struct model *model, const struct pmu_build *pmu);

/* And what was made up goes, too, but for @keep: then it stays, as merged. */
void pmu_merge_all(struct model *model, const struct pmu_build *pmu, bool keep);

#endif /* ANNOT_MODEL_PMU_MERGE_H */
