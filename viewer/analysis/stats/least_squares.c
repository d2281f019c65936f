// SPDX-License-Identifier: GPL-2.0
#include "analysis/stats/least_squares.h"

#include <math.h>

#define LEAST_PIVOT 1e-9 /* of terms that are scaled to squares of 1 */

void least_squares_add(struct least_squares *sums, const double *x, double y)
{
	for (size_t i = 0; i < sums->nr_terms; i++) {
		for (size_t j = 0; j < sums->nr_terms; j++)
			sums->xx[i][j] += x[i] * x[j];
		sums->xy[i] += x[i] * y;
	}
	sums->yy += y * y;
	sums->nr++;
}

void least_squares_merge(struct least_squares *sums, const struct least_squares *more)
{
	sums->nr_terms = more->nr_terms;
	for (size_t i = 0; i < more->nr_terms; i++) {
		for (size_t j = 0; j < more->nr_terms; j++)
			sums->xx[i][j] += more->xx[i][j];
		sums->xy[i] += more->xy[i];
	}
	sums->yy += more->yy;
	sums->nr += more->nr;
}

/* A row of the matrix and its inverse, side by side. */
struct row {
	double of[2 * LEAST_SQUARES_MOST];
};

/* By Gauss and Jordan; without pivoting, which a positive definite matrix does not need. */
static bool invert(struct row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		double pivot = rows[i].of[i];

		if (!(pivot > LEAST_PIVOT))
			return false;
		for (size_t k = 0; k < 2 * nr; k++)
			rows[i].of[k] /= pivot;
		for (size_t j = 0; j < nr; j++) {
			double factor = rows[j].of[i];

			for (size_t k = 0; j != i && k < 2 * nr; k++)
				rows[j].of[k] -= factor * rows[i].of[k];
		}
	}
	return true;
}

bool least_squares_solve(const struct least_squares *sums, struct least_squares_term *terms)
{
	size_t nr = sums->nr_terms;
	struct row rows[LEAST_SQUARES_MOST] = { 0 };
	double scale[LEAST_SQUARES_MOST], rest = sums->yy;

	if (sums->nr <= nr)
		return false;
	for (size_t i = 0; i < nr; i++) {
		if (!(sums->xx[i][i] > 0))
			return false;
		scale[i] = 1 / sqrt(sums->xx[i][i]);
	}
	for (size_t i = 0; i < nr; i++) {
		for (size_t j = 0; j < nr; j++)
			rows[i].of[j] = sums->xx[i][j] * scale[i] * scale[j];
		rows[i].of[nr + i] = 1;
	}
	if (!invert(rows, nr))
		return false;
	for (size_t i = 0; i < nr; i++) {
		terms[i].value = 0;
		for (size_t j = 0; j < nr; j++)
			terms[i].value += rows[i].of[nr + j] * scale[i] * scale[j] * sums->xy[j];
		rest -= terms[i].value * sums->xy[i];
	}
	rest = fmax(rest, 0) / (double)(sums->nr - nr);
	for (size_t i = 0; i < nr; i++)
		terms[i].error = sqrt(rest * rows[i].of[nr + i]) * scale[i];
	return true;
}
