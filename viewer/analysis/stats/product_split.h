/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which part of the difference of two products is due to which factor, without a rest:
 *	part of factor x = L(t1, t0) ln(x1 / x0), where L(a, b) = (a - b) / (ln a - ln b)
 * of t = x y z (Ang, Liu: A new energy decomposition method: perfect in decomposition and consistent in aggregation,
 * Energy 26, 2001).
 */
#ifndef ANNOT_PRODUCT_SPLIT_H
#define ANNOT_PRODUCT_SPLIT_H

#include <stddef.h>

/* Of @nr factors, all greater than 0: @parts add up to the product of @to less that of @from. */
void product_split(const double *from, const double *to, size_t nr, double *parts);

#endif /* ANNOT_PRODUCT_SPLIT_H */
