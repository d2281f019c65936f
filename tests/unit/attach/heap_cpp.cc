// SPDX-License-Identifier: GPL-2.0
// Allocates in all ways that C++ has. What new allocates has the line of who calls it. With an argument, no new fails.
#include <cstdlib>
#include <new>
#include <vector>

#include "heap_blocks.h"

struct row {
	double values[300];
	~row() { values[0] = 0; }
};

struct alignas(256) wide_row {
	double values[512];
};

static void do_new()
{
	void *block = MADE("heap", operator new(3000), 3000);

	ENDS(block);
	operator delete(block);
	block = MADE("heap", operator new[](4000, std::nothrow), 4000);
	ENDS(block);
	operator delete[](block, std::nothrow);
	row *one = (row *)MADE("heap", new row, sizeof(row));
	ENDS(one);
	delete one;
	char *chars = (char *)MADE("heap", new char[5000], 5000);
	ENDS(chars);
	delete[] chars;
	wide_row *wide = (wide_row *)MADE("heap", new wide_row, sizeof(wide_row));
	ENDS(wide);
	delete wide;
	wide = (wide_row *)MADE("heap", new wide_row[3], 3 * sizeof(wide_row));
	ENDS(wide);
	delete[] wide;
}

// What malloc() allocates behind a new that failed has its own line.
static void do_failures()
{
	volatile size_t too_much = SIZE_MAX / 2;

	try {
		::operator delete(::operator new(too_much));
	} catch (const std::bad_alloc &) {
		free((void *)ENDS(MADE("heap", malloc(6000), 6000)));
		return;
	}
	printf("not so: a new of too much fails\n");
}

int main(int argc, char **)
{
	for (int round = 0; round < 20; round++) {
		do_new();
		if (argc == 1)
			do_failures();
	}
	say_all();
	return 0;
}
