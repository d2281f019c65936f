// SPDX-License-Identifier: GPL-2.0
#include "util/spill/spill_file.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "util/diag.h"
#include "util/output.h"
#include "util/worker.h"
#include "util/xalloc.h"

/* No file system of today has files of that length only, and fewer: it is halved until it fits. */
#define MOST_FILE_BYTES ((size_t)1 << 41)
#define LEAST_FILE_BYTES ((size_t)1 << 36)
#define ROOM_FOR_OTHERS_BYTES ((uint64_t)64 << 20)
#define WATCH_INTERVAL_NS 1000000
#define PREPARED_BYTES (256 << 10) /* by one call */

/* What the handler of SIGBUS and the watching thread know. */
static struct spill_file watched;
static size_t most_resident_pages;

static bool is_in_memory(int fd)
{
	struct statfs status;

	return !fstatfs(fd, &status) &&
	       (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}

/* Not all file systems know files that never had a name. */
static int open_nameless(const char *folder)
{
	int fd = open(folder, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
	char *path;

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd;
	path = xasprintf("%s/.annot.XXXXXX", folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	free(path);
	return fd;
}

static bool may_have_length(size_t bytes)
{
	struct rlimit limit;

	return !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur >= bytes;
}

static int map(struct spill_file *file)
{
	void *start = MAP_FAILED;

	for (file->bytes = MOST_FILE_BYTES; start == MAP_FAILED && file->bytes >= LEAST_FILE_BYTES;
	     file->bytes /= 2) {
		errno = EFBIG;
		if (!may_have_length(file->bytes) || ftruncate(file->fd, (off_t)file->bytes))
			continue;
		start = mmap(NULL, file->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file->fd, 0);
	}
	file->bytes *= 2;
	file->start = start;
	return start == MAP_FAILED ? -1 : 0;
}

int spill_file_open(const char *folder, struct spill_file *file)
{
	int error;

	file->fd = open_nameless(folder);
	if (file->fd < 0)
		return -1;
	errno = EMEDIUMTYPE;
	if (!is_in_memory(file->fd) && !map(file))
		return 0;
	error = errno;
	close(file->fd);
	errno = error;
	return -1;
}

uint64_t spill_file_room_bytes(const struct spill_file *file)
{
	struct statvfs status;
	uint64_t free_bytes;

	if (fstatvfs(file->fd, &status))
		return 0;
	free_bytes = (uint64_t)status.f_bavail * status.f_frsize;
	return free_bytes > ROOM_FOR_OTHERS_BYTES ? free_bytes - ROOM_FOR_OTHERS_BYTES : 0;
}

void spill_file_prepare(const struct spill_file *file, const char *start, size_t bytes)
{
	/* Not const: it takes no room in the program's file. */
	static char zeroes[PREPARED_BYTES];
	size_t at = (size_t)(start - file->start), end = at + bytes, part;

	for (; at < end; at += part) {
		part = end - at < sizeof(zeroes) ? end - at : sizeof(zeroes);
		/* Where the disk is full, who touches the bytes is told. */
		if (pwrite(file->fd, zeroes, part, (off_t)at) != (ssize_t)part)
			return;
	}
}

void spill_file_close(struct spill_file *file)
{
	munmap(file->start, file->bytes);
	close(file->fd);
}

void spill_file_forget(char *start, size_t bytes)
{
	/* Where the file system has no holes, the blocks are free when the process ends. */
	madvise(start, bytes, MADV_REMOVE);
}

/* A signal handler: nothing that may lock. */
static void end_without_room(int signal_number, siginfo_t *info, void *context)
{
	static const char said[] =
		"annot: the timeline does not fit on the disk, which is full, or cannot be written\n";
	const char *address = info->si_addr;

	(void)context;
	if (address < watched.start || address >= watched.start + watched.bytes) {
		signal(signal_number, SIG_DFL);
		return;
	}
	output_remove_unfinished();
	if (write(STDERR_FILENO, said, sizeof(said) - 1) < 0)
		_exit(EXIT_BAD_INPUT);
	_exit(EXIT_BAD_INPUT);
}

static void handle_full_disk(void)
{
	struct sigaction action = { .sa_sigaction = end_without_room, .sa_flags = SA_SIGINFO };

	sigemptyset(&action.sa_mask);
	sigaction(SIGBUS, &action, NULL);
}

/* Pages of files that the process has in memory; 0: not known. */
static size_t resident_file_pages(int statm)
{
	char text[128];
	ssize_t nr = pread(statm, text, sizeof(text) - 1, 0);
	size_t shared = 0;

	if (nr <= 0)
		return 0;
	text[nr] = '\0';
	/* all pages, those in memory, of these those of files */
	return sscanf(text, "%*u %*u %zu", &shared) == 1 ? shared : 0;
}

static void *watch(void *context)
{
	const struct timespec interval = { .tv_nsec = WATCH_INTERVAL_NS };
	int statm = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);

	(void)context;
	if (statm < 0)
		return NULL;
	for (;;) {
		/* Of a file's pages this drops no contents: the kernel keeps them in its cache, or writes them. */
		if (resident_file_pages(statm) > most_resident_pages)
			madvise(watched.start, watched.bytes, MADV_DONTNEED);
		nanosleep(&interval, NULL);
	}
}

int spill_file_watch(const struct spill_file *file, size_t most_bytes)
{
	pthread_t thread;
	int error;

	watched = *file;
	most_resident_pages = most_bytes / (size_t)sysconf(_SC_PAGESIZE);
	handle_full_disk();
	error = worker_start(&thread, watch, NULL);
	if (!error)
		pthread_detach(thread);
	return error;
}
