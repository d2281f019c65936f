// SPDX-License-Identifier: MIT
#include "heap_tell.h"

#include <stdint.h>
#include <stdlib.h>

#include "heap_real.h"

/* A program that allocates small blocks by the million would fill the trace with them: of these, few are told. */
#define DEFAULT_BYTES 1024

size_t heap_told_bytes = SIZE_MAX;

__thread const void *heap_caller_of_new;
__thread bool heap_is_deleting;

void heap_tell_block(const char *word, const void *block, size_t bytes, const void *caller)
{
	static struct annot_site site;
	const unsigned int op = ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE;
	struct place *place = place_of_call(word, PLACE_FUNCTION, caller);

	if (annot_store_two(&site, annot_bits(bytes), &place->site, annot_address(block), op))
		return;
	annot_put(&site, op, ANNOT_OBJECT_BYTES_NOTE, annot_bits(bytes));
	annot_put(&place->site, op, place->name, annot_address(block));
}

void heap_tell_end(const void *block)
{
	static struct annot_site site;

	annot_put(&site, ANNOT_OP_MARK | ANNOT_OP_HAS_VALUE, ANNOT_OBJECT_END_NOTE,
		  annot_address(block));
}

/* A block may have more bytes than were asked for: then the end is told of one that was not. */
void heap_end_block(void *block)
{
	if (block && !heap_is_deleting && attach_is_recording() &&
	    heap_is_told(block, heap_functions.malloc_usable_size(block)))
		heap_tell_end(block);
}

/*
 * Without a number, and with 0, every block is told. Nothing is before this: the library's own constructors have run
 * by now, and without these it would make no batches.
 */
__attribute__((constructor(101))) static void read_environment(void)
{
	const char *text = getenv("ANNOT_HEAP_BYTES");
	size_t bytes = text ? strtoull(text, NULL, 10) : DEFAULT_BYTES;

	heap_told_bytes = bytes ? bytes : 1;
}
