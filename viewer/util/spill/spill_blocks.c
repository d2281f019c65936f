// SPDX-License-Identifier: GPL-2.0
#include "util/spill/spill_blocks.h"

#include <stdbool.h>
#include <stdlib.h>

#include "util/xalloc.h"

static size_t class_bytes(unsigned int class)
{
	return (size_t)1 << class;
}

static unsigned int class_of(size_t bytes)
{
	unsigned int class = SPILL_LEAST_CLASS;

	while (class < SPILL_CHUNK_CLASS && class_bytes(class) < bytes)
		class ++;
	if (class_bytes(class) >= bytes)
		return class;
	class = SPILL_LARGE_CLASS;
	while (class < SPILL_NR_CLASSES - SPILL_LARGE_STEP && class_bytes(class) < bytes)
		class += SPILL_LARGE_STEP;
	return class;
}

struct spill_blocks spill_blocks_new(size_t bytes)
{
	size_t nr_chunks = bytes >> SPILL_CHUNK_CLASS;

	return (struct spill_blocks){
		.nr_chunks = nr_chunks,
		.classes = xcalloc(nr_chunks, sizeof(uint8_t)),
	};
}

static void push(struct spill_free_list *list, size_t offset)
{
	ARRAY_MAKE_ROOM(list->offsets, list->nr, list->capacity);
	list->offsets[list->nr++] = offset;
}

/* Its blocks are taken from the end of the list: the first one first. */
static void divide_chunk(struct spill_blocks *blocks, size_t offset, unsigned int class)
{
	for (size_t at = class_bytes(SPILL_CHUNK_CLASS); at; at -= class_bytes(class))
		push(&blocks->free[class], offset + at - class_bytes(class));
}

/* Returns whether the list of @class has a block then. */
static bool use_chunks(struct spill_blocks *blocks, unsigned int class)
{
	size_t first = blocks->nr_used;
	size_t nr = class > SPILL_CHUNK_CLASS ? class_bytes(class) >> SPILL_CHUNK_CLASS : 1;

	if (nr > blocks->nr_chunks - first)
		return false;
	blocks->nr_used += nr;
	blocks->classes[first] = (uint8_t) class;
	if (class < SPILL_CHUNK_CLASS)
		divide_chunk(blocks, first << SPILL_CHUNK_CLASS, class);
	else
		push(&blocks->free[class], first << SPILL_CHUNK_CLASS);
	return true;
}

size_t spill_blocks_take(struct spill_blocks *blocks, size_t bytes)
{
	unsigned int class = class_of(bytes);
	struct spill_free_list *list = &blocks->free[class];

	if (!list->nr && !use_chunks(blocks, class))
		return SPILL_NO_BLOCK;
	return list->offsets[--list->nr];
}

static unsigned int class_at(const struct spill_blocks *blocks, size_t offset)
{
	return blocks->classes[offset >> SPILL_CHUNK_CLASS];
}

void spill_blocks_give_back(struct spill_blocks *blocks, size_t offset)
{
	push(&blocks->free[class_at(blocks, offset)], offset);
}

size_t spill_blocks_size(const struct spill_blocks *blocks, size_t offset)
{
	return class_bytes(class_at(blocks, offset));
}

size_t spill_blocks_end(const struct spill_blocks *blocks)
{
	return blocks->nr_used << SPILL_CHUNK_CLASS;
}

void spill_blocks_free(struct spill_blocks *blocks)
{
	for (unsigned int class = 0; class < SPILL_NR_CLASSES; class ++)
		free(blocks->free[class].offsets);
	free(blocks->classes);
}
