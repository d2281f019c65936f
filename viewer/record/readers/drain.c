// SPDX-License-Identifier: GPL-2.0
#include "record/readers/drain.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/xalloc.h"

/* A page begins with its time; then, in a long, the size of what it holds and the kernel's flags. */
#define COMMIT_OFFSET 8
#define MISSED_EVENTS (UINT32_C(1) << 31)

int drain_open_pipe(const char *dir, int cpu)
{
	char path[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/per_cpu/cpu%d/trace_pipe_raw", dir, cpu);
	fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* On big-endian machines a long of 64 bits has its lower half last. */
static size_t commit_offset(void)
{
	bool is_last = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ && sizeof(long) == 8;

	return COMMIT_OFFSET + (is_last ? sizeof(uint32_t) : 0);
}

static void mark_gap(unsigned char *page)
{
	uint32_t flags;

	memcpy(&flags, page + commit_offset(), sizeof(flags));
	flags |= MISSED_EVENTS;
	memcpy(page + commit_offset(), &flags, sizeof(flags));
}

int drain_write(int fd, const unsigned char *bytes, size_t size)
{
	while (size) {
		ssize_t put = write(fd, bytes, size);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return put ? errno : ENOSPC;
		bytes += put;
		size -= (size_t)put;
	}
	return 0;
}

/* Reads the next page. Returns 0, EAGAIN if there is none, or an errno. */
static int read_page(int pipe_fd, unsigned char *page, size_t page_bytes)
{
	ssize_t got;

	do {
		got = read(pipe_fd, page, page_bytes);
	} while (got < 0 && errno == EINTR);
	/* A CPU that was never online has no buffer. */
	if (got <= 0)
		return got && errno != ENODEV ? errno : EAGAIN;
	memset(page + got, 0, page_bytes - (size_t)got);
	return 0;
}

int drain_rest(int pipe_fd, int file_fd, uint32_t page_bytes, bool has_gap)
{
	unsigned char *page = xcalloc(1, page_bytes);
	int error = 0;

	while (!error) {
		error = read_page(pipe_fd, page, page_bytes);
		if (error)
			break;
		if (has_gap)
			mark_gap(page);
		has_gap = false;
		error = drain_write(file_fd, page, page_bytes);
	}
	free(page);
	return error == EAGAIN ? 0 : error;
}
