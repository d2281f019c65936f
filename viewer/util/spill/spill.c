// SPDX-License-Identifier: GPL-2.0
#include "util/spill/spill.h"

#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/spill/spill_blocks.h"
#include "util/spill/spill_file.h"
#include "util/xalloc.h"

#define DEFAULT_MEMORY_BYTES ((size_t)24 << 20)
#define DEFAULT_RESIDENT_BYTES ((size_t)96 << 20)
/* Smaller arrays are always in memory. */
#define LEAST_BYTES ((size_t)1 << SPILL_LEAST_CLASS)
/* From here on, what is not needed is given back to the disk. */
#define FORGET_BYTES ((size_t)1 << 20)

enum spill_state {
	SPILL_UNUSED, /* nobody asked for it, or there is no place for it */
	SPILL_CLOSED, /* not needed so far */
	SPILL_OPEN,
};

/* All but `file`, which is set once, is guarded by the lock. */
static struct spill {
	pthread_mutex_t lock;
	enum spill_state state;
	char folder[PATH_MAX]; /* "": none */
	struct spill_limits limits;
	size_t memory_bytes; /* of arrays of LEAST_BYTES and more */
	struct spill_file file;
	struct spill_blocks blocks;
} spill = { .lock = PTHREAD_MUTEX_INITIALIZER };

void spill_use(const char *folder, const struct spill_limits *limits)
{
	if (spill.state == SPILL_OPEN)
		return;
	snprintf(spill.folder, sizeof(spill.folder), "%s", folder ? folder : "");
	spill.limits = limits ? *limits :
				(struct spill_limits){ DEFAULT_MEMORY_BYTES,
						       DEFAULT_RESIDENT_BYTES };
	spill.state = SPILL_CLOSED;
}

static bool is_in_file(const void *array)
{
	uintptr_t start = (uintptr_t)spill.file.start;

	return start && (uintptr_t)array - start < spill.file.bytes;
}

static size_t offset_of(const void *array)
{
	return (size_t)((const char *)array - spill.file.start);
}

static int open_somewhere(struct spill_file *file)
{
	if (spill.folder[0] && !spill_file_open(spill.folder, file))
		return 0;
	return spill_file_open("/var/tmp", file);
}

static void open_file(void)
{
	struct spill_file file = { 0 };

	spill.state = SPILL_UNUSED;
	if (open_somewhere(&file))
		return;
	if (spill_file_watch(&file, spill.limits.resident_bytes))
		return;
	spill.blocks = spill_blocks_new(file.bytes);
	spill.file = file;
	spill.state = SPILL_OPEN;
}

/* With the lock. Where the file is not open yet, it is opened to ask, and closed again. */
static uint64_t room_bytes(void)
{
	struct spill_file file = { 0 };
	uint64_t bytes;

	if (spill.state == SPILL_OPEN)
		return spill_file_room_bytes(&spill.file);
	if (spill.state == SPILL_UNUSED || open_somewhere(&file))
		return 0;
	bytes = spill_file_room_bytes(&file);
	spill_file_close(&file);
	return bytes;
}

uint64_t spill_room_bytes(void)
{
	uint64_t bytes;

	pthread_mutex_lock(&spill.lock);
	bytes = room_bytes();
	pthread_mutex_unlock(&spill.lock);
	return bytes;
}

/* With the lock. NULL: the array is to be in memory. */
static void *take_block(size_t bytes, size_t more_bytes)
{
	size_t offset;

	if (bytes < LEAST_BYTES)
		return NULL;
	if (spill.state == SPILL_CLOSED &&
	    spill.memory_bytes + more_bytes > spill.limits.memory_bytes)
		open_file();
	if (spill.state != SPILL_OPEN || spill_file_room_bytes(&spill.file) < more_bytes)
		return NULL;
	offset = spill_blocks_take(&spill.blocks, bytes);
	return offset == SPILL_NO_BLOCK ? NULL : spill.file.start + offset;
}

static void give_back(char *array)
{
	size_t bytes = spill_blocks_size(&spill.blocks, offset_of(array));

	if (bytes >= FORGET_BYTES)
		spill_file_forget(array, bytes);
	spill_blocks_give_back(&spill.blocks, offset_of(array));
}

/* Of arrays that are in memory: counts what they take. */
static void count_memory(size_t bytes_before, size_t bytes)
{
	if (bytes_before >= LEAST_BYTES)
		spill.memory_bytes -= bytes_before < spill.memory_bytes ? bytes_before :
									  spill.memory_bytes;
	if (bytes >= LEAST_BYTES)
		spill.memory_bytes += bytes;
}

static size_t memory_bytes_of(void *array)
{
	return array ? malloc_usable_size(array) : 0;
}

/* With the lock. */
static void *resize_in_memory(void *array, size_t nr, size_t element_bytes)
{
	size_t bytes_before = memory_bytes_of(array);

	array = xrealloc_array(array, nr, element_bytes);
	count_memory(bytes_before, memory_bytes_of(array));
	return array;
}

/* With the lock. */
static void release(void *array)
{
	if (is_in_file(array)) {
		give_back(array);
		return;
	}
	count_memory(memory_bytes_of(array), 0);
	free(array);
}

static size_t product(size_t nr, size_t element_bytes)
{
	size_t bytes;

	/* Memory never has so much: xalloc.h tells. */
	return __builtin_mul_overflow(nr, element_bytes, &bytes) ? SIZE_MAX : bytes;
}

static bool fits_in_place(const void *array, size_t bytes, size_t more_bytes)
{
	return bytes <= spill_blocks_size(&spill.blocks, offset_of(array)) &&
	       (!more_bytes || spill_file_room_bytes(&spill.file) >= more_bytes);
}

/* With the lock. */
static void *resize(void *array, size_t nr_before, size_t nr, size_t element_bytes)
{
	size_t bytes = product(nr, element_bytes), bytes_before = product(nr_before, element_bytes);
	size_t kept_bytes = bytes_before < bytes ? bytes_before : bytes;
	void *block;

	if (is_in_file(array) && fits_in_place(array, bytes, bytes - kept_bytes)) {
		spill_file_prepare(&spill.file, (char *)array + kept_bytes, bytes - kept_bytes);
		return array;
	}
	block = take_block(bytes, bytes - kept_bytes);
	if (!block && !is_in_file(array))
		return resize_in_memory(array, nr, element_bytes);
	if (!block)
		block = resize_in_memory(NULL, nr, element_bytes);
	if (is_in_file(block))
		spill_file_prepare(&spill.file, block, bytes);
	if (array)
		memcpy(block, array, kept_bytes);
	release(array);
	return block;
}

void *spill_resize(void *array, size_t nr_before, size_t nr, size_t element_bytes)
{
	pthread_mutex_lock(&spill.lock);
	array = resize(array, nr_before, nr, element_bytes);
	pthread_mutex_unlock(&spill.lock);
	return array;
}

void *spill_zeroed(size_t nr, size_t element_bytes)
{
	void *array = spill_resize(NULL, 0, nr, element_bytes);

	memset(array, 0, nr * element_bytes);
	return array;
}

void spill_free(void *array)
{
	if (!array)
		return;
	pthread_mutex_lock(&spill.lock);
	release(array);
	pthread_mutex_unlock(&spill.lock);
}

size_t spill_file_bytes(void)
{
	size_t bytes;

	pthread_mutex_lock(&spill.lock);
	bytes = spill.state == SPILL_OPEN ? spill_blocks_end(&spill.blocks) : 0;
	pthread_mutex_unlock(&spill.lock);
	return bytes;
}
