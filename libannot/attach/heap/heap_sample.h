/* SPDX-License-Identifier: MIT */
/*
 * Which small blocks are told: a random sample of them, one in ANNOT_HEAP_SAMPLE. A hash of the line of memory that
 * the block begins in decides, with a seed of the process. So free() decides as malloc() did, without a table; and
 * blocks that begin in one line are told together or not at all. Each line is told with the same probability.
 *
 * All threads have one seed, and so has the child of a fork(), which has its parent's blocks.
 */
#ifndef LIBANNOT_ATTACH_HEAP_SAMPLE_H
#define LIBANNOT_ATTACH_HEAP_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#define HEAP_LINE_SHIFT 6 /* of 64 bytes, as the reader of the trace has them */

struct heap_sample {
	uint64_t factor;
	uint64_t offset;
	uint64_t limit; /* of the hash; 0: nothing is told */
	char word[48]; /* "@object heap~64" */
};

/* Before its constructor, no small block is told. */
extern struct heap_sample heap_sample;

/*
 * The sum is as likely to be any number as any other, since the offset is, and what follows gives no two numbers the
 * same hash. It keeps rows of lines from being told in step.
 */
static inline bool heap_is_sampled(const void *block)
{
	uint64_t hash = ((uintptr_t)block >> HEAP_LINE_SHIFT) * heap_sample.factor +
			heap_sample.offset;

	hash = (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
	return hash < heap_sample.limit;
}

#endif /* LIBANNOT_ATTACH_HEAP_SAMPLE_H */
