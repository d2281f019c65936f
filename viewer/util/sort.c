// SPDX-License-Identifier: GPL-2.0
#include "util/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/spill/spill.h"
#include "util/xalloc.h"

#define DIGIT_BITS 11
#define NR_DIGIT_VALUES (1u << DIGIT_BITS)
/* Fewer numbers are sorted sooner than all counts are cleared. */
#define FEW 1000
/* What is sorted often is not much: it would cost more to have a part of a file for it than to sort it. */
#define LITTLE_BYTES ((size_t)128 << 10)

/* Rows have @words numbers, of which the first is the key. Callers pass a constant, so it costs
 * nothing. */
#define INLINED static inline __attribute__((always_inline))

INLINED size_t digit_of(const uint64_t *row, unsigned int shift)
{
	return *row >> shift & (NR_DIGIT_VALUES - 1);
}

/* The bits in which rows differ. */
INLINED uint64_t differing_bits(const uint64_t *rows, size_t nr, size_t words)
{
	uint64_t bits = 0;

	for (size_t i = 1; i < nr; i++)
		bits |= rows[i * words] ^ rows[0];
	return bits;
}

/* Where the first row with each value of the digit goes. */
INLINED void find_places(size_t places[NR_DIGIT_VALUES], const uint64_t *rows, size_t nr,
			 size_t words, unsigned int shift)
{
	size_t at = 0;

	memset(places, 0, NR_DIGIT_VALUES * sizeof(*places));
	for (size_t i = 0; i < nr; i++)
		places[digit_of(&rows[i * words], shift)]++;
	for (size_t value = 0; value < NR_DIGIT_VALUES; value++) {
		size_t count = places[value];

		places[value] = at;
		at += count;
	}
}

/* Into the order of one digit. */
INLINED void move_rows(uint64_t *to, const uint64_t *from, size_t nr, size_t words,
		       unsigned int shift)
{
	size_t places[NR_DIGIT_VALUES];

	find_places(places, from, nr, words, shift);
	for (size_t i = 0; i < nr; i++)
		memcpy(&to[places[digit_of(&from[i * words], shift)]++ * words], &from[i * words],
		       words * sizeof(*to));
}

/* @other has room for as many rows. */
INLINED void sort_rows_by(uint64_t *rows, uint64_t *other, size_t nr, size_t words,
			  unsigned int first_bit)
{
	uint64_t *from = rows, *to = other;
	uint64_t bits = nr ? differing_bits(rows, nr, words) : 0;

	for (unsigned int shift = first_bit; shift < 64; shift += DIGIT_BITS) {
		uint64_t *moved = from;

		if (!digit_of(&bits, shift))
			continue;
		move_rows(to, from, nr, words, shift);
		from = to;
		to = moved;
	}
	if (from != rows)
		memcpy(rows, from, nr * words * sizeof(*rows));
}

INLINED void sort_rows(uint64_t *rows, size_t nr, size_t words, unsigned int first_bit)
{
	size_t nr_numbers = nr * words + 1;
	bool is_little = nr_numbers <= LITTLE_BYTES / sizeof(uint64_t);
	uint64_t *other = is_little ? xrealloc_array(NULL, nr_numbers, sizeof(*other)) :
				      spill_resize(NULL, 0, nr_numbers, sizeof(*other));

	sort_rows_by(rows, other, nr, words, first_bit);
	if (is_little)
		free(other);
	else
		spill_free(other);
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

void sort_u64(uint64_t *values, size_t nr)
{
	sort_u64_from_bit(values, nr, 0);
}

void sort_u64_from_bit(uint64_t *values, size_t nr, unsigned int first_bit)
{
	if (nr > FEW)
		sort_rows(values, nr, 1, first_bit);
	else if (nr)
		qsort(values, nr, sizeof(*values), compare);
}

void sort_pairs(struct sort_pair *pairs, size_t nr)
{
	_Static_assert(sizeof(*pairs) == 2 * sizeof(uint64_t), "a pair is two numbers");
	sort_rows((uint64_t *)pairs, nr, 2, 0);
}
