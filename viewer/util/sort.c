// SPDX-License-Identifier: GPL-2.0
#include "util/sort.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define DIGIT_BITS 11
#define NR_DIGIT_VALUES (1u << DIGIT_BITS)
#define NR_DIGITS ((64 + DIGIT_BITS - 1) / DIGIT_BITS)
/* Fewer numbers are sorted sooner than all counts are cleared. */
#define FEW 1000

/* Rows have @words numbers, of which the first is the key. Callers pass a constant, so it costs nothing. */
#define INLINED static inline __attribute__((always_inline))

INLINED size_t digit_of(const uint64_t *row, int digit)
{
	return *row >> (digit * DIGIT_BITS) & (NR_DIGIT_VALUES - 1);
}

INLINED void count_digits(size_t counts[NR_DIGITS][NR_DIGIT_VALUES], const uint64_t *rows,
			  size_t nr, size_t words)
{
	for (size_t i = 0; i < nr; i++) {
		for (int digit = 0; digit < NR_DIGITS; digit++)
			counts[digit][digit_of(&rows[i * words], digit)]++;
	}
}

/* Into the order of one digit, which @counts is of. */
INLINED void move_rows(uint64_t *to, const uint64_t *from, size_t nr, size_t words, int digit,
		       size_t *counts)
{
	size_t at = 0;

	for (size_t value = 0; value < NR_DIGIT_VALUES; value++) {
		size_t count = counts[value];

		counts[value] = at;
		at += count;
	}
	for (size_t i = 0; i < nr; i++)
		memcpy(&to[counts[digit_of(&from[i * words], digit)]++ * words], &from[i * words],
		       words * sizeof(*to));
}

INLINED void sort_rows(uint64_t *rows, size_t nr, size_t words)
{
	size_t(*counts)[NR_DIGIT_VALUES] = xcalloc(NR_DIGITS, sizeof(*counts));
	uint64_t *other = xcalloc(nr * words + 1, sizeof(*other)), *from = rows, *to = other;

	count_digits(counts, rows, nr, words);
	for (int digit = 0; nr && digit < NR_DIGITS; digit++) {
		uint64_t *moved = from;

		/* They do not differ in it. */
		if (counts[digit][digit_of(from, digit)] == nr)
			continue;
		move_rows(to, from, nr, words, digit, counts[digit]);
		from = to;
		to = moved;
	}
	if (from != rows)
		memcpy(rows, from, nr * words * sizeof(*rows));
	free(other);
	free(counts);
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

void sort_u64(uint64_t *values, size_t nr)
{
	if (nr > FEW)
		sort_rows(values, nr, 1);
	else if (nr)
		qsort(values, nr, sizeof(*values), compare);
}

void sort_pairs(struct sort_pair *pairs, size_t nr)
{
	_Static_assert(sizeof(*pairs) == 2 * sizeof(uint64_t), "a pair is two numbers");
	sort_rows((uint64_t *)pairs, nr, 2);
}
