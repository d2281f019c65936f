// SPDX-License-Identifier: GPL-2.0
#include "dat/bytes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/xalloc.h"

/* Most event formats fit; /proc/kallsyms comes in as few calls as that allows. */
#define READ_MIN_BYTES (16u * 1024)

void dat_bytes_need(struct dat_bytes *bytes, size_t more)
{
	if (bytes->capacity - bytes->size >= more)
		return;
	bytes->capacity = grown_capacity(bytes->capacity, bytes->size + more);
	bytes->data = xrealloc_array(bytes->data, bytes->capacity, 1);
}

void dat_bytes_free(struct dat_bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct dat_bytes){ 0 };
}

void dat_bytes_add(struct dat_bytes *bytes, const void *data, size_t size)
{
	dat_bytes_need(bytes, size);
	if (size)
		memcpy(bytes->data + bytes->size, data, size);
	bytes->size += size;
}

void dat_bytes_add_u8(struct dat_bytes *bytes, uint8_t value)
{
	dat_bytes_add(bytes, &value, sizeof(value));
}

void dat_bytes_add_u16(struct dat_bytes *bytes, uint16_t value)
{
	dat_bytes_add(bytes, &value, sizeof(value));
}

void dat_bytes_add_u32(struct dat_bytes *bytes, uint32_t value)
{
	dat_bytes_add(bytes, &value, sizeof(value));
}

void dat_bytes_add_u64(struct dat_bytes *bytes, uint64_t value)
{
	dat_bytes_add(bytes, &value, sizeof(value));
}

void dat_bytes_add_string(struct dat_bytes *bytes, const char *string)
{
	dat_bytes_add(bytes, string, strlen(string) + 1);
}

void dat_bytes_set_u32(struct dat_bytes *bytes, size_t at, uint32_t value)
{
	memcpy(bytes->data + at, &value, sizeof(value));
}

void dat_bytes_set_u64(struct dat_bytes *bytes, size_t at, uint64_t value)
{
	memcpy(bytes->data + at, &value, sizeof(value));
}

/* Returns what read() does; what it read is added. */
static ssize_t read_more(struct dat_bytes *bytes, int fd)
{
	ssize_t got;

	dat_bytes_need(bytes, READ_MIN_BYTES);
	do {
		got = read(fd, bytes->data + bytes->size, bytes->capacity - bytes->size);
	} while (got < 0 && errno == EINTR);
	if (got > 0)
		bytes->size += (size_t)got;
	return got;
}

int dat_bytes_add_file(struct dat_bytes *bytes, int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC);
	size_t before = bytes->size;
	ssize_t got;
	int error;

	if (fd < 0)
		return -1;
	do {
		got = read_more(bytes, fd);
	} while (got > 0);
	error = errno;
	close(fd);
	if (!got)
		return 0;
	bytes->size = before;
	errno = error;
	return -1;
}
