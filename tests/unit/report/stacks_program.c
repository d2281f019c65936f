// SPDX-License-Identifier: GPL-2.0
/*
 * Says what its call stack is, to be compiled with optimization, frame pointers and debug information:
 *
 *	map <line of /proc/self/maps>
 *	stack <name> <address>...	the innermost first
 *	line <name> <function> <line>...	where each frame is, inlined ones too
 *
 * The chain is main, outer, middle, inner (inlined), leaf.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static int line_of_outer, line_of_middle, line_of_inner;

static void print_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		printf("map %s", line);
	if (maps)
		fclose(maps);
}

/* So many frames from its own on. */
__attribute__((noipa)) static int leaf(const char *name, int nr)
{
	uintptr_t *frame = __builtin_frame_address(0);

	printf("stack %s", name);
	for (int i = 0; i < nr; i++) {
		printf(" %#lx", (unsigned long)frame[1]);
		frame = (uintptr_t *)frame[0];
	}
	printf("\n");
	return nr;
}

__attribute__((always_inline)) static inline int inner(const char *name, int nr)
{
	line_of_inner = __LINE__ + 1;
	return leaf(name, nr) + 1;
}

__attribute__((noipa)) static int middle(const char *name, int nr)
{
	line_of_middle = __LINE__ + 1;
	return inner(name, nr) + 2;
}

__attribute__((noipa)) static int outer(const char *name, int nr)
{
	line_of_outer = __LINE__ + 1;
	return middle(name, nr) + 3;
}

int main(void)
{
	int line = __LINE__ + 1;
	int all = outer("chain", 3);

	print_maps();
	printf("line inner %d\nline middle %d\nline outer %d\nline main %d\n", line_of_inner,
	       line_of_middle, line_of_outer, line);
	return all == 9 ? 0 : 1;
}
