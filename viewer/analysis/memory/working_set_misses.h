/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_WORKING_SET_MISSES_H
#define ANNOT_WORKING_SET_MISSES_H

#include "analysis/memory/working_set.h"

/* What tasks of which loads were sampled missed of each level, and what the levels hold therefore. */
void measure_working_set_misses(struct working_sets *sets, const struct model *model,
				const struct analysis *analysis, const enum miss_level *levels);

#endif /* ANNOT_WORKING_SET_MISSES_H */
