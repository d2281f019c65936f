/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Computes the sorted order of a table's rows; table_copy.h applies it.
 */
#ifndef ANNOT_MODEL_PERMUTATION_H
#define ANNOT_MODEL_PERMUTATION_H

#include <stddef.h>
#include <stdint.h>

/* A row and its sort key. */
struct place {
	uint64_t key;
	size_t row;
};

/* Sorts by key; among equal keys, by row. */
void permutation_sort(struct place *places, size_t nr);

/* Returns the rows in the order of their @keys; spill_free() it. */
size_t *permutation_by(const uint64_t *keys, size_t nr);

#endif /* ANNOT_MODEL_PERMUTATION_H */
