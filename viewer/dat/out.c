// SPDX-License-Identifier: GPL-2.0
#include "dat/out.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "util/diag.h"

int dat_out_failed(struct dat_out *out)
{
	if (!out->has_failed)
		diag_error("record: %s: cannot be written: %s", out->path, strerror(errno));
	out->has_failed = true;
	return -1;
}

/* They keep writes in memory and ask the server for room later. */
static bool fails_late(int fd)
{
	struct statfs system;

	if (fstatfs(fd, &system))
		return false;
	switch ((uint32_t)system.f_type) {
	case AFS_SUPER_MAGIC:
	case CEPH_SUPER_MAGIC:
	case CIFS_SUPER_MAGIC:
	case FUSE_SUPER_MAGIC:
	case NFS_SUPER_MAGIC:
	case SMB2_SUPER_MAGIC:
	case V9FS_MAGIC:
		return true;
	default:
		return false;
	}
}

int dat_out_open(struct dat_out *out, const char *path)
{
	struct stat status;

	*out = (struct dat_out){ .path = path };
	/* As trace-cmd creates it. O_NONBLOCK: a FIFO is to be refused, not waited for. */
	out->fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, 0644);
	if (out->fd < 0)
		return dat_out_failed(out);
	if (fstat(out->fd, &status) || !S_ISREG(status.st_mode)) {
		close(out->fd);
		return diag_error(
			"record: %s: is not a regular file: a trace cannot be written to a pipe or a "
			"device",
			path);
	}
	out->fails_late = fails_late(out->fd);
	return 0;
}

int dat_out_close(struct dat_out *out)
{
	int err = 0;

	/* Room that was kept and not needed goes with the second: the first one may lengthen the file. */
	/* NOLINTNEXTLINE(misc-redundant-expression) */
	if (ftruncate(out->fd, (off_t)out->at) || ftruncate(out->fd, (off_t)out->at))
		err = dat_out_failed(out);
	if (close(out->fd) && !err)
		err = dat_out_failed(out);
	out->fd = -1;
	return err;
}

int dat_out_write_at(struct dat_out *out, uint64_t at, const void *data, size_t size)
{
	const char *from = data;

	while (size) {
		ssize_t put = pwrite(out->fd, from, size, (off_t)at);

		if (put < 0 && errno == EINTR)
			continue;
		if (!put)
			errno = ENOSPC;
		if (put <= 0)
			return dat_out_failed(out);
		from += put;
		at += (uint64_t)put;
		size -= (size_t)put;
	}
	return 0;
}

int dat_out_write(struct dat_out *out, const void *data, size_t size)
{
	if (dat_out_write_at(out, out->at, data, size))
		return -1;
	out->at += size;
	return 0;
}

int dat_out_write_bytes(struct dat_out *out, const struct dat_bytes *bytes)
{
	return dat_out_write(out, bytes->data, bytes->size);
}

uint64_t dat_aligned(uint64_t at, uint32_t alignment)
{
	return (at + alignment - 1) / alignment * alignment;
}

void dat_out_align(struct dat_out *out, uint32_t alignment)
{
	out->at = dat_aligned(out->at, alignment);
}

void dat_out_reserve(const struct dat_out *out, uint64_t bytes)
{
	/* Where it cannot, a full disk shows when it is written to. */
	(void)fallocate(out->fd, FALLOC_FL_KEEP_SIZE, (off_t)out->at, (off_t)bytes);
}

int dat_out_sync(struct dat_out *out)
{
	return fdatasync(out->fd) ? dat_out_failed(out) : 0;
}
