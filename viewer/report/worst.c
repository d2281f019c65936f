// SPDX-License-Identifier: GPL-2.0
#include "report/worst.h"

#include <stdlib.h>

static int compare_badness(const void *a, const void *b)
{
	const struct badness *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

static int compare_rows(const void *a, const void *b)
{
	const struct badness *first = a, *second = b;

	return first->row < second->row ? -1 : first->row > second->row;
}

void sort_worst(struct badness *rows, size_t nr)
{
	if (nr)
		qsort(rows, nr, sizeof(*rows), compare_badness);
}

size_t keep_worst(struct badness *rows, size_t nr)
{
	if (nr <= MOST_ROWS)
		return nr;
	sort_worst(rows, nr);
	qsort(rows, MOST_ROWS, sizeof(*rows), compare_rows);
	return MOST_ROWS;
}
