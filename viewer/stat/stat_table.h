/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts as annot stat prints them: a line for each CPU and event.
 */
#ifndef ANNOT_STAT_TABLE_H
#define ANNOT_STAT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "stat/counters.h"

struct table {
	FILE *out;
	bool csv;
	bool was_scaled; /* a count was: an estimate */
};

void table_head(const struct table *table);

/* The last interval, which ended @time_s after the beginning. */
void table_interval(struct table *table, const struct counters *counters, double time_s);

/* All intervals together, in @time_s. Not with csv: there they are easily had. */
void table_totals(struct table *table, const struct counters *counters, double time_s);

#endif /* ANNOT_STAT_TABLE_H */
