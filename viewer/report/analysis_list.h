/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts that analyses.c lists.
 */
#ifndef ANNOT_ANALYSIS_LIST_H
#define ANNOT_ANALYSIS_LIST_H

#include "report/analyses.h"

extern const struct analysis_desc regions_analysis;
extern const struct analysis_desc critical_path_analysis;
extern const struct analysis_desc interference_analysis;
extern const struct analysis_desc wakeup_latency_analysis;
extern const struct analysis_desc migrations_analysis;
extern const struct analysis_desc idle_waits_analysis;
extern const struct analysis_desc task_tree_analysis;
extern const struct analysis_desc false_sharing_analysis;
extern const struct analysis_desc set_conflicts_analysis;
extern const struct analysis_desc switch_misses_analysis;
extern const struct analysis_desc working_set_analysis;

#endif /* ANNOT_ANALYSIS_LIST_H */
