// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/turn_process.h"

#include <math.h>
#include <stddef.h>

/* Turns and gaps are taken for so many cells at most: longer ones have longer cells. */
#define MOST_CELLS 24
/* So many gaps, with the turns around, are looked at together. */
#define NR_GAPS 6
#define NR_WEIGHTS (NR_GAPS * 2 * MOST_CELLS + MOST_CELLS)

/* Times in cells after which changes are forgotten, as they are tried. */
#define FIRST_MEMORY 0.05
#define LEAST_MEMORY 0.3
#define MEMORY_STEP 1.35
#define NR_MEMORIES 27

struct layout {
	size_t turn; /* in cells, at least 1 */
	size_t gap;
};

/* What of a figure is due to the noise, and to the changes, where each has a variance of 1. */
struct share {
	double noise;
	double changes;
	double figure; /* that was seen */
};

#define NR_SHARES 3

struct fit {
	double noise; /* variances */
	double changes;
	double memory; /* in cells */
	double residual;
};

static double decay(double distance, double memory)
{
	return exp(-distance / memory);
}

/* The mean covariance of the cells of two turns whose starts are @distance cells apart. */
static double mean_covariance(size_t turn, double distance, double memory)
{
	double sum = 0, nr = (double)turn;

	for (size_t i = 0; i < turn; i++) {
		double pairs = nr - (double)i;

		sum += pairs * decay(fabs(distance + (double)i), memory);
		if (i)
			sum += pairs * decay(fabs(distance - (double)i), memory);
	}
	return sum / (nr * nr);
}

static void find_shares(const struct turn_process_figures *figures, struct layout layout,
			double memory, struct share *shares)
{
	double within = mean_covariance(layout.turn, 0, memory);
	double between = mean_covariance(layout.turn, (double)(layout.turn + layout.gap), memory);
	double noise = 1 / (double)layout.turn;

	shares[0] = (struct share){ 1, 1 - decay(1, memory),
				    figures->has_cell_steps ? figures->cell_step : 0 };
	shares[1] = (struct share){ noise, within - between, figures->turn_step };
	shares[2] = (struct share){ noise, within, figures->turn_variance };
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

/* Least squares, for one @memory. */
static void fit_changes(struct fit *best, const struct share *shares, double memory)
{
	struct normal_sums sums = normal_sums_of(shares);

	if (sums.cc > 0)
		keep_better(best, shares,
			    (struct fit){ .changes = sums.c / sums.cc, .memory = memory });
}

static void fit_both(struct fit *best, const struct share *shares, double memory)
{
	struct normal_sums sums = normal_sums_of(shares);
	double determinant = sums.nn * sums.cc - sums.nc * sums.nc;

	if (determinant <= 1e-12 * sums.nn * sums.cc)
		return;
	keep_better(best, shares,
		    (struct fit){ .noise = (sums.n * sums.cc - sums.c * sums.nc) / determinant,
				  .changes = (sums.c * sums.nn - sums.n * sums.nc) / determinant,
				  .memory = memory });
}

/*
 * Changes of a short memory are noise, too. Both are taken only where they come so much nearer that it is not chance: each figure
 * of n turns has a relative variance of about 2 / n, and by Akaike's criterion (1974) a parameter more is worth 2 of the
 * logarithm of the likelihood.
 */
static struct fit fit_process(const struct turn_process_figures *figures, struct layout layout)
{
	struct fit changes = { .memory = LEAST_MEMORY, .residual = INFINITY }, both = changes;
	struct share shares[NR_SHARES];
	double memory = FIRST_MEMORY;

	for (int i = 0; i < NR_MEMORIES; i++) {
		find_shares(figures, layout, memory, shares);
		fit_changes(&changes, shares, memory);
		fit_both(&both, shares, memory);
		memory = i ? memory * MEMORY_STEP : LEAST_MEMORY;
	}
	return both.residual < changes.residual - 4 / figures->nr_turns ? both : changes;
}

/* How much each cell counts in what happened in NR_GAPS gaps, less what the turns around say. Returns how many cells there are. */
static size_t weigh_cells(struct layout layout, double *weights)
{
	size_t nr = 0;

	for (size_t turn = 0; turn <= NR_GAPS; turn++) {
		bool is_outer = !turn || turn == NR_GAPS;
		double gaps = (double)layout.gap * (is_outer ? 0.5 : 1);

		for (size_t i = 0; i < layout.turn; i++)
			weights[nr++] = -gaps / (double)layout.turn;
		for (size_t i = 0; i < layout.gap && turn < NR_GAPS; i++)
			weights[nr++] = 1;
	}
	return nr;
}

/* Of one gap, in cells. */
static double gap_variance(const struct fit *fit, struct layout layout)
{
	double weights[NR_WEIGHTS], sum = 0;
	size_t nr = weigh_cells(layout, weights);

	for (size_t distance = 0; distance < nr; distance++) {
		double covariance = fit->changes * decay((double)distance, fit->memory);
		double products = 0;

		for (size_t i = distance; i < nr; i++)
			products += weights[i] * weights[i - distance];
		if (!distance)
			covariance += fit->noise;
		sum += (distance ? 2 : 1) * products * covariance;
	}
	return sum > 0 ? sum / NR_GAPS : 0;
}

static size_t whole_cells(double ns, double cell_ns)
{
	double nr = round(ns / cell_ns);

	return nr < 1 ? 1 : (size_t)fmin(nr, MOST_CELLS);
}

double turn_process_variance(const struct turn_process_figures *figures)
{
	double longest_ns = fmax(figures->turn_ns, figures->gap_ns);
	double cell_ns = fmax(figures->cell_ns, longest_ns / MOST_CELLS);
	struct layout layout = {
		whole_cells(figures->turn_ns, cell_ns),
		whole_cells(figures->gap_ns, cell_ns),
	};
	struct fit fit = fit_process(figures, layout);

	/* The layout is of whole cells; the gaps are not. */
	return gap_variance(&fit, layout) * cell_ns * cell_ns * figures->gap_ns /
	       ((double)layout.gap * cell_ns);
}
