/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The region that annot report --region names.
 */
#ifndef ANNOT_CHOOSE_REGION_H
#define ANNOT_CHOOSE_REGION_H

#include "report/analyses.h"

/*
 * Takes the parallel region that @choice names, to tell its critical path: NAME, the instance with
 * most to save, or NAME:N, the Nth one from 1 on. Returns 0, or -1 after telling that there is none.
 */
int analyses_choose_region(struct analyses *analyses, const char *choice);

#endif /* ANNOT_CHOOSE_REGION_H */
