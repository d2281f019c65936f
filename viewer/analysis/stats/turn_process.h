/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A rate that changes in time, of which turns are known: how far off is what they say of the gaps between them?
 * See turn_estimate.h for the process and the source.
 */
#ifndef ANNOT_STATS_TURN_PROCESS_H
#define ANNOT_STATS_TURN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* A part of a thread's time: a turn, or what counts as one gap, or a part of one. */
struct turn_segment {
	double start_ns;
	double ns;
	bool is_turn;
};

/* By time; the first and the last one are turns, of which there are two at least. */
struct turn_layout {
	size_t nr;
	const struct turn_segment *segments;
	double gaps_ns; /* of all gaps in it */
};

struct turn_process_figures {
	double nr_turns;
	double cell_ns; /* mean length */
	bool has_cell_steps;
	double cell_step; /* half the mean square of differences: of cells that touch each other */
	double turn_step; /* of turns next to each other */
	double turn_variance;
};

/* The variance of what is taken for the count of all gaps of @layout. Cost: O(n) over segments. */
double turn_process_variance(const struct turn_process_figures *figures,
			     const struct turn_layout *layout);

#endif /* ANNOT_STATS_TURN_PROCESS_H */
