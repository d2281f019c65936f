/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program does with its memory, as raw_objects.py prints it. It allocates nothing for that until it says all
 * at its end.
 */
#ifndef HEAP_BLOCKS_H
#define HEAP_BLOCKS_H

#include <stdint.h>
#include <stdio.h>

struct done {
	const char *word; /* "end" */
	int line;
	uintptr_t address;
	size_t bytes;
};

static struct done all_done[4096];
static unsigned int nr_done;

static inline void *remember(const char *word, int line, void *block, size_t bytes)
{
	all_done[nr_done++] = (struct done){ word, line, (uintptr_t)block, bytes };
	return block;
}

/* It is on one line with @call, whose line the call has. */
#define MADE(word, call, bytes) remember(word, __LINE__, call, bytes)
#define ENDS(block) remember("end", 0, block, 0)

static inline void say_all(void)
{
	for (unsigned int i = 0; i < nr_done; i++) {
		if (all_done[i].bytes)
			printf("%s %d %#jx %zu\n", all_done[i].word, all_done[i].line,
			       (uintmax_t)all_done[i].address, all_done[i].bytes);
		else
			printf("%s %#jx\n", all_done[i].word, (uintmax_t)all_done[i].address);
	}
}

#endif /* HEAP_BLOCKS_H */
