// SPDX-License-Identifier: MIT
/*
 * File descriptors inside a program that does not know of them.
 *
 * Programs close descriptors that they did not open: daemons call closefrom(). The next file that
 * they open gets the number. An annotation must never go into that file. So each file of the library
 * has a tag, which is checked before each use. The tag is the signal number of F_SETSIG: it belongs to
 * the open file, fork() keeps it, and it does nothing without O_ASYNC. To read it costs half of an
 * fstat(). Each role has its own tag. So the library does not mistake its files for each other when a
 * program has closed them all and they were opened again in another order. A file that was closed is
 * opened again. A number that belongs to another file is not touched.
 *
 * One case remains: another thread closes the descriptor and opens a file between the check and the
 * write() that follows at once.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "descriptor.h"

/*
 * Low numbers are left to the program: some programs expect the lowest free one, or call dup2() with
 * a low number. High numbers cost time: a process begins with a table of 64. If it has threads, the
 * kernel waits for an RCU grace period, 10 ms, before it makes the table larger.
 */
#define LOWEST_NUMBER_WANTED 48
#define LOWEST_NUMBER_TAKEN 3

/* After so many failures the library no longer opens files: the program closes them, or has no more. */
#define MAX_DISAPPOINTMENTS 1024

static atomic_int nr_disappointments;

static const struct {
	int flags;
	int tag; /* a real-time signal's number */
} roles[] = {
	[DESCRIPTOR_DEVICE] = { O_WRONLY, 60 },	       [DESCRIPTOR_MARKER] = { O_WRONLY, 61 },
	[DESCRIPTOR_MARKER_RAW] = { O_WRONLY, 59 },    [DESCRIPTOR_TRACING_ON] = { O_RDONLY, 62 },
	[DESCRIPTOR_EVENTS_ENABLE] = { O_RDONLY, 63 },
};

/* glibc's open(), write(), pread() and close() are cancellation points; syscall() is not. */
int annot_descriptor_open_briefly(const char *path, int flags)
{
	long fd = syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC | O_NOCTTY, 0);

	return fd < 0 ? -errno : (int)fd;
}

void annot_descriptor_close(int fd)
{
	syscall(SYS_close, fd);
}

int annot_descriptor_write(int fd, const char *bytes, size_t nr_bytes)
{
	long written;

	do {
		written = syscall(SYS_write, fd, bytes, nr_bytes);
	} while (written < 0 && errno == EINTR);
	return written < 0 ? -errno : (int)written;
}

int annot_descriptor_read(int fd, char *bytes, size_t nr_bytes)
{
	/* How the 64-bit offset is passed differs between architectures; as zeros it does not. */
	long nr_read = syscall(SYS_pread64, fd, bytes, nr_bytes, 0L, 0L, 0L);

	return nr_read < 0 ? -errno : (int)nr_read;
}

static bool is_ours(int fd, enum descriptor_role role)
{
	return fcntl(fd, F_GETSIG) == roles[role].tag;
}

static int move_up(int fd)
{
	int moved = fcntl(fd, F_DUPFD_CLOEXEC, LOWEST_NUMBER_WANTED);

	if (moved < 0 && fd >= LOWEST_NUMBER_TAKEN)
		return fd;
	if (moved < 0)
		moved = fcntl(fd, F_DUPFD_CLOEXEC, LOWEST_NUMBER_TAKEN);
	if (moved < 0)
		moved = -errno;
	annot_descriptor_close(fd);
	return moved;
}

static int open_tagged(const char *path, enum descriptor_role role)
{
	int fd = annot_descriptor_open_briefly(path, roles[role].flags);
	int error;

	if (fd < 0)
		return fd;
	fd = move_up(fd);
	if (fd < 0)
		return fd;
	if (fcntl(fd, F_SETSIG, roles[role].tag) < 0) {
		error = errno;
		annot_descriptor_close(fd);
		return -error;
	}
	return fd;
}

int annot_descriptor_seen(struct descriptor *descriptor)
{
	return atomic_load_explicit(&descriptor->number_plus_1, memory_order_relaxed) - 1;
}

int annot_descriptor_current(struct descriptor *descriptor, enum descriptor_role role)
{
	int seen = annot_descriptor_seen(descriptor);

	return seen >= 0 && is_ours(seen, role) ? seen : -1;
}

int annot_descriptor_renew(struct descriptor *descriptor, enum descriptor_role role,
			   const char *path)
{
	int seen = atomic_load_explicit(&descriptor->number_plus_1, memory_order_relaxed);
	int fd;

	/* Opened since the caller looked: to put another in its place would leave it open for ever. */
	if (seen && is_ours(seen - 1, role))
		return seen - 1;
	if (atomic_load_explicit(&nr_disappointments, memory_order_relaxed) >= MAX_DISAPPOINTMENTS)
		return -EMFILE;
	fd = open_tagged(path, role);
	if (seen || fd < 0)
		atomic_fetch_add_explicit(&nr_disappointments, 1, memory_order_relaxed);
	if (fd < 0)
		return fd;
	if (atomic_compare_exchange_strong(&descriptor->number_plus_1, &seen, fd + 1))
		return fd;

	/* Another thread, or a signal handler of this one, was faster. */
	annot_descriptor_close(fd);
	return seen - 1;
}
