/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts as annot stat prints them: a line for each CPU and event.
 */
#ifndef ANNOT_STAT_STAT_TABLE_H
#define ANNOT_STAT_STAT_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "stat/counters.h"

struct stat_table {
	FILE *out;
	bool csv;
	bool was_scaled; /* a count was: an estimate */
};

void stat_table_print_head(const struct stat_table *table);

/* The last interval, which ended @time_s after the beginning. */
void stat_table_print_interval(struct stat_table *table, const struct counters *counters,
			       double time_s);

/* Prints the totals of all intervals, @time_s long. Not with csv, where readers can add them up. */
void stat_table_print_totals(struct stat_table *table, const struct counters *counters,
			     double time_s);

#endif /* ANNOT_STAT_STAT_TABLE_H */
