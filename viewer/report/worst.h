/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lists in JSON are bounded: of more rows than MOST_ROWS, only the worst are told.
 */
#ifndef ANNOT_WORST_H
#define ANNOT_WORST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_ROWS 1000

struct badness {
	uint64_t ns; /* the more, the worse */
	size_t row;
};

/* Keeps the worst MOST_ROWS of @rows, in order of their rows. Returns how many are kept. */
size_t keep_worst(struct badness *rows, size_t nr);

/* The worst first. */
void sort_worst(struct badness *rows, size_t nr);

#endif /* ANNOT_WORST_H */
