// SPDX-License-Identifier: GPL-2.0
/*
 * Variables of all sorts of types, and where their fields are.
 */
#include <stdint.h>

#include "fields_tell.h"

struct counter {
	uint64_t hits;
	uint32_t misses;
	/* 4 bytes of padding */
};

typedef volatile struct counter shared_counter;
typedef shared_counter shared_counters[8];

struct point {
	char kind;
	/* 1 byte of padding */
	int16_t flags;
	/* 4 bytes of padding */
	double x, y;
};

struct cell {
	struct point at;
	float weights[2][3];
	union {
		int64_t whole;
		char bytes[12];
		struct {
			int32_t low, high;
		} halves;
	} value;
	struct cell *next;
};

struct bits {
	unsigned int first : 3;
	unsigned int second : 5;
	unsigned int third : 24;
	unsigned int fourth : 12;
	unsigned char last;
};

struct anonymous {
	int before;
	union {
		struct {
			char small;
			/* 7 bytes of padding */
			int64_t large;
		};
		int64_t numbers[3];
	};
	int after;
};

struct growing {
	int nr;
	int numbers[];
};

struct none {
};

struct with_none {
	struct none none;
	int gone[0];
	int there;
};

struct entry {
	uint64_t key, value;
};

enum colour {
	RED,
	GREEN
};

struct point point;
shared_counters counters __attribute__((aligned(64)));
shared_counter last[2];
static struct {
	const struct cell cells[20];
	enum colour colour;
	void (*call)(void);
	const char *const names[3];
} grid;
int matrix[3][4][5];
typedef int row[4];
row rows[6];
uint64_t total;
const volatile long *pointer;
struct bits bits[3];
struct anonymous anonymous;
struct growing growing = { 3, { 1, 2, 3 } };
struct with_none with_none;
struct none nothing[4];
char large[100000];
float __attribute__((vector_size(16))) vector;
_Atomic int atomic;
_Bool flags[8];
double _Complex complexes[4];

/* A column of it is a set of a cache. */
struct entry table[16][4096 / sizeof(struct entry)] __attribute__((aligned(4096)));

static struct {
	long ticks;
	struct counter counter;
} state;

_Static_assert(offsetof(struct counter, misses) == 8 && sizeof(struct counter) == 16, "padded");
_Static_assert(offsetof(struct point, flags) == 2 && offsetof(struct point, x) == 8, "padded");
_Static_assert(offsetof(struct anonymous, large) == 16, "padded");

static void tell_structures(void)
{
	FIELD(point.kind);
	INSIDE("point+0x1", point, 1);
	FIELD(point.flags);
	WITHIN(point.flags, 1);
	INSIDE("point+0x4", point, 4);
	INSIDE("point+0x7", point, 7);
	FIELD(point.x);
	WITHIN(point.x, 7);
	FIELD(point.y);
	FIELD(grid.cells[0].at.kind);
	FIELD(grid.cells[12].at.y);
	INSIDE("grid.cells[12].at+0x6", grid.cells[12].at, 6);
	FIELD(grid.cells[12].weights[1][2]);
	FIELD(grid.cells[19].next);
	WITHIN(grid.cells[19].next, 7);
	FIELD(grid.colour);
	FIELD(grid.call);
	FIELD(grid.names[2]);
	FIELD(state.ticks);
	FIELD(state.counter.misses);
}

static void tell_unions(void)
{
	FIELD(grid.cells[3].value.whole);
	INSIDE("grid.cells[3].value.whole", grid.cells[3].value.bytes[7], 0);
	INSIDE("grid.cells[3].value.whole", grid.cells[3].value.halves.high, 0);
	FIELD(grid.cells[3].value.bytes[8]);
	FIELD(grid.cells[3].value.bytes[11]);
	INSIDE("grid.cells[3].value+0xc", grid.cells[3].value, 12);
	FIELD(anonymous.before);
	INSIDE("anonymous+0x4", anonymous, 4);
	FIELD(anonymous.small);
	/* It is padding of the structure, but also a part of the array. */
	INSIDE("anonymous.numbers[0]", anonymous.small, 3);
	FIELD(anonymous.large);
	FIELD(anonymous.numbers[2]);
	FIELD(anonymous.after);
}

static void tell_arrays(void)
{
	FIELD(counters[0].hits);
	FIELD(counters[1].hits);
	WITHIN(counters[1].hits, 4);
	FIELD(counters[7].misses);
	INSIDE("counters[7]+0xc", counters[7], 12);
	INSIDE("counters[0]+0xf", counters[0], 15);
	FIELD(last[1].misses);
	FIELD(matrix[0][0][0]);
	FIELD(matrix[2][3][4]);
	FIELD(matrix[1][0][3]);
	WITHIN(matrix[1][0][3], 3);
	FIELD(rows[5][3]);
	FIELD(large[0]);
	FIELD(large[99999]);
	INSIDE("vector[2]", vector, 8);
	FIELD(flags[5]);
	FIELD(table[0][1].value);
	FIELD(complexes[3]);
	WITHIN(complexes[3], 8);
	FIELD(growing.nr);
	FIELD(growing.numbers[0]);
	FIELD(growing.numbers[2]);
}

static void tell_scalars(void)
{
	FIELD(total);
	WITHIN(total, 5);
	FIELD(pointer);
	WITHIN(pointer, 2);
	FIELD(atomic);
	FIELD(with_none.there);
}

static void tell_bits(void)
{
	INSIDE("bits[1].first", bits[1], 0);
	INSIDE("bits[1].third", bits[1], 1);
	INSIDE("bits[1].third", bits[1], 3);
	INSIDE("bits[1].fourth", bits[1], 4);
	INSIDE("bits[1].fourth", bits[1], 5);
	FIELD(bits[1].last);
	INSIDE("bits[2]+0x7", bits[2], 7);
}

static void tell_local(void)
{
	static struct counter calls[2] __asm__("local_calls");

	calls[1].hits++;
	INSIDE("local_calls[1].hits", calls[1].hits, 0);
	if (calls[1].hits) {
		static struct point inner __asm__("inner_point");

		inner.x++;
		INSIDE("inner_point.x", inner.x, 0);
	}
}

int main(void)
{
	tell_maps();
	tell_structures();
	tell_unions();
	tell_arrays();
	tell_scalars();
	tell_bits();
	tell_local();
	tell_second();
	return 0;
}
