// SPDX-License-Identifier: GPL-2.0
/*
 * Arrays of structures of which a few fields are accessed: says the array, the element's size, and size and address of the field of each
 * access, as `array NAME ELEMENT_BYTES FIELD_BYTES ADDRESS`, beside what fields_tell.h says.
 */
#include "fields_tell.h"

#define NR 400
#define ACCESS(array, field) ACCESS_WITHIN(array, field, 0)
#define ACCESS_WITHIN(array, field, offset) \
	access_to(#array, sizeof((array)[0]), sizeof(field), &(field), offset)

/* One field of a whole line. */
static struct wide {
	long x;
	char rest[56];
} wides[NR] __attribute__((aligned(64)));

/* Two of four, in half a line. */
static struct {
	long a, b, c, d;
} fours[NR] __attribute__((aligned(64)));

/* Elements begin at another place in each line; the array does not begin with one. */
static struct odd {
	double x;
	char rest[40];
} odds[NR] __attribute__((aligned(64)));

/* Two fields, far apart: lines between them are not fetched. */
static struct {
	int head;
	char body[208];
	int tail;
} longs[NR] __attribute__((aligned(64)));

/* All of it. */
static struct {
	float x, y;
} points[NR] __attribute__((aligned(64)));

/* Within a variable, and with an array in each. */
static struct {
	long count;
	struct cell {
		short marks[8];
		char rest[112];
	} cells[NR];
} grid __attribute__((aligned(64)));

/* No structures. */
static long numbers[NR];

/* Too few to say anything. */
static struct wide few[NR];

static void access_to(const char *array, size_t element_bytes, size_t field_bytes,
		      const volatile void *address, size_t offset)
{
	printf("array %s %zu %zu 0x%lx\n", array, element_bytes, field_bytes,
	       (unsigned long)address);
	tell(array, address, offset);
}

int main(void)
{
	tell_maps();
	for (int i = 0; i < NR; i++) {
		ACCESS(wides, wides[i].x);
		ACCESS(fours, fours[i].a);
		if (i % 4 == 0)
			ACCESS(fours, fours[i].c);
		if (i > 0)
			ACCESS(odds, odds[i].x);
		ACCESS(longs, longs[i].head);
		ACCESS_WITHIN(longs, longs[i].tail, (size_t)i % 4);
		ACCESS(points, points[i].x);
		ACCESS(points, points[i].y);
		ACCESS(grid.cells, grid.cells[i].marks[i % 4]);
		tell("numbers", &numbers[i], 0);
		if (i < 99)
			ACCESS(few, few[i].x);
	}
	return 0;
}
