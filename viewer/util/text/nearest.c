// SPDX-License-Identifier: GPL-2.0
#include "util/text/nearest.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define LONGEST_WORD 32

static size_t lesser_of(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * How many letters must be put in, left out, changed, or swapped with their neighbour to make one
 * word of the other. Words longer than LONGEST_WORD are compared by their beginning.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t distance[LONGEST_WORD + 1][LONGEST_WORD + 1];
	size_t a_length = strnlen(a, LONGEST_WORD);
	size_t b_length = strnlen(b, LONGEST_WORD);

	for (size_t i = 0; i <= a_length; i++)
		distance[i][0] = i;
	for (size_t j = 0; j <= b_length; j++)
		distance[0][j] = j;
	for (size_t i = 1; i <= a_length; i++) {
		for (size_t j = 1; j <= b_length; j++) {
			bool same = a[i - 1] == b[j - 1];
			bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] &&
				       a[i - 2] == b[j - 1];
			size_t best = distance[i - 1][j - 1] + !same;

			best = lesser_of(best, distance[i - 1][j] + 1);
			best = lesser_of(best, distance[i][j - 1] + 1);
			if (swapped)
				best = lesser_of(best, distance[i - 2][j - 2] + 1);
			distance[i][j] = best;
		}
	}
	return distance[a_length][b_length];
}

const char *nearest_word(const char *typed, const char *const *words)
{
	const char *nearest = NULL;
	size_t nearest_distance = 3;

	for (; *words; words++) {
		size_t distance = edit_distance(typed, *words);

		/* Half of the letters may not be wrong: "x" is no misspelling of "-o". */
		if (distance < nearest_distance && 2 * distance < strlen(*words)) {
			nearest = *words;
			nearest_distance = distance;
		}
	}
	return nearest;
}
