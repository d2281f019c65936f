/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts that insights.c lists.
 */
#ifndef ANNOT_PARTS_H
#define ANNOT_PARTS_H

#include "report/analyses.h"

extern const struct insight_part regions_part;
extern const struct insight_part critical_path_part;
extern const struct insight_part interference_part;
extern const struct insight_part wakeups_part;
extern const struct insight_part migrations_part;
extern const struct insight_part idle_waits_part;
extern const struct insight_part tasks_tree_part;
extern const struct insight_part false_sharing_part;
extern const struct insight_part set_conflicts_part;
extern const struct insight_part switch_misses_part;
extern const struct insight_part working_set_part;

#endif /* ANNOT_PARTS_H */
