// SPDX-License-Identifier: GPL-2.0
/*
 * A file that is opened with O_PATH alone is not asked for anything; nor is it by statx() that may tell
 * what is known already.
 */
#include "record/log/careful_open.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool careful_mount_type(const char *line, uint64_t id, char type[MOUNT_TYPE_BYTES])
{
	const char *fields = strstr(line, " - ");
	uint64_t found;

	return fields && sscanf(line, "%" SCNu64 " ", &found) == 1 && found == id &&
	       sscanf(fields, " - %31s", type) == 1;
}

/* As the process @pid sees it; 0: this one. */
static bool find_type(pid_t pid, uint64_t id, char type[MOUNT_TYPE_BYTES])
{
	char path[48] = "/proc/self/mountinfo", *line = NULL;
	bool is_found = false;
	size_t size = 0;
	FILE *mounts;

	if (pid)
		snprintf(path, sizeof(path), "/proc/%d/mountinfo", pid);
	mounts = fopen(path, "re");
	while (mounts && !is_found && getline(&line, &size, mounts) > 0)
		is_found = careful_mount_type(line, id, type);
	free(line);
	if (mounts)
		fclose(mounts);
	return is_found;
}

/* Who is root in a namespace of his own may mount what is below an overlay there. @pid as in find_type(). */
static bool is_of_own_namespace(pid_t pid)
{
	struct stat here, there;
	char path[48];

	if (!pid)
		return true;
	snprintf(path, sizeof(path), "/proc/%d/ns/user", pid);
	return !stat("/proc/self/ns/user", &here) && !stat(path, &there) &&
	       here.st_ino == there.st_ino && here.st_dev == there.st_dev;
}

static bool look_at(int fd, struct statx *file)
{
	return !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE | STATX_MNT_ID,
		      file) &&
	       file->stx_mask & STATX_MNT_ID;
}

static bool is_careful_mount(pid_t pid, uint64_t id)
{
	char type[MOUNT_TYPE_BYTES];

	if (!find_type(pid, id, type) && !find_type(0, id, type))
		return false;
	if (!strncmp(type, "fuse", strlen("fuse")))
		return false;
	return strcmp(type, "overlay") || is_of_own_namespace(pid);
}

/* Opens what was opened with O_PATH for reading, if @may_be; closes @place. */
static int open_again(int place, bool may_be)
{
	int fd = -1, error = EXDEV;
	char again[32];

	if (may_be) {
		snprintf(again, sizeof(again), "/proc/self/fd/%d", place);
		fd = open(again, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		error = errno;
	}
	close(place);
	errno = error;
	return fd;
}

int careful_open(const char *path, int flags, pid_t pid)
{
	int place = open(path, O_PATH | O_CLOEXEC | flags);
	struct statx file;

	if (place < 0)
		return -1;
	return open_again(place, look_at(place, &file) && S_ISREG(file.stx_mode) &&
					 is_careful_mount(pid, file.stx_mnt_id));
}

int careful_open_directory(int at, const char *name, int flags, pid_t pid)
{
	int fd = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC | flags);
	struct statx directory;

	if (fd < 0)
		return -1;
	if (look_at(fd, &directory) && is_careful_mount(pid, directory.stx_mnt_id))
		return fd;
	close(fd);
	errno = EXDEV;
	return -1;
}

int careful_open_in(int directory, const char *name)
{
	int place = openat(directory, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct statx file, around;

	if (place < 0)
		return -1;
	return open_again(place, look_at(place, &file) && S_ISREG(file.stx_mode) &&
					 look_at(directory, &around) &&
					 file.stx_mnt_id == around.stx_mnt_id);
}
