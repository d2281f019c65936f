// SPDX-License-Identifier: GPL-2.0
/*
 * Loads and stores in memory that it knows: two objects that it names, one within the other; one whose name ends
 * while its memory is used on; variables, global and static. Two threads do. It writes into the file that it is given
 *
 *	NAME KIND START END
 *
 * of each, in hexadecimal. What it uses after its name has ended has its own line, as unknown.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <annot/annot.h>

#define OBJECT_BYTES (256 << 10)
#define INNER_BYTES (64 << 10)
#define NR_ROUNDS 12
#define STRIDE 64
#define NR_ELEMENTS 2048

char global_table[OBJECT_BYTES];
static char static_table[OBJECT_BYTES];

/* Of each element, only one field is used. */
static struct {
	int64_t unused;
	int64_t used;
	char rest[112];
} elements[NR_ELEMENTS];

static char *grid, *once;
static pthread_barrier_t barrier;

static char *map_memory(void)
{
	char *memory = mmap(NULL, OBJECT_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	if (memory == MAP_FAILED)
		exit(1);
	return memory;
}

static void walk(const char *task, char *memory)
{
	annot_begin(task);
	for (size_t at = 0; at < OBJECT_BYTES; at += STRIDE)
		((volatile char *)memory)[at]++;
	annot_end();
}

static void walk_elements(void)
{
	annot_begin("element walk");
	for (size_t i = 0; i < NR_ELEMENTS; i++)
		((volatile int64_t *)&elements[i].used)[0]++;
	annot_end();
}

static void *run(void *first)
{
	for (int round = 0; round < NR_ROUNDS; round++) {
		walk("grid walk", grid);
		walk("table walk", global_table);
		walk("table walk", static_table);
		walk_elements();
		if (first)
			walk("once walk", once);
	}
	pthread_barrier_wait(&barrier);
	return NULL;
}

static void say(FILE *out, const char *name, const char *kind, const char *memory, size_t bytes)
{
	fprintf(out, "%s %s %#lx %#lx\n", name, kind, (unsigned long)memory,
		(unsigned long)memory + bytes);
}

int main(int argc, char **argv)
{
	FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
	pthread_t other;

	if (!out)
		return 1;

	grid = map_memory();
	once = map_memory();
	annot_object("grid", grid, OBJECT_BYTES);
	annot_object("inner", grid + INNER_BYTES, INNER_BYTES);
	annot_object("once", once, OBJECT_BYTES);
	say(out, "inner", "object", grid + INNER_BYTES, INNER_BYTES);
	say(out, "grid", "object", grid, OBJECT_BYTES);
	say(out, "once", "object", once, OBJECT_BYTES);
	say(out, "global_table", "variable", global_table, sizeof(global_table));
	say(out, "static_table", "variable", static_table, sizeof(static_table));
	say(out, "elements", "variable", (const char *)elements, sizeof(elements));
	fclose(out);
	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&other, NULL, run, NULL))
		return 1;
	run(&barrier);
	pthread_join(other, NULL);
	annot_object_end(once);
	walk("after", once);
	return 0;
}
