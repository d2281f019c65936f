// SPDX-License-Identifier: GPL-2.0
/*
 * Allocates memory in the ways that C programs do, and says what stands in it: see blocks_tell.h. Nothing is freed, so that no address
 * comes twice.
 */
#include <stdlib.h>

#include "blocks_tell.h"

#define CASE static __attribute__((noinline)) void
#define NR 12

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

	ELEMENT_OR_OFFSET(cells, [0].x);
	ELEMENT_OR_OFFSET(cells, [3].y);
	ELEMENT_OR_OFFSET(cells, [11].marks[7]);
	ELEMENT_OR_OFFSET(cells, [4].inner.hits);
}

CASE zeroed(void)
{
	struct cell *cells = calloc(nr, sizeof(*cells));

	ELEMENT_OR_OFFSET(cells, [2].y);
}

CASE grown(void)
{
	struct cell *cells = malloc(sizeof(*cells));

	MEMBER_OR_OFFSET(cells, y);
	cells = realloc(cells, nr * sizeof(*cells));
	ELEMENT_OR_OFFSET(cells, [9].x);
}

CASE single(void)
{
	struct grid *grid = malloc(sizeof(*grid));

	MEMBER_OR_OFFSET(grid, cells);
	MEMBER_OR_OFFSET(grid, nr);
}

CASE numbers(void)
{
	double *numbers = malloc(nr * sizeof(*numbers));

	ELEMENT_OR_OFFSET(numbers, [5]);
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

/* Two calls in one line. */
struct two {
	long a, b;
};

struct four {
	int c, d, e, f;
};

#define BOTH(first, second) \
	first;              \
	second

CASE both(void)
{
	BOTH(struct two *one = malloc(sizeof(*one)), struct four *other = malloc(sizeof(*other)));

	tell_offset(one, 8);
	tell_offset(other, 4);
}

/* The pointer is what another function makes of it. */
static void *behind_64(void *memory)
{
	return (char *)memory + 64;
}

static void *(*volatile behind)(void *memory) = behind_64; /* so that compilers do not know it */

CASE passed_on(void)
{
	struct two *one = behind(malloc(64 + sizeof(*one)));

	tell_offset((char *)one - 64, 64 + 8);
}

#ifndef NO_INLINED

/* One that the compiler puts into its callers. */
static inline __attribute__((always_inline)) void *allocate_or_end(size_t bytes)
{
	void *memory = malloc(bytes);

	if (!memory)
		exit(1);
	return memory;
}

CASE by_function(void)
{
	struct four *one = allocate_or_end(sizeof(*one));

	MEMBER_OR_OFFSET(one, e);
}

#endif

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
	both();
	passed_on();
#ifndef NO_INLINED
	by_function();
#endif
	return 0;
}
