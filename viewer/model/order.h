/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Putting the rows of a column table in order.
 */
#ifndef ANNOT_MODEL_ORDER_H
#define ANNOT_MODEL_ORDER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "util/xalloc.h"

/* A row on its way to its place. */
struct place {
	uint64_t key;
	size_t row;
};

/* By their keys; of equal ones, the lower row goes first. */
void places_sort(struct place *places, size_t nr);

/* One place for each of the @nr @keys, sorted. free() it. */
struct place *places_by(const uint64_t *keys, size_t nr);

/* Moves the rows of @array, one of the table's, to their places. */
#define PERMUTE(places, nr, array)                                          \
	do {                                                                \
		__typeof__(array) moved_ = xcalloc((nr), sizeof(*(array))); \
		for (size_t i_ = 0; i_ < (nr); i_++)                        \
			moved_[i_] = (array)[(places)[i_].row];             \
		free(array);                                                \
		(array) = moved_;                                           \
	} while (0)

#endif /* ANNOT_MODEL_ORDER_H */
