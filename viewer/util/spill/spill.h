/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Arrays that need not be in memory. They are, until there are many bytes of them. Then arrays that are new or that grow are
 * in a mapped file without a name (spill_file.h), of which the process has a part in memory at a time. Who reads and writes
 * them sees no difference.
 *
 * Without spill_use(), and where there is no place for the file, all arrays are in memory.
 *
 * Thread-safe, but for spill_use(). Arrays below 16 KiB cost what realloc() and free() do.
 */
#ifndef ANNOT_UTIL_SPILL_H
#define ANNOT_UTIL_SPILL_H

#include <stddef.h>
#include <stdint.h>

#include "util/xalloc.h"

struct spill_limits {
	size_t memory_bytes; /* of arrays in memory, before the file is used */
	size_t resident_bytes; /* of the file in memory */
};

/*
 * Where arrays may go: into a file in @folder, or if that cannot have it, in /var/tmp. @folder is copied; NULL: the second
 * one alone. @limits: NULL: 24 and 96 MB. To be called before the first array of which it is to be true.
 */
void spill_use(const char *folder, const struct spill_limits *limits);

/* How many bytes of arrays there is a place for on the disk; 0: none. */
uint64_t spill_room_bytes(void);

/*
 * An array of @nr elements that begins as @array did, of which the first @nr_before elements count. @array is gone then; it may be
 * NULL. The others are not set. Ends the process where memory is short (util/xalloc.h). spill_free() it.
 */
void *spill_resize(void *array, size_t nr_before, size_t nr, size_t element_bytes);

/* Like ARRAY_MAKE_ROOM() (util/xalloc.h). */
#define SPILL_MAKE_ROOM(array, nr, capacity)                                           \
	do {                                                                           \
		if ((nr) == (capacity)) {                                              \
			(capacity) = grown_capacity(capacity, (nr) + 1);               \
			(array) = spill_resize(array, nr, capacity, sizeof(*(array))); \
		}                                                                      \
	} while (0)

/* All elements are 0. */
void *spill_zeroed(size_t nr, size_t element_bytes);

/* An array of these, or of malloc(); or NULL. */
void spill_free(void *array);

/* How many bytes of the file arrays were given; 0: it is not used. */
size_t spill_file_bytes(void);

#endif /* ANNOT_UTIL_SPILL_H */
