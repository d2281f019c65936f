/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Finding the order of a table's rows; table_copy.h moves them into it.
 */
#ifndef ANNOT_MODEL_PERMUTATION_H
#define ANNOT_MODEL_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

/* A row on its way to its place. */
struct place {
	uint64_t key;
	size_t row;
};

/* By their keys; of equal ones, the lower row goes first. */
void permutation_sort(struct place *places, size_t nr);

/* The row of each place when the @nr rows are sorted by their @keys. free() it. */
size_t *permutation_by(const uint64_t *keys, size_t nr);

#endif /* ANNOT_MODEL_PERMUTATION_H */
