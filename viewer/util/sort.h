/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sorting of numbers.
 */
#ifndef ANNOT_UTIL_SORT_H
#define ANNOT_UTIL_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Ascending. */
void sort_u64(uint64_t *values, size_t nr);

#endif /* ANNOT_UTIL_SORT_H */
