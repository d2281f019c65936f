/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How often something happened, of which only a part was counted: events took turns on a counter.
 *
 * A turn is time of one thread, on a CPU, that was counted without a break; a gap is the time of it to the next turn. The
 * estimate takes for the rate in a gap the mean of the rates of the turns at its ends, and beyond the first and the last turn
 * their own. Time that does not count, as that between two spans of a task, is in neither, but makes turns be farther apart.
 *
 * How far off that can be depends on how long the rate stays as it is. So the rate is taken for a process of white noise and of
 * changes that are forgotten: with a covariance of s exp(-h / t) at a distance of h. The noise, s and t are those that come nearest
 * to three figures: half the mean square of differences between cells that touch each other, and between turns next to each other;
 * and the variance of turns. The variance of the estimate is then that of the sum over gaps of what happened, less what the turns at
 * their ends say (Cressie: Statistics for Spatial Data, 1993, 3.2: prediction by a linear combination, its variance by a variogram
 * that was fitted). In simulations of many kinds of processes (tests/unit/analysis/stats/test_turn_estimate.c) the truth was within the error
 * in 93 to 97 of 100 cases with 25 turns and more, and in 87 to 98 with 12; where a rate jumps only a few times in all, less often.
 */
#ifndef ANNOT_STATS_TURN_ESTIMATE_H
#define ANNOT_STATS_TURN_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/stats/turn_process.h"

/* Parts that are counted are put together to cells that are at least so long. A shorter turn tells no rate of what is around it. */
#define TURN_CELL_NS 500000

/* The time of one thread that is gone through; zeroed before. */
struct turn_walk {
	uint32_t thread;
	bool has_cell; /* a cell of this turn has been closed */
	bool has_turn; /* a turn has been closed */
	double cell_ns;
	double cell_count;
	double cell_rate; /* of the last cell that was closed */
	double turn_start_ns; /* in the thread's time */
	double turn_ns; /* of the turn at hand; 0: it is a gap */
	double turn_count;
	double turn_rate; /* of the last turn that was closed */
	double gap_ns; /* since then; or from the start */
	double until_ns; /* the thread's time that has been gone through */
	/* Turns, and parts of gaps between them: the first ones only, of which the others are taken to be like. */
	struct turn_segment *segments;
	size_t nr_segments;
	size_t segment_capacity;
	size_t nr_whole; /* up to the last turn */
	double whole_gaps_ns; /* of the gaps among them */
	/* Sums over cells and turns. */
	uint64_t nr_cells;
	double cells_ns;
	uint64_t nr_cell_steps;
	double cell_steps; /* squares of differences */
	uint64_t nr_turns;
	double turn_steps; /* there is one step less than turns */
	double rates;
	double squares; /* of rates */
	double gaps_ns; /* all */
	double measured_ns;
	double count; /* counted, or taken for it */
};

/* The figures of all threads. */
struct turn_sums {
	struct turn_walk walk; /* of the last thread */
	uint64_t nr_turns;
	uint64_t total_ns;
	uint64_t measured_ns;
	double count; /* estimated */
	double variance;
	double weighted_degrees; /* of the variances: sum of their squares over the degrees of freedom */
	double unknown_ns; /* of threads with too few turns to tell */
	double unknown_count; /* that they counted */
};

struct turn_estimate {
	double count;
	double error; /* how far off it is at most in 95 of 100 cases; INFINITY: not known */
	double share; /* of the time that was counted, 0 to 1 */
	uint64_t nr_turns;
};

/*
 * A part of the time of @thread on a CPU: @ns from @at_ns on, which is how long it had run before. Parts come in the order of
 * time. What is between them is left out, as that in which it did something else. A thread that is another one than that of the part
 * before must not have had an earlier one.
 */
struct turn_part {
	uint32_t thread;
	uint64_t at_ns;
	uint64_t ns;
};

/* In @part, @count was counted, of all that happened there. */
void turn_sums_count(struct turn_sums *sums, struct turn_part part, double count);

/* In @part it was not counted. */
void turn_sums_pass(struct turn_sums *sums, struct turn_part part);

/* No more time of the last thread comes. To be called once at least before the functions below; frees what it needed. */
void turn_sums_close(struct turn_sums *sums);

/* Adds those of other threads. */
void turn_sums_add(struct turn_sums *sums, const struct turn_sums *others);

struct turn_estimate turn_estimate_of(const struct turn_sums *sums);

#endif /* ANNOT_STATS_TURN_ESTIMATE_H */
