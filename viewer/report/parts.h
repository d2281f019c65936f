/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The analyses that insights.c has the list of.
 */
#ifndef ANNOT_PARTS_H
#define ANNOT_PARTS_H

#include "report/insights.h"

extern const struct insight_part switch_misses_part;

#endif /* ANNOT_PARTS_H */
