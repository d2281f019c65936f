/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Moves counts that were recorded before their set was described to the right events.
 */
#ifndef ANNOT_MODEL_PMU_MERGE_H
#define ANNOT_MODEL_PMU_MERGE_H

#include "model/pmu/pmu.h"

/*
 * Moves the counts of made-up events to the events that were described later, in rows from @first on. Where that was done, it
 * changes nothing.
 */
void pmu_merge_counts(struct model *model, const struct pmu_build *pmu, size_t first);

/* Does that, and removes the made-up events. With @keep they stay, marked is_merged. */
void pmu_merge_all(struct model *model, const struct pmu_build *pmu, bool keep);

/* Puts rows in the order of their ends: those that an annotation ended came when its batch did. */
void pmu_sort_counts(struct slice_count_table *counts);

/* The same of the rows from @first on. */
void pmu_sort_counts_from(struct slice_count_table *counts, size_t first);

#endif /* ANNOT_MODEL_PMU_MERGE_H */
