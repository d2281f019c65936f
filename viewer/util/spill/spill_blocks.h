/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Divides a range of bytes, which it never touches, into blocks of which each has a class: 16 KiB to 1 MiB in powers of two,
 * then 256 MiB, 4 GiB, ... So an array that grows beyond 1 MiB is moved once or twice more: room that is not used costs
 * nothing.
 *
 * Not thread-safe.
 */
#ifndef ANNOT_UTIL_SPILL_BLOCKS_H
#define ANNOT_UTIL_SPILL_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#define SPILL_LEAST_CLASS 14
#define SPILL_CHUNK_CLASS 20 /* a chunk has blocks of one class, or it is a part of a large block */
#define SPILL_LARGE_CLASS 28
#define SPILL_LARGE_STEP 4
#define SPILL_NR_CLASSES 64

#define SPILL_NO_BLOCK SIZE_MAX

/* Blocks that were given back. */
struct spill_free_list {
	size_t nr;
	size_t capacity;
	size_t *offsets;
};

struct spill_blocks {
	size_t nr_chunks;
	size_t nr_used; /* chunks */
	uint8_t *classes; /* of each chunk's blocks; of a large block, in its first chunk */
	struct spill_free_list free[SPILL_NR_CLASSES];
};

/* Of @bytes, a multiple of 1 MiB. spill_blocks_free() it. */
struct spill_blocks spill_blocks_new(size_t bytes);

/* The offset of a block that holds @bytes, more than 0; SPILL_NO_BLOCK: there is no room left. */
size_t spill_blocks_take(struct spill_blocks *blocks, size_t bytes);
void spill_blocks_give_back(struct spill_blocks *blocks, size_t offset);

/* How many bytes the block at @offset holds. */
size_t spill_blocks_size(const struct spill_blocks *blocks, size_t offset);

/* All blocks that were ever taken end here or before. */
size_t spill_blocks_end(const struct spill_blocks *blocks);

void spill_blocks_free(struct spill_blocks *blocks);

#endif /* ANNOT_UTIL_SPILL_BLOCKS_H */
