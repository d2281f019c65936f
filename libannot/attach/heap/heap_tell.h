/* SPDX-License-Identifier: MIT */
/*
 * Tells the reader of the trace of a block of memory, as annot_object() does. The object is named after the call that
 * allocated it: "heap make_grid solver.c:131".
 *
 * A block is told if it has as many bytes as ANNOT_HEAP_BYTES says, or more; of smaller ones, a sample is
 * (heap_sample.h): "heap~64 make_node list.c:12" is one in 64. Its end is told before its memory is given back, since
 * another thread may have it at once.
 */
#ifndef LIBANNOT_ATTACH_HEAP_TELL_H
#define LIBANNOT_ATTACH_HEAP_TELL_H

#include <stddef.h>

#include "../sink.h"
#include "heap_sample.h"

#define WRAPPER __attribute__((visibility("default")))
#define HEAP_CALLER __builtin_return_address(0)

/* How many bytes a block has at least that is always told. */
extern size_t heap_told_bytes;

/* Of an operator new: who called it, until an allocation takes it. */
extern __thread const void *heap_caller_of_new __attribute__((tls_model("initial-exec")));

/* An operator delete has told the end. */
extern __thread bool heap_is_deleting __attribute__((tls_model("initial-exec")));

/* Of a block that the allocator has made. @bytes: its size, as asked for, or what it can hold. */
static inline bool heap_is_told(const void *block, size_t bytes)
{
	return bytes >= heap_told_bytes || heap_is_sampled(block);
}

/* @word: one that stays where it is, "@object heap". @caller: the address that the call returns to. */
void heap_tell_block(const char *word, const void *block, size_t bytes, const void *caller);
void heap_tell_end(const void *block);

/* Of a block that the allocator has made, or NULL. */
void heap_end_block(void *block);

/* Returns @block. NULL: nothing was allocated. */
static inline void *heap_told(void *block, size_t bytes, const void *caller)
{
	const void *caller_of_new = heap_caller_of_new;

	if (caller_of_new) {
		heap_caller_of_new = NULL;
		caller = caller_of_new;
	}
	if (!block || !attach_is_recording() || !heap_is_told(block, bytes))
		return block;
	heap_tell_block(bytes >= heap_told_bytes ? "@object heap" : heap_sample.word, block, bytes,
			caller);
	return block;
}

#endif /* LIBANNOT_ATTACH_HEAP_TELL_H */
