/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists in JSON are bounded: of more rows than MOST_ROWS, only the worst are told.
 */
#ifndef ANNOT_WORST_H
#define ANNOT_WORST_H

#include <stddef.h>
#include <stdint.h>

#define MOST_ROWS 1000

struct badness {
	uint64_t ns; /* the more, the worse */
	size_t row;
};

/* Begins empty: all zero. */
struct worst_rows {
	size_t nr;
	struct badness rows[MOST_ROWS];
};

/* Keeps the row, if it is one of the worst so far. Cost: O(log MOST_ROWS), of most rows less. */
void worst_rows_add(struct worst_rows *worst, uint64_t ns, size_t row);

/* Behind the last: puts them in order of their rows. */
void worst_rows_sort(struct worst_rows *worst);

/* Or: the worst first. */
void worst_rows_rank(struct worst_rows *worst);

#endif /* ANNOT_WORST_H */
