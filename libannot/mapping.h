/* SPDX-License-Identifier: MIT */
/*
 * The library's own memory. A front that tells which memory the program maps (attach/heap) stands before mmap() and
 * munmap(): the library would come by itself there. Of mappings of files it tells nothing, but of their ends.
 */
#ifndef LIBANNOT_MAPPING_H
#define LIBANNOT_MAPPING_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As mmap(), of memory that belongs to no file. */
static inline void *mapping_make(void *at, size_t bytes, int protection, int flags)
{
#if __SIZEOF_POINTER__ == 8
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, -1, 0L);
#else
	return mmap(at, bytes, protection, flags, -1, 0);
#endif
}

static inline void mapping_end(void *at, size_t bytes)
{
	syscall(SYS_munmap, at, bytes);
}

#endif /* LIBANNOT_MAPPING_H */
