// SPDX-License-Identifier: GPL-2.0
#include "dat/formats.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/diag.h"

#define FTRACE "ftrace"

static int is_visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

/* The names in a directory, sorted, so that two recordings differ in what they recorded only. */
static int list_directory(int dir_fd, const char *name, struct dirent ***entries)
{
	return scandirat(dir_fd, name, entries, is_visible, alphasort);
}

static void free_list(struct dirent **entries, int nr)
{
	for (int i = 0; i < nr; i++)
		free(entries[i]);
	free(entries);
}

/* Returns whether it is an event, and may be read. */
static bool add_format(struct dat_bytes *bytes, int system_fd, const char *event)
{
	size_t at = bytes->size;
	char name[NAME_MAX + sizeof("/format")];

	snprintf(name, sizeof(name), "%s/format", event);
	dat_bytes_add_u64(bytes, 0);
	if (dat_bytes_add_file(bytes, system_fd, name)) {
		bytes->size = at;
		return false;
	}
	dat_bytes_set_u64(bytes, at, bytes->size - at - sizeof(uint64_t));
	return true;
}

/* Returns how many events it has; below 0: it is no system, or may not be read. */
static int add_system(struct dat_bytes *bytes, int events_fd, const char *system)
{
	int system_fd = openat(events_fd, system, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int nr = system_fd < 0 ? -1 : 0, nr_entries;
	struct dirent **entries;
	size_t at = bytes->size;

	if (nr < 0)
		return -1;
	dat_bytes_add_u32(bytes, 0);
	nr_entries = list_directory(system_fd, ".", &entries);
	for (int i = 0; i < nr_entries; i++)
		nr += add_format(bytes, system_fd, entries[i]->d_name);
	if (nr_entries >= 0)
		free_list(entries, nr_entries);
	close(system_fd);
	dat_bytes_set_u32(bytes, at, (uint32_t)nr);
	return nr;
}

static int open_events(const char *tracing_dir, char path[PATH_MAX])
{
	int fd;

	snprintf(path, PATH_MAX, "%s/events", tracing_dir);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return diag_error("record: %s: %s", path, strerror(errno));
	return fd;
}

int dat_add_ftrace_formats(struct dat_bytes *bytes, const char *tracing_dir)
{
	char path[PATH_MAX];
	int events_fd = open_events(tracing_dir, path);
	int nr;

	if (events_fd < 0)
		return -1;
	nr = add_system(bytes, events_fd, FTRACE);
	close(events_fd);
	if (nr <= 0)
		return diag_error("record: %s/" FTRACE ": no event's format can be read", path);
	return 0;
}

/* Returns whether it has events. */
static bool add_named_system(struct dat_bytes *bytes, int events_fd, const char *system)
{
	size_t at = bytes->size;

	if (!strcmp(system, FTRACE))
		return false;
	dat_bytes_add_string(bytes, system);
	if (add_system(bytes, events_fd, system) > 0)
		return true;
	bytes->size = at;
	return false;
}

int dat_add_event_formats(struct dat_bytes *bytes, const char *tracing_dir)
{
	char path[PATH_MAX];
	int events_fd = open_events(tracing_dir, path);
	struct dirent **entries;
	uint32_t nr = 0;
	int nr_entries;

	if (events_fd < 0)
		return -1;
	dat_bytes_add_u32(bytes, 0);
	nr_entries = list_directory(events_fd, ".", &entries);
	for (int i = 0; i < nr_entries; i++)
		nr += add_named_system(bytes, events_fd, entries[i]->d_name);
	if (nr_entries >= 0)
		free_list(entries, nr_entries);
	close(events_fd);
	dat_bytes_set_u32(bytes, 0, nr);
	return nr ? 0 : diag_error("record: %s: no event's format can be read", path);
}
