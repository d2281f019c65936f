/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes all analyses, on as many cores as there are.
 */
#ifndef ANNOT_COMPUTE_ALL_H
#define ANNOT_COMPUTE_ALL_H

#include "report/analyses.h"

/*
 * Fills analyses->results. An analysis reads the model and the result of what it needs, and writes nothing else: results do
 * not depend on how many cores there are. Never fails.
 */
void compute_all(struct analyses *analyses);

#endif /* ANNOT_COMPUTE_ALL_H */
