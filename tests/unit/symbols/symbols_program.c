// SPDX-License-Identifier: GPL-2.0
/*
 * Says where it is: its mappings, and addresses of its own whose names and lines are known. With
 * the library (symbols_library.c) tests/unit/symbols/symbols.sh makes traces of what it says.
 *
 *	map <line of /proc/self/maps>
 *	code <function> <address of an instruction> <its line>
 *	data <variable> <address>
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "symbols_library.h"

char zeroed[1 << 16];
char filled[1 << 8] = { 1 };
/* With -z noseparate-code, code then ends in the page of the file in which data begins. */
const char padding[2400] = { 1 };

__attribute__((noinline)) struct place hot(void)
{
	struct place place;

	place.line = __LINE__ + 1;
	place.ip = return_address();
	return place;
}

__attribute__((noinline)) static struct place cold(void)
{
	struct place place;

	place.line = __LINE__ + 1;
	place.ip = return_address();
	return place;
}

static void print_maps(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	char line[4096];

	while (maps && fgets(line, sizeof(line), maps))
		printf("map %s", line);
	if (maps)
		fclose(maps);
}

static void print_place(const char *name, struct place place)
{
	printf("code %s %#lx %d\n", name, place.ip, place.line);
}

/* Its own source, without a name in the program. */
static char *map_file(void)
{
	int fd = open(__FILE__, O_RDONLY);
	char *text = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);

	close(fd);
	return text == MAP_FAILED ? NULL : text;
}

int main(void)
{
	char *heap = malloc(1 << 20), *small = malloc(64), *mapped = map_file(), local[64];

	if (!heap || !small || !mapped)
		return 1;
	memset(heap, 1, 1 << 20);
	print_maps();
	print_place("hot", hot());
	print_place("cold", cold());
	print_place("in_library", in_library());
	printf("data zeroed %#lx\n", (unsigned long)zeroed + 50000);
	printf("data filled %#lx\n", (unsigned long)filled + 200);
	printf("data library_table %#lx\n", (unsigned long)library_table + 64);
	printf("data heap %#lx\n", (unsigned long)heap + 8192);
	printf("data small %#lx\n", (unsigned long)small);
	printf("data local %#lx\n", (unsigned long)local);
	printf("data mapped %#lx\n", (unsigned long)mapped + 100);
	free(small);
	free(heap);
	return 0;
}
