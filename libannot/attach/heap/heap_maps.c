// SPDX-License-Identifier: MIT
/*
 * Memory that a program maps for itself, which belongs to no file. The C library's allocator does not come by here, others
 * may: what they make of it lies within.
 */
#include <stdarg.h>

#include "heap_real.h"
#include "heap_tell.h"

static void *told_map(void *memory, size_t bytes, int flags, const void *caller)
{
	if (memory != MAP_FAILED && flags & MAP_ANONYMOUS && bytes >= heap_told_bytes &&
	    attach_is_recording())
		heap_tell_block("@object mmap", memory, bytes, caller);
	return memory;
}

WRAPPER void *mmap(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
	heap_has_real();
	return told_map(heap_functions.mmap(address, bytes, protection, flags, file, offset), bytes,
			flags, HEAP_CALLER);
}

WRAPPER void *mmap64(void *address, size_t bytes, int protection, int flags, int file,
		     off64_t offset)
{
	heap_has_real();
	return told_map(heap_functions.mmap(address, bytes, protection, flags, file, offset), bytes,
			flags, HEAP_CALLER);
}

WRAPPER int munmap(void *memory, size_t bytes)
{
	heap_has_real();
	if (attach_is_recording())
		heap_tell_end(memory);
	return heap_functions.munmap(memory, bytes);
}

/* Where it fails, what is known of the memory ends nevertheless. */
WRAPPER void *mremap(void *memory, size_t old_bytes, size_t bytes, int flags, ...)
{
	void *target = NULL;
	va_list arguments;

	va_start(arguments, flags);
	if (flags & MREMAP_FIXED)
		target = va_arg(arguments, void *);
	va_end(arguments);
	heap_has_real();
	if (attach_is_recording())
		heap_tell_end(memory);
	return told_map(heap_functions.mremap(memory, old_bytes, bytes, flags, target), bytes,
			MAP_ANONYMOUS, HEAP_CALLER);
}
