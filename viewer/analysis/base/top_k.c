// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/top_k.h"

#include <stdbool.h>
#include <stdlib.h>

/* Of two that are equally bad, the later is left out rather. */
static bool is_worse(const struct top_k_row *a, const struct top_k_row *b)
{
	return a->ns != b->ns ? a->ns > b->ns : a->row < b->row;
}

/*
 * A heap with the least bad row on top. The row at @i is less bad than those at 2 @i + 1 and 2 @i + 2.
 * Moves @row up from the free place @at to where it belongs.
 */
static void move_up(struct top_k_row *rows, size_t at, struct top_k_row row)
{
	while (at && is_worse(&rows[(at - 1) / 2], &row)) {
		rows[at] = rows[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	rows[at] = row;
}

/* The same downwards, from the top. */
static void move_down(struct top_k_row *rows, size_t nr, struct top_k_row row)
{
	size_t at = 0, child;

	while ((child = 2 * at + 1) < nr) {
		if (child + 1 < nr && is_worse(&rows[child], &rows[child + 1]))
			child++;
		if (is_worse(&rows[child], &row))
			break;
		rows[at] = rows[child];
		at = child;
	}
	rows[at] = row;
}

void top_k_add(struct top_k *worst, uint64_t ns, size_t row)
{
	struct top_k_row next = { ns, row };

	if (worst->nr < TOP_K_MAX)
		move_up(worst->rows, worst->nr++, next);
	else if (is_worse(&next, &worst->rows[0]))
		move_down(worst->rows, worst->nr, next);
}

static int compare_rows(const void *a, const void *b)
{
	const struct top_k_row *first = a, *second = b;

	return first->row < second->row ? -1 : first->row > second->row;
}

void top_k_sort(struct top_k *worst)
{
	if (worst->nr)
		qsort(worst->rows, worst->nr, sizeof(*worst->rows), compare_rows);
}

static int compare_badness(const void *a, const void *b)
{
	return is_worse(a, b) ? -1 : is_worse(b, a);
}

void top_k_rank(struct top_k *worst)
{
	if (worst->nr)
		qsort(worst->rows, worst->nr, sizeof(*worst->rows), compare_badness);
}
