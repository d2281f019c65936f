/* SPDX-License-Identifier: MIT */
/*
 * The library's own mappings. A front that tells what the program maps (attach/heap) stands before mmap(): the
 * library would come by itself there.
 */
#ifndef LIBANNOT_MAPPING_H
#define LIBANNOT_MAPPING_H

#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As mmap(), from the file's begin. */
static inline void *mapping_make(void *at, size_t bytes, int protection, int flags, int fd)
{
#if __SIZEOF_POINTER__ == 8
	return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, 0L);
#else
	return mmap(at, bytes, protection, flags, fd, 0);
#endif
}

static inline void mapping_end(void *at, size_t bytes)
{
	syscall(SYS_munmap, at, bytes);
}

#endif /* LIBANNOT_MAPPING_H */
