// SPDX-License-Identifier: GPL-2.0
#include "record/helpers.h"

#include <dirent.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STAT_MAX_BYTES 512

struct process {
	pid_t pid;
	pid_t parent;
	char state;
};

/* What /proc/PID/stat says; its second field is a name that may hold anything, in parentheses. */
static bool read_process(const char *pid, struct process *process)
{
	char path[PATH_MAX], text[STAT_MAX_BYTES];
	const char *rest;
	size_t length;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%s/stat", pid);
	file = fopen(path, "re");
	if (!file)
		return false;
	length = fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	text[length] = '\0';
	rest = strrchr(text, ')');
	process->pid = (pid_t)strtol(pid, NULL, 10);
	return rest && sscanf(rest, ") %c %d", &process->state, &process->parent) == 2;
}

/* Is it OUTPUT.cpuN? As seen from the end of a path: links may lead there by another way. */
static bool is_cpu_file(const char *path, const char *output)
{
	const char *slash = strrchr(output, '/');
	const char *name = slash ? slash + 1 : output;
	const char *file = strrchr(path, '/');
	size_t length = strlen(name);

	return file && !strncmp(file + 1, name, length) &&
	       !strncmp(file + 1 + length, ".cpu", strlen(".cpu"));
}

/* The bytes that a helper has written, or -1 while it has not opened its file. */
static off_t bytes_written(pid_t pid, const char *output)
{
	char directory[64], link[PATH_MAX], target[PATH_MAX];
	struct dirent *entry;
	off_t bytes = -1;
	DIR *fds;

	snprintf(directory, sizeof(directory), "/proc/%d/fd", (int)pid);
	fds = opendir(directory);
	while (fds && bytes < 0 && (entry = readdir(fds))) {
		struct stat status;
		ssize_t length;

		snprintf(link, sizeof(link), "%s/%s", directory, entry->d_name);
		length = readlink(link, target, sizeof(target) - 1);
		target[length > 0 ? length : 0] = '\0';
		if (is_cpu_file(target, output) && !stat(link, &status))
			bytes = status.st_size;
	}
	if (fds)
		closedir(fds);
	return bytes;
}

/*
 * It opens its file with its signal handlers installed, and goes on to its reading without a
 * pause: the first thing it ever waits for, interruptibly, are events.
 */
static bool reads(const struct process *helper, const char *output)
{
	off_t bytes = bytes_written(helper->pid, output);

	return bytes > 0 || (bytes == 0 && helper->state == 'S');
}

int helpers_count_reading(pid_t trace_cmd, const char *output)
{
	DIR *proc = opendir("/proc");
	struct dirent *entry;
	int nr = 0;

	while (proc && (entry = readdir(proc))) {
		struct process process;

		if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
			continue;
		if (read_process(entry->d_name, &process) && process.parent == trace_cmd &&
		    reads(&process, output))
			nr++;
	}
	if (proc)
		closedir(proc);
	return nr;
}
