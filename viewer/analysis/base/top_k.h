/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists in JSON are bounded: of more rows than TOP_K_MAX, only the worst are told.
 */
#ifndef ANNOT_TOP_K_H
#define ANNOT_TOP_K_H

#include <stddef.h>
#include <stdint.h>

#define TOP_K_MAX 1000

struct top_k_row {
	uint64_t ns; /* the more, the worse */
	size_t row;
};

/* Begins empty: all zero. */
struct top_k {
	size_t nr;
	struct top_k_row rows[TOP_K_MAX];
};

/* Keeps the row, if it is one of the worst so far. Cost: O(log TOP_K_MAX), of most rows less. */
void top_k_add(struct top_k *worst, uint64_t ns, size_t row);

/* Behind the last: puts them in order of their rows. */
void top_k_sort(struct top_k *worst);

/* Or: the worst first. */
void top_k_rank(struct top_k *worst);

#endif /* ANNOT_TOP_K_H */
