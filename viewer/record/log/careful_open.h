/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens files that anybody may have made. Anybody may also be the server of a FUSE filesystem: who opens a
 * file there waits for as long as that one likes, and cannot even be killed.
 */
#ifndef ANNOT_RECORD_LOG_CAREFUL_OPEN_H
#define ANNOT_RECORD_LOG_CAREFUL_OPEN_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#define MOUNT_TYPE_BYTES 32

/*
 * Opens a regular file for reading. @flags: O_NOFOLLOW or 0. @pid: a process that knows its mount.
 * Return: -1 with errno; EXDEV: it is no regular file, or it is not told where it is mounted, or that is a
 * FUSE filesystem, or one that hides another beneath it, mounted by who is not root here.
 */
int careful_open(const char *path, int flags, pid_t pid);

/*
 * Opens a directory, in which to open others and files. @at: one opened so, or AT_FDCWD. @flags, @pid, errors:
 * as careful_open(). It is held, whatever becomes of the process and of its mounts.
 */
int careful_open_directory(int at, const char *name, int flags, pid_t pid);

/*
 * Opens a regular file of that name in @directory, for reading; no link is followed. EXDEV: it is none, or
 * something else is mounted there.
 */
int careful_open_in(int directory, const char *name);

/* Whether a line of /proc/PID/mountinfo is of mount @id; if so, @type is its filesystem's. */
bool careful_mount_type(const char *line, uint64_t id, char type[MOUNT_TYPE_BYTES]);

#endif /* ANNOT_RECORD_LOG_CAREFUL_OPEN_H */
