/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How many values lie in which of 3776 ranges, each at most 1/64 as wide as its values are large: so the nth one of many
 * is found by looking at few, and all stay where they are. A file of many values is only read.
 */
#ifndef ANNOT_VALUE_COUNTS_H
#define ANNOT_VALUE_COUNTS_H

#include <stddef.h>
#include <stdint.h>

#define VALUE_COUNTS_BITS 6
#define VALUE_COUNTS_RANGES ((64 - VALUE_COUNTS_BITS + 1) << VALUE_COUNTS_BITS)

/* Zero-initialise. */
struct value_counts {
	uint64_t counts[VALUE_COUNTS_RANGES];
};

/* Below 64, a range has one value; above, each power of two has 64 ranges. */
static inline size_t value_counts_range(uint64_t value)
{
	unsigned int above;

	if (value < 1u << VALUE_COUNTS_BITS)
		return (size_t)value;
	above = 63 - VALUE_COUNTS_BITS - (unsigned int)__builtin_clzll(value);
	return ((size_t)above << VALUE_COUNTS_BITS) + (size_t)(value >> above);
}

static inline void value_counts_add(struct value_counts *counts, uint64_t value)
{
	counts->counts[value_counts_range(value)]++;
}

/* The values of @more are counted in @counts, too. */
void value_counts_merge(struct value_counts *counts, const struct value_counts *more);

/* The value at place @nth, from 0, if the @nr @values were sorted: those that are counted in @counts. */
uint64_t value_counts_nth(const struct value_counts *counts, const uint64_t *values, size_t nr,
			  size_t nth);

#endif /* ANNOT_VALUE_COUNTS_H */
