/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the stretches add up to of which nothing is known.
 */
#ifndef ANNOT_MODEL_GAPS_H
#define ANNOT_MODEL_GAPS_H

#include "model/model.h"

bool model_has_gaps(const struct model *model, enum gap_kind kind);

/* Switches known to be missing on one CPU, and on all of them: at least so many are. */
uint64_t gaps_missing_switches(const struct gap_table *gaps);
uint64_t model_missing_switches(const struct model *model);

#endif /* ANNOT_MODEL_GAPS_H */
