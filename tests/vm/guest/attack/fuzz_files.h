/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Of the fuzzer: calls that open, map, read and write.
 */
#ifndef FUZZ_FILES_H
#define FUZZ_FILES_H

#include <poll.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>

#include "fuzz.h"

/* --- files and mappings */

static long do_open(const struct call *call)
{
	static const int flags[] = { O_RDWR,
				     O_RDWR,
				     O_RDONLY,
				     O_WRONLY,
				     O_RDWR | O_NONBLOCK,
				     O_RDWR | O_APPEND,
				     O_WRONLY | O_TRUNC,
				     O_PATH };
	char path[32];
	int fd;

	if (call->b % 4 == 0)
		strcpy(path, "/dev/annot/ctl");
	else
		snprintf(path, sizeof(path), "/dev/annot/cpu%d", call->b % (nr_cpus + 1));
	fd = open(path, flags[call->c % 8]);
	if (fd >= 0)
		files[call->a % NR_FILES] = fd;
	return fd;
}

static long do_close(const struct call *call)
{
	return close(file_of(call->a));
}

static long do_dup(const struct call *call)
{
	return files[call->b % NR_FILES] = dup(file_of(call->a));
}

static long do_mmap(const struct call *call)
{
	static const int prots[] = { PROT_READ | PROT_WRITE,
				     PROT_READ | PROT_WRITE,
				     PROT_READ,
				     PROT_READ,
				     PROT_NONE,
				     PROT_READ | PROT_WRITE | PROT_EXEC,
				     PROT_WRITE,
				     PROT_EXEC };
	static const int flags[] = { MAP_SHARED,
				     MAP_SHARED,
				     MAP_PRIVATE,
				     MAP_SHARED | MAP_POPULATE,
				     MAP_SHARED | MAP_LOCKED,
				     MAP_SHARED | MAP_FIXED,
				     MAP_SHARED | MAP_FIXED_NOREPLACE,
				     MAP_SHARED_VALIDATE };
	static const size_t lengths[] = { 2 * PAGE_BYTES, 2 * PAGE_BYTES, PAGE_BYTES, 1,
					  PAGE_BYTES + 1, 3 * PAGE_BYTES, 2 << 20,    0 };
	/* At the end of what one page of the table of pages maps, too. */
	char *where = (char *)(0x200000000000ull + (1 + call->d % 3) * (2 << 20)) - PAGE_BYTES;
	size_t bytes = lengths[call->c & 4 ? 0 : call->c % 8];
	off_t offset = call->d % 8 ? 0 : (off_t)((call->d >> 8) % 4 * PAGE_BYTES) - PAGE_BYTES;
	int flag = flags[call->b & 0x80 ? 0 : call->b >> 3 & 7];
	volatile struct map *map = &maps[call->b % NR_MAPS];
	void *at;

	at = mmap(flag & (MAP_FIXED | MAP_FIXED_NOREPLACE) ? where : NULL, bytes,
		  prots[call->c & 0x40 ? 0 : call->c >> 3 & 7], flag, file_of(call->a), offset);
	if (at == MAP_FAILED)
		return -1;
	map->at = at;
	map->bytes = bytes;
	return 0;
}

/* A part of a mapping, or all, or more. */
static void part_of(const struct call *call, char **at, size_t *bytes)
{
	volatile struct map *map = &maps[call->a % NR_MAPS];

	*at = map->at + (call->b & 1 ? PAGE_BYTES : 0);
	*bytes = call->b & 2 ? PAGE_BYTES : map->bytes + (call->b & 4 ? PAGE_BYTES : 0);
}

static long do_munmap(const struct call *call)
{
	char *at;
	size_t bytes;

	part_of(call, &at, &bytes);
	return at ? munmap(at, bytes) : -1;
}

static long do_mprotect(const struct call *call)
{
	char *at;
	size_t bytes;

	part_of(call, &at, &bytes);
	return mprotect(at, bytes, call->c % 8);
}

static long do_mremap(const struct call *call)
{
	static const int flags[] = { 0, MREMAP_MAYMOVE, MREMAP_MAYMOVE | MREMAP_FIXED,
				     MREMAP_MAYMOVE | 4 /* MREMAP_DONTUNMAP */ };
	char *at;
	size_t bytes;
	void *to;

	part_of(call, &at, &bytes);
	to = mremap(at, call->d % 5 ? bytes : 0, call->c >> 2 & 1 ? bytes * 2 : bytes,
		    flags[call->c % 4], (void *)(0x210000000000ull + call->d % 16 * PAGE_BYTES));
	return to == MAP_FAILED ? -1 : 0;
}

static long do_madvise(const struct call *call)
{
	char *at;
	size_t bytes;

	part_of(call, &at, &bytes);
	return madvise(at, bytes, call->c % 26);
}

static long do_mlock(const struct call *call)
{
	char *at;
	size_t bytes;

	part_of(call, &at, &bytes);
	switch (call->c % 5) {
	case 0:
		return munlock(at, bytes);
	case 1:
		return msync(at, bytes, MS_SYNC);
	case 2:
		return mlockall(MCL_CURRENT | MCL_FUTURE);
	case 3:
		return munlockall();
	default:
		return mlock(at, bytes);
	}
}

/* Ways in which the kernel takes hold of a page, or copies it for another. */
static long do_pinned(const struct call *call)
{
	struct iovec there, here = { pages, PAGE_BYTES };
	int ends[2];
	long done;

	part_of(call, (char **)&there.iov_base, &there.iov_len);
	if (call->c & 1)
		return process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	if (call->c & 2)
		return process_vm_writev(getpid(), &here, 1, &there, 1, 0);
	if (pipe(ends))
		return -1;
	done = vmsplice(ends[1], &there, 1, call->c & 4 ? SPLICE_F_GIFT : 0);
	close(ends[0]);
	close(ends[1]);
	return done;
}

/* --- reading and writing */

static long do_write(const struct call *call)
{
	size_t length;
	char *text = fuzzed_text(call, &length);
	int fd = file_of((uint8_t)(call->d >> 16));
	void *at = call->d % 4 ? text : place((uint8_t)(call->d >> 32), text, length);

	if (call->c >> 4 == 15)
		length = ANNOT_WRITE_MAX_BYTES + (call->d >> 40) % 3;
	return call->c % 64 == 63 ? pwrite(fd, at, length, (off_t)call->d) : write(fd, at, length);
}

static long do_writev(const struct call *call)
{
	size_t length, first;
	char *text = fuzzed_text(call, &length);
	struct iovec parts[3];

	first = length ? call->d % length : 0;
	parts[0] = (struct iovec){ text, first };
	parts[1] = (struct iovec){ call->c & 16 ? NULL : place(call->b, text, 0), 0 };
	parts[2] = (struct iovec){ text + first, length - first };
	if (call->c & 32)
		parts[1] = (struct iovec){ place(call->b, text, 8), 8 };
	if (call->c & 64)
		return pwritev2(file_of((uint8_t)(call->d >> 16)), parts, 3, -1,
				call->d % 4 ? 0 : call->d >> 8 & 0x1f);
	return writev(file_of((uint8_t)(call->d >> 16)), parts, 3);
}

static long do_splice(const struct call *call)
{
	size_t length;
	char *text = fuzzed_text(call, &length);
	int fd = file_of((uint8_t)(call->d >> 16)), ends[2];
	long done = -1;

	if (call->c & 16)
		return sendfile(fd, file_of(call->b), NULL, 100);
	if (pipe(ends))
		return -1;
	if (write(ends[1], text, length) >= 0)
		done = splice(ends[0], NULL, fd, NULL, length, SPLICE_F_NONBLOCK);
	close(ends[0]);
	close(ends[1]);
	return done;
}

static long do_odd_file(const struct call *call)
{
	int fd = file_of(call->a);
	struct pollfd poll_fd = { fd, POLLIN | POLLOUT, 0 };
	struct stat status;
	char text[64] = "";

	switch (call->b % 9) {
	case 0:
		return read(fd, place(call->c, text, sizeof(text)), call->d % 200);
	case 1:
		return lseek(fd, (off_t)call->d, call->c % 5);
	case 2:
		return poll(&poll_fd, 1, 0);
	case 3:
		return fcntl(fd, F_SETFL, call->d & (O_NONBLOCK | O_APPEND | O_DIRECT | O_ASYNC));
	case 4:
		return fcntl(fd, F_SETOWN, getpid());
	case 5:
		return fstat(fd, &status);
	case 6:
		return fallocate(fd, 0, 0, PAGE_BYTES);
	case 7:
		return ftruncate(fd, (off_t)call->d);
	default:
		return pread(fd, text, sizeof(text), (off_t)(call->d % 128));
	}
}

#endif /* FUZZ_FILES_H */
