/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_WORKING_SET_MISSES_H
#define ANNOT_WORKING_SET_MISSES_H

#include "analysis/memory/working_set.h"

/* What tasks of which loads were sampled missed of each level, and what the levels hold therefore. */
void working_set_misses_measure(struct working_set *sets, const struct model *model,
				const struct task_stats *stats, const enum miss_level *levels);

#endif /* ANNOT_WORKING_SET_MISSES_H */
