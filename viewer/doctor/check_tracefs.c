// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's tracing directory: is it there, and may it be used?
 */
#include "doctor/check_tracefs.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "doctor/machine_files.h"
#include "doctor/paths.h"

/* What annot record opens: in an instance of its own or, where none can be had, here. */
static const struct needed_file {
	const char *file;
	int flags;
} needed_files[] = {
	{ "tracing_on", O_RDWR },
	{ "trace_clock", O_RDWR },
	{ "buffer_size_kb", O_WRONLY },
	{ "events/enable", O_WRONLY },
	{ "events/sched/sched_switch/enable", O_WRONLY },
	{ "per_cpu/cpu0/trace_pipe_raw", O_RDONLY },
};

#define NR_NEEDED_FILES (sizeof(needed_files) / sizeof(needed_files[0]))

void doctor_check_tracefs(const struct machine *machine, struct verdict *verdict)
{
	char dir[PATH_MAX];
	bool read_only;

	if (machine_tracing_dir(machine, dir, &read_only)) {
		verdict_say(verdict, read_only ? SEVERITY_PREVENTS : SEVERITY_OK,
			    "tracefs is mounted on %s%s", dir, read_only ? ", read-only" : "");
		if (read_only)
			verdict_cure(verdict, "sudo mount -o remount,rw %s", dir);
	} else if (!machine_file_has_word(machine, PATH_FILESYSTEMS, "tracefs")) {
		verdict_say(verdict, SEVERITY_PREVENTS, "this kernel has no tracefs");
		verdict_cure(verdict, "boot a kernel with CONFIG_FTRACE, as Debian's have it");
	} else {
		/* annot record mounts it when it may. */
		verdict_say(verdict, machine->euid ? SEVERITY_PREVENTS : SEVERITY_LIMITS,
			    "tracefs is not mounted");
		verdict_cure(verdict, "sudo mount -t tracefs nodev /sys/kernel/tracing");
	}
}

/* The group that has the access @flags to @path in @dir by its mode; false: there is none. */
static bool privileged_group(const struct machine *machine, const char *dir, const char *path,
			     int flags, char *name, size_t size)
{
	mode_t needed = (flags & O_ACCMODE) == O_RDONLY ? S_IRGRP : S_IWGRP;
	char full[PATH_MAX];
	struct stat directory, file;
	const struct group *group;

	if (stat(machine_file_path(machine, dir, full), &directory) ||
	    !(directory.st_mode & S_IXGRP))
		return false;
	/* Outside that group not even the file's mode is shown: then the directory's must do. */
	if (!stat(machine_file_path(machine, path, full), &file) && !(file.st_mode & needed))
		return false;
	group = directory.st_gid ? getgrgid(directory.st_gid) : NULL;
	snprintf(name, size, "%s", group ? group->gr_name : "");
	return group != NULL;
}

static void refuse_file(const struct machine *machine, const char *dir,
			const struct needed_file *needed, int error, struct verdict *verdict)
{
	char path[PATH_MAX], group[64];

	snprintf(path, sizeof(path), "%.2000s/%s", dir, needed->file);
	if (error == EROFS) {
		verdict_say(verdict, SEVERITY_PREVENTS, "%s: %s", dir, strerror(error));
		verdict_cure(verdict, "sudo mount -o remount,rw %s", dir);
	} else if (error != EACCES && error != EPERM) {
		verdict_say(verdict, SEVERITY_PREVENTS, "%s: %s", needed->file, strerror(error));
		verdict_cure(verdict, "boot a kernel with CONFIG_FTRACE, as Debian's have it");
	} else if (!machine->euid) {
		verdict_say(verdict, SEVERITY_PREVENTS, "%s: refused even to root", path);
		verdict_cure(verdict, "tracing is locked: try another kernel, or no container");
	} else if (privileged_group(machine, dir, path, needed->flags, group, sizeof(group))) {
		verdict_say(verdict, SEVERITY_PREVENTS, "%s: only root and the group '%s' may", dir,
			    group);
		verdict_cure(verdict, "sudo adduser %s %s, and log in again", machine->user, group);
	} else {
		verdict_say(verdict, SEVERITY_PREVENTS, "%s: only root has access", path);
		verdict_cure(verdict, "use sudo, or open tracing to a group: man annot-record");
	}
}

/* Only an open() knows what a security module or a locked-down kernel will say. */
static int try_file(const struct machine *machine, const char *dir,
		    const struct needed_file *needed)
{
	char path[PATH_MAX], full[PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%.2000s/%s", dir, needed->file);
	fd = open(machine_file_path(machine, path, full), needed->flags | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

void doctor_check_access(const struct machine *machine, struct verdict *verdict)
{
	char dir[PATH_MAX];

	if (!machine_tracing_dir(machine, dir, NULL)) {
		verdict_say(verdict, SEVERITY_UNKNOWN, "tracefs is not mounted");
		return;
	}
	for (size_t i = 0; i < NR_NEEDED_FILES; i++) {
		int error = try_file(machine, dir, &needed_files[i]);

		if (error) {
			refuse_file(machine, dir, &needed_files[i], error, verdict);
			return;
		}
	}
	verdict_say(verdict, SEVERITY_OK, "%s may trace", machine->user);
}
