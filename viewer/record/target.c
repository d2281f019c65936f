// SPDX-License-Identifier: GPL-2.0
#include "record/target.h"

#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "record/buffer/marker.h"
#include "util/diag.h"

int target_open(pid_t pid)
{
	/* Of a process, that is: a thread that is not its process's first is refused as invalid. */
	int fd = (int)syscall(SYS_pidfd_open, pid, 0);

	if (fd >= 0)
		return fd;
	if (errno == ESRCH)
		return diag_error("record: -p %d: there is no such process", pid);
	if (errno == EINVAL)
		return diag_error("record: -p %d: that is a thread, not a process", pid);
	return diag_error("record: -p %d: %s", pid, strerror(errno));
}

bool target_ended(int target_fd)
{
	struct pollfd ended = { .fd = target_fd, .events = POLLIN };

	return poll(&ended, 1, 0) > 0;
}

void target_mark_session(struct tracefs_instance *instance, pid_t pid)
{
	struct dirent *entry;
	DIR *directory;
	char path[32];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	directory = opendir(path);
	while (directory && (entry = readdir(directory))) {
		pid_t tid = atoi(entry->d_name);

		if (tid > 0)
			marker_write_session_of(instance, pid, tid);
	}
	if (directory)
		closedir(directory);
}
