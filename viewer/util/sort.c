// SPDX-License-Identifier: GPL-2.0
#include "util/sort.h"

#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

#define DIGIT_BITS 11
#define NR_DIGIT_VALUES (1u << DIGIT_BITS)
#define NR_DIGITS ((64 + DIGIT_BITS - 1) / DIGIT_BITS)

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return first < second ? -1 : first > second;
}

void sort_u64(uint64_t *values, size_t nr)
{
	if (nr)
		qsort(values, nr, sizeof(*values), compare);
}

static size_t digit_of(const struct sort_pair *pair, int digit)
{
	return pair->key >> (digit * DIGIT_BITS) & (NR_DIGIT_VALUES - 1);
}

static void count_digits(size_t counts[NR_DIGITS][NR_DIGIT_VALUES], const struct sort_pair *pairs,
			 size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		for (int digit = 0; digit < NR_DIGITS; digit++)
			counts[digit][digit_of(&pairs[i], digit)]++;
	}
}

/* Into the order of one digit, which @counts is of. */
static void move_pairs(struct sort_pair *to, const struct sort_pair *from, size_t nr, int digit,
		       size_t *counts)
{
	size_t at = 0;

	for (size_t value = 0; value < NR_DIGIT_VALUES; value++) {
		size_t count = counts[value];

		counts[value] = at;
		at += count;
	}
	for (size_t i = 0; i < nr; i++)
		to[counts[digit_of(&from[i], digit)]++] = from[i];
}

void sort_pairs(struct sort_pair *pairs, size_t nr)
{
	size_t(*counts)[NR_DIGIT_VALUES] = xcalloc(NR_DIGITS, sizeof(*counts));
	struct sort_pair *other = xcalloc(nr + 1, sizeof(*other)), *from = pairs, *to = other;

	count_digits(counts, pairs, nr);
	for (int digit = 0; nr && digit < NR_DIGITS; digit++) {
		struct sort_pair *moved = from;

		/* They do not differ in it. */
		if (counts[digit][digit_of(from, digit)] == nr)
			continue;
		move_pairs(to, from, nr, digit, counts[digit]);
		from = to;
		to = moved;
	}
	if (from != pairs)
		memcpy(pairs, from, nr * sizeof(*pairs));
	free(other);
	free(counts);
}
