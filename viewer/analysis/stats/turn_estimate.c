// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/turn_estimate.h"

#include <math.h>
#include <stdlib.h>

#include "analysis/stats/student_t.h"
#include "util/xalloc.h"

/* Fewer tell nothing of how much the rate changes. */
#define LEAST_TURNS 4
/* Differences of neighbours are not independent of each other (von Neumann, 1941): two thirds as many are as good. */
#define DEGREES_PER_STEP (2.0 / 3)
#define MISSED 0.05
#define MOST_SEGMENTS 256
/* Where none was seen, so many may have been due: the upper end of Garwood's interval for 0 (Biometrika 28, 1936). */
#define MOST_DUE_OF_NONE 3.689
/* More of the time that nothing is known of, and nothing is known of the sum. */
#define MOST_UNKNOWN 0.1

static void close_cell(struct turn_walk *walk)
{
	double rate = walk->cell_count / walk->cell_ns;

	if (walk->has_cell) {
		double step = rate - walk->cell_rate;

		walk->cell_steps += step * step;
		walk->nr_cell_steps++;
	}
	walk->has_cell = true;
	walk->cell_rate = rate;
	walk->nr_cells++;
	walk->cells_ns += walk->cell_ns;
	walk->cell_ns = 0;
	walk->cell_count = 0;
}

/* Of a gap that is told in parts, one without a break between them. */
static bool lengthen_gap(struct turn_walk *walk, double start_ns, double ns)
{
	struct turn_segment *last;

	if (!walk->nr_segments)
		return false;
	last = &walk->segments[walk->nr_segments - 1];
	if (last->is_turn || last->start_ns + last->ns < start_ns)
		return false;
	last->ns += ns;
	return true;
}

static void add_segment(struct turn_walk *walk, double start_ns, double ns, bool is_turn)
{
	if (!is_turn && lengthen_gap(walk, start_ns, ns))
		return;
	if (walk->nr_segments == MOST_SEGMENTS)
		return;
	ARRAY_MAKE_ROOM(walk->segments, walk->nr_segments, walk->segment_capacity);
	walk->segments[walk->nr_segments++] = (struct turn_segment){ start_ns, ns, is_turn };
}

/* The gap between two turns, or from the start to the first one. */
static void close_gap(struct turn_walk *walk, double rate)
{
	double rate_before = walk->has_turn ? walk->turn_rate : rate;

	walk->count += walk->gap_ns * (rate_before + rate) / 2;
	walk->gaps_ns += walk->gap_ns;
}

static void add_turn_segment(struct turn_walk *walk)
{
	bool has_room = walk->nr_segments < MOST_SEGMENTS;

	add_segment(walk, walk->turn_start_ns, walk->until_ns - walk->turn_start_ns, true);
	if (!has_room)
		return;
	walk->nr_whole = walk->nr_segments;
	walk->whole_gaps_ns += walk->has_turn ? walk->gap_ns : 0;
}

/* A turn that is long enough tells a rate. */
static void take_rate(struct turn_walk *walk)
{
	double rate = walk->turn_count / walk->turn_ns;
	double step = walk->has_turn ? rate - walk->turn_rate : 0;

	close_gap(walk, rate);
	add_turn_segment(walk);
	walk->gap_ns = 0;
	walk->turn_steps += step * step;
	walk->rates += rate;
	walk->squares += rate * rate;
	walk->nr_turns++;
	walk->has_turn = true;
	walk->turn_rate = rate;
}

static void close_turn(struct turn_walk *walk)
{
	if (walk->turn_ns >= TURN_CELL_NS)
		take_rate(walk);
	walk->measured_ns += walk->turn_ns;
	walk->count += walk->turn_count;
	walk->turn_ns = 0;
	walk->turn_count = 0;
	walk->has_cell = false;
	walk->cell_ns = 0;
	walk->cell_count = 0;
}

static double turn_variance(const struct turn_walk *walk)
{
	double nr = (double)walk->nr_turns;
	double sum = walk->squares - walk->rates * walk->rates / nr;

	/* What rounding leaves is none. */
	return sum > 1e-9 * walk->squares ? sum / (nr - 1) : 0;
}

static double variance_of(const struct turn_walk *walk)
{
	double nr_turns = (double)walk->nr_turns;
	struct turn_process_figures figures = {
		.nr_turns = nr_turns,
		.cell_ns = walk->nr_cells ? walk->cells_ns / (double)walk->nr_cells : TURN_CELL_NS,
		.has_cell_steps = walk->nr_cell_steps > 0,
		.turn_step = walk->turn_steps / (nr_turns - 1) / 2,
		.turn_variance = turn_variance(walk),
	};
	struct turn_layout layout = { .nr = walk->nr_whole, .segments = walk->segments };

	if (figures.has_cell_steps)
		figures.cell_step = walk->cell_steps / (double)walk->nr_cell_steps / 2;
	if (walk->whole_gaps_ns <= 0)
		return 0;
	return turn_process_variance(&figures, &layout) * walk->gaps_ns / walk->whole_gaps_ns;
}

static void take_walk(struct turn_sums *sums)
{
	struct turn_walk *walk = &sums->walk;
	double degrees, variance;

	close_turn(walk);
	if (walk->has_turn)
		close_gap(walk, walk->turn_rate);
	sums->nr_turns += walk->nr_turns;
	sums->measured_ns += (uint64_t)walk->measured_ns;
	if (walk->nr_turns < LEAST_TURNS && walk->gaps_ns + walk->gap_ns > 0) {
		sums->unknown_ns += walk->measured_ns + walk->gaps_ns + walk->gap_ns;
		sums->unknown_count += walk->count;
	} else if (walk->gaps_ns > 0) {
		variance = variance_of(walk);
		degrees = DEGREES_PER_STEP * (double)(walk->nr_turns - 1);
		sums->count += walk->count;
		sums->variance += variance;
		sums->weighted_degrees += variance * variance / degrees;
	} else
		sums->count += walk->count;
	free(walk->segments);
	*walk = (struct turn_walk){ 0 };
}

static struct turn_walk *begin_part(struct turn_sums *sums, struct turn_part part)
{
	struct turn_walk *walk = &sums->walk;
	double at_ns = (double)part.at_ns;

	if (walk->thread != part.thread)
		take_walk(sums);
	walk->thread = part.thread;
	/* What is left out ends a turn, unless it is short. */
	if (at_ns - walk->until_ns >= TURN_CELL_NS)
		close_turn(walk);
	sums->total_ns += part.ns;
	return walk;
}

void turn_sums_count(struct turn_sums *sums, struct turn_part part, double count)
{
	struct turn_walk *walk = begin_part(sums, part);

	if (walk->turn_ns <= 0)
		walk->turn_start_ns = (double)part.at_ns;
	walk->until_ns = (double)part.at_ns + (double)part.ns;
	walk->turn_ns += (double)part.ns;
	walk->turn_count += count;
	walk->cell_ns += (double)part.ns;
	walk->cell_count += count;
	if (walk->cell_ns >= TURN_CELL_NS)
		close_cell(walk);
}

void turn_sums_pass(struct turn_sums *sums, struct turn_part part)
{
	struct turn_walk *walk = begin_part(sums, part);

	close_turn(walk);
	if (walk->has_turn)
		add_segment(walk, (double)part.at_ns, (double)part.ns, false);
	walk->until_ns = (double)part.at_ns + (double)part.ns;
	walk->gap_ns += (double)part.ns;
}

void turn_sums_close(struct turn_sums *sums)
{
	take_walk(sums);
}

void turn_sums_add(struct turn_sums *sums, const struct turn_sums *others)
{
	sums->nr_turns += others->nr_turns;
	sums->total_ns += others->total_ns;
	sums->measured_ns += others->measured_ns;
	sums->count += others->count;
	sums->variance += others->variance;
	sums->weighted_degrees += others->weighted_degrees;
	sums->unknown_ns += others->unknown_ns;
	sums->unknown_count += others->unknown_count;
}

/* Satterthwaite's, for a sum of variances (Biometrics Bulletin 2, 1946). */
static double degrees_of(const struct turn_sums *sums)
{
	return sums->variance * sums->variance / sums->weighted_degrees;
}

/* Threads with too few turns are taken for as busy as the others; it may be that they did nothing, or twice as much. */
static double count_of_unknown(const struct turn_sums *sums)
{
	double known_ns = (double)sums->total_ns - sums->unknown_ns;

	if (known_ns <= 0)
		return sums->unknown_count;
	return fmax(sums->unknown_count, sums->count / known_ns * sums->unknown_ns);
}

static double error_of(const struct turn_sums *sums)
{
	double error = sums->unknown_ns > 0 ? count_of_unknown(sums) : 0;

	if (!sums->nr_turns || sums->unknown_ns > MOST_UNKNOWN * (double)sums->total_ns)
		return INFINITY;
	if (sums->count <= 0 && sums->measured_ns < sums->total_ns)
		error += MOST_DUE_OF_NONE * (double)(sums->total_ns - sums->measured_ns) /
			 (double)sums->measured_ns;
	if (sums->variance > 0)
		error += sqrt(sums->variance) * student_t_limit(MISSED, degrees_of(sums));
	return error;
}

struct turn_estimate turn_estimate_of(const struct turn_sums *sums)
{
	return (struct turn_estimate){
		.count = sums->count + count_of_unknown(sums),
		.error = error_of(sums),
		.share = sums->total_ns ? (double)sums->measured_ns / (double)sums->total_ns : 0,
		.nr_turns = sums->nr_turns,
	};
}
