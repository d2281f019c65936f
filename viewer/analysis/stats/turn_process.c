// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/turn_process.h"

#include <math.h>
#include <stdlib.h>

#include "util/xalloc.h"

/* Times in cells after which changes are forgotten, as they are tried. */
#define FIRST_MEMORY 0.05
#define LEAST_MEMORY 0.3
#define MEMORY_STEP 1.35
#define NR_MEMORIES 27

/* What of a figure is due to the noise, and to the changes, where each has a variance of 1. */
struct share {
	double noise;
	double changes;
	double figure; /* that was seen */
};

#define NR_SHARES 3

struct fit {
	double noise; /* variances: of a cell, and of the rate */
	double changes;
	double memory_ns;
	double residual;
};

/* The covariance of what happens in @ns and in itself, and in @other_ns that begins @distance_ns after its end. */
static double own_covariance(double ns, double memory_ns)
{
	return 2 * memory_ns * (ns + memory_ns * expm1(-ns / memory_ns));
}

static double covariance(double ns, double distance_ns, double other_ns, double memory_ns)
{
	return memory_ns * memory_ns * exp(-distance_ns / memory_ns) * expm1(-ns / memory_ns) *
	       expm1(-other_ns / memory_ns);
}

static struct share share_of_cells(const struct turn_process_figures *figures, double memory_ns)
{
	double ns = figures->cell_ns;
	double own = own_covariance(ns, memory_ns), next = covariance(ns, 0, ns, memory_ns);

	return (struct share){ 1, (own - next) / (ns * ns),
			       figures->has_cell_steps ? figures->cell_step : 0 };
}

static void find_shares(const struct turn_process_figures *figures,
			const struct turn_layout *layout, double memory_ns, struct share *shares)
{
	const struct turn_segment *before = NULL;
	double noise = 0, within = 0, between = 0, nr = 0;

	for (size_t i = 0; i < layout->nr; i++) {
		const struct turn_segment *turn = &layout->segments[i];

		if (!turn->is_turn)
			continue;
		noise += figures->cell_ns / turn->ns;
		within += own_covariance(turn->ns, memory_ns) / (turn->ns * turn->ns);
		if (before)
			between += covariance(before->ns,
					      turn->start_ns - before->start_ns - before->ns,
					      turn->ns, memory_ns) /
				   (before->ns * turn->ns);
		before = turn;
		nr++;
	}
	shares[0] = share_of_cells(figures, memory_ns);
	shares[1] = (struct share){ noise / nr, within / nr - between / (nr - 1),
				    figures->turn_step };
	shares[2] = (struct share){ noise / nr, within / nr, figures->turn_variance };
}

/* The sum of squares of what is left, as parts of each figure. */
static double residual_of(const struct share *shares, double noise, double changes)
{
	double sum = 0;

	for (size_t i = 0; i < NR_SHARES; i++) {
		double left = noise * shares[i].noise + changes * shares[i].changes;

		if (shares[i].figure > 0)
			sum += pow(left / shares[i].figure - 1, 2);
	}
	return sum;
}

static void keep_better(struct fit *best, const struct share *shares, struct fit tried)
{
	if (!(tried.noise >= 0 && tried.changes >= 0))
		return;
	tried.residual = residual_of(shares, tried.noise, tried.changes);
	if (tried.residual < best->residual)
		*best = tried;
}

/* Sums over the figures, of what each is made of for a variance of 1, as a part of it. */
struct normal_sums {
	double nn;
	double nc;
	double cc;
	double n;
	double c;
};

static struct normal_sums normal_sums_of(const struct share *shares)
{
	struct normal_sums sums = { 0 };

	for (size_t i = 0; i < NR_SHARES; i++) {
		double noise, changes;

		if (shares[i].figure <= 0)
			continue;
		noise = shares[i].noise / shares[i].figure;
		changes = shares[i].changes / shares[i].figure;
		sums.nn += noise * noise;
		sums.nc += noise * changes;
		sums.cc += changes * changes;
		sums.n += noise;
		sums.c += changes;
	}
	return sums;
}

/* Least squares, for one @memory_ns. */
static void fit_changes(struct fit *best, const struct share *shares, double memory_ns)
{
	struct normal_sums sums = normal_sums_of(shares);

	if (sums.cc > 0)
		keep_better(best, shares,
			    (struct fit){ .changes = sums.c / sums.cc, .memory_ns = memory_ns });
}

static void fit_both(struct fit *best, const struct share *shares, double memory_ns)
{
	struct normal_sums sums = normal_sums_of(shares);
	double determinant = sums.nn * sums.cc - sums.nc * sums.nc;

	if (determinant <= 1e-12 * sums.nn * sums.cc)
		return;
	keep_better(best, shares,
		    (struct fit){ .noise = (sums.n * sums.cc - sums.c * sums.nc) / determinant,
				  .changes = (sums.c * sums.nn - sums.n * sums.nc) / determinant,
				  .memory_ns = memory_ns });
}

/*
 * Changes of a short memory are noise, too. Both are taken only where they come so much nearer that it is not chance: each figure
 * of n turns has a relative variance of about 2 / n, and by Akaike's criterion (1974) a parameter more is worth 2 of the
 * logarithm of the likelihood.
 */
static struct fit fit_process(const struct turn_process_figures *figures,
			      const struct turn_layout *layout)
{
	struct fit changes = { .memory_ns = LEAST_MEMORY * figures->cell_ns, .residual = INFINITY };
	struct share shares[NR_SHARES];
	double memory = FIRST_MEMORY;
	struct fit both = changes;

	for (int i = 0; i < NR_MEMORIES; i++) {
		double memory_ns = memory * figures->cell_ns;

		find_shares(figures, layout, memory_ns, shares);
		fit_changes(&changes, shares, memory_ns);
		fit_both(&both, shares, memory_ns);
		memory = i ? memory * MEMORY_STEP : LEAST_MEMORY;
	}
	return both.residual < changes.residual - 4 / figures->nr_turns ? both : changes;
}

/* The gaps between this turn, or the start, and the next one. */
static double gaps_from(const struct turn_layout *layout, size_t at)
{
	double ns = 0;

	for (size_t i = at; i < layout->nr && !layout->segments[i].is_turn; i++)
		ns += layout->segments[i].ns;
	return ns;
}

/*
 * How much a nanosecond of each segment counts in what happened in the gaps, less what the turns around say of it. free() it.
 */
static double *weigh_segments(const struct turn_layout *layout)
{
	double *weights = xcalloc(layout->nr, sizeof(*weights));
	double before_ns = 0;

	for (size_t i = 0; i < layout->nr; i++) {
		double after_ns;

		weights[i] = 1;
		if (!layout->segments[i].is_turn)
			continue;
		after_ns = gaps_from(layout, i + 1);
		weights[i] = -(before_ns + after_ns) / 2 / layout->segments[i].ns;
		before_ns = after_ns;
	}
	return weights;
}

static double end_of(const struct turn_segment *segment)
{
	return segment->start_ns + segment->ns;
}

/*
 * Of each segment: its own variance, and twice its covariance with all behind it. Going backwards, what is behind is one sum that is
 * forgotten with the distance.
 */
double turn_process_variance(const struct turn_process_figures *figures,
			     const struct turn_layout *layout)
{
	struct fit fit = fit_process(figures, layout);
	double *weights = weigh_segments(layout);
	double sum = 0, behind = 0, begins_ns = end_of(&layout->segments[layout->nr - 1]);

	for (size_t i = layout->nr; i-- > 0;) {
		const struct turn_segment *own = &layout->segments[i];
		double part = -expm1(-own->ns / fit.memory_ns) * fit.memory_ns * weights[i];

		behind *= exp(-(begins_ns - end_of(own)) / fit.memory_ns);
		sum += weights[i] * weights[i] *
			       (fit.changes * own_covariance(own->ns, fit.memory_ns) +
				fit.noise * figures->cell_ns * own->ns) +
		       2 * fit.changes * part * behind;
		behind = behind * exp(-own->ns / fit.memory_ns) + part;
		begins_ns = own->start_ns;
	}
	free(weights);
	return fmax(sum, 0);
}
