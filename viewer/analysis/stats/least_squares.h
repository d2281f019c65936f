/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Least squares: what y has for each of a few quantities x, if y = b1 x1 + b2 x2 + ... but for noise; without a
 * constant.
 */
#ifndef ANNOT_LEAST_SQUARES_H
#define ANNOT_LEAST_SQUARES_H

#include <stdbool.h>
#include <stddef.h>

#define LEAST_SQUARES_MOST 3

/* All 0 but nr_terms: empty. */
struct least_squares {
	size_t nr_terms; /* at most LEAST_SQUARES_MOST */
	size_t nr;
	double xx[LEAST_SQUARES_MOST][LEAST_SQUARES_MOST]; /* sums of products */
	double xy[LEAST_SQUARES_MOST];
	double yy;
};

/* A coefficient, and its standard error. */
struct least_squares_term {
	double value;
	double error;
};

/* @x has nr_terms numbers. */
void least_squares_add(struct least_squares *sums, const double *x, double y);

/* Adds the points of @more, which has as many terms; @sums may be all 0. */
void least_squares_merge(struct least_squares *sums, const struct least_squares *more);

/*
 * Fills in nr_terms of @terms. False: there are no more points than terms, or a term is always 0, or as good as a multiple
 * of others.
 */
bool least_squares_solve(const struct least_squares *sums, struct least_squares_term *terms);

#endif /* ANNOT_LEAST_SQUARES_H */
