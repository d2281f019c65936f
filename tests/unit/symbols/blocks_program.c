// SPDX-License-Identifier: GPL-2.0
/*
 * Allocates memory in the ways that C programs do, and says what stands in it: see blocks_tell.h. Nothing is freed, so that no address
 * comes twice.
 */
#include <stdlib.h>

#include "blocks_tell.h"

#define CASE static __attribute__((noinline)) void
#define NR 12

/* Whether variables are in registers: not without optimisation. */
#ifdef PLAIN
#define HAS_REGISTERS 0
#else
#define HAS_REGISTERS 1
#endif

struct cell {
	double x, y;
	short marks[8];
	struct {
		int hits;
	} inner;
};

struct grid {
	struct cell *cells;
	long nr;
};

static volatile size_t nr = NR; /* which no compiler knows */

CASE array(void)
{
	struct cell *cells = malloc(nr * sizeof(*cells));

	ELEMENT(cells, [0].x);
	ELEMENT(cells, [3].y);
	ELEMENT(cells, [11].marks[7]);
	ELEMENT(cells, [4].inner.hits);
}

CASE zeroed(void)
{
	struct cell *cells = calloc(nr, sizeof(*cells));

	ELEMENT(cells, [2].y);
}

CASE grown(void)
{
	struct cell *cells = malloc(sizeof(*cells));

	MEMBER(cells, y);
	cells = realloc(cells, nr * sizeof(*cells));
	if (HAS_REGISTERS)
		ELEMENT(cells, [9].x);
	else
		tell_offset(cells, 9 * sizeof(*cells));
}

CASE single(void)
{
	struct grid *grid = malloc(sizeof(*grid));

	MEMBER(grid, cells);
	MEMBER(grid, nr);
}

CASE numbers(void)
{
	double *numbers = malloc(nr * sizeof(*numbers));

	ELEMENT(numbers, [5]);
}

/* No variable has the pointer. */
CASE stored(struct grid *grid)
{
	grid->cells = malloc(nr * sizeof(*grid->cells));
	grid->nr = (long)nr;
	tell_offset(grid->cells, 8);
}

/* Nor is it known what is in these. */
CASE bytes(void)
{
	char *text = malloc(nr * 8);
	void *memory = malloc(nr * 8);

	tell_offset(text, 16);
	tell_offset(memory, 24);
}

/* That is no number of cells. */
CASE odd(void)
{
	struct cell *cells = malloc(nr * sizeof(*cells) + 4);

	tell_offset(cells, 8);
}

/* Two calls in one line, of one type. */
CASE alike(void)
{
	struct cell *one = malloc(sizeof(*one)), *other = malloc(sizeof(*other));

	MEMBER(one, y);
	MEMBER(other, x);
}

/* Of two types. */
struct two {
	long a, b;
};

struct four {
	int c, d, e, f;
};

#define BOTH(first, second) \
	first;              \
	second

CASE unlike(void)
{
	BOTH(struct two *one = malloc(sizeof(*one)), struct four *other = malloc(sizeof(*other)));

	tell_offset(one, 8);
	tell_offset(other, 4);
}

int main(void)
{
	struct grid grid;

	tell_maps();
	array();
	zeroed();
	grown();
	single();
	numbers();
	stored(&grid);
	bytes();
	odd();
	alike();
	unlike();
	return 0;
}
