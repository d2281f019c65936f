/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_CLOCK_RATE_H
#define ANNOT_CLOCK_RATE_H

#include "analysis/tasks/task_stats.h"

/* Of cores of 2015 to 2023 under load, where cycles were not counted. */
#define ASSUMED_GHZ 3.0

/* Cycles that threads had in a nanosecond on CPUs, of user code and the kernel; 0: they were not counted. */
double clock_rate_counted_ghz(const struct model *model, const struct task_stats *stats);

#endif /* ANNOT_CLOCK_RATE_H */
