/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A rate that changes in time, of which turns are known: how far off is what they say of the gaps between them?
 * See turn_estimate.h for the process and the source.
 */
#ifndef ANNOT_STATS_TURN_PROCESS_H
#define ANNOT_STATS_TURN_PROCESS_H

#include <stdbool.h>

struct turn_process_figures {
	double nr_turns;
	double cell_ns; /* means of lengths */
	double turn_ns;
	double gap_ns;
	bool has_cell_steps;
	double cell_step; /* half the mean square of differences: of cells that touch each other */
	double turn_step; /* of turns next to each other */
	double turn_variance;
};

/* The variance of what is taken for the count of one gap, where there are many. Cost: about 0.1 ms. */
double turn_process_variance(const struct turn_process_figures *figures);

#endif /* ANNOT_STATS_TURN_PROCESS_H */
