/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What annot report --by object tells, below its rows, of small blocks of memory of which a random sample was told.
 */
#ifndef ANNOT_BLOCK_ESTIMATES_H
#define ANNOT_BLOCK_ESTIMATES_H

#include <stdio.h>

#include "analysis/memory/ranking.h"

/* Nothing, if there are none. */
void block_estimates_text(const struct model *model, const struct ranking *ranking, FILE *out);

#endif /* ANNOT_BLOCK_ESTIMATES_H */
