/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sums over the gaps of CPUs.
 */
#ifndef ANNOT_MODEL_GAPS_H
#define ANNOT_MODEL_GAPS_H

#include "model/model.h"

bool model_has_gaps(const struct model *model, enum gap_kind kind);

/* Number of missing switches on one CPU, and on all: a lower bound. */
uint64_t gaps_missing_switches(const struct gap_table *gaps);
uint64_t model_missing_switches(const struct model *model);

#endif /* ANNOT_MODEL_GAPS_H */
