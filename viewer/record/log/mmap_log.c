// SPDX-License-Identifier: GPL-2.0
#include "record/log/mmap_log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "trace/decode/mapping_line.h"
#include "util/diag.h"
#include "util/xalloc.h"

/* Kernels before 6.9 cut off what is longer than 1 KiB. */
#define LINE_MAX_BYTES 1000

struct mapper {
	struct sideband *sideband;
	int marker_fd;
	uint64_t nr_too_long;
	uint64_t nr_refused;
};

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Appends @path to @line, of @size bytes and @length so far; returns the length then. */
static size_t append_path(char *line, size_t size, size_t length, const char *path)
{
	for (; *path && length < size; path++) {
		unsigned char c = (unsigned char)*path;
		bool plain = c >= ' ' && c != 0x7f;

		/* As in /proc/PID/maps: a path may hold anything, but a line of text may not. */
		length += (size_t)snprintf(line + length, size - length, plain ? "%c" : "\\%03o",
					   c);
	}
	return length;
}

size_t mapper_format(char *line, size_t size, const struct mapping *mapping, uint64_t now_ns)
{
	char build_id[2 * BUILD_ID_MAX_BYTES + 1] = "";
	uint64_t ago_ns = now_ns > mapping->time_ns ? now_ns - mapping->time_ns : 0;
	size_t length;

	for (size_t i = 0; i < mapping->build_id_bytes; i++)
		snprintf(build_id + 2 * i, 3, "%02x", mapping->build_id[i]);
	length = (size_t)snprintf(line, size,
				  MAPPING_LINE "%d|%" PRIx64 "|%" PRIx64 "|%" PRIx64 "|%s|%" PRIu64
					       "|",
				  mapping->tgid, mapping->start, mapping->length,
				  mapping->offset_bytes, build_id, ago_ns);
	length = append_path(line, size, length, mapping->path);
	return length < size && length <= LINE_MAX_BYTES ? length : 0;
}

static void write_mapping(void *context, const struct mapping *mapping)
{
	char line[LINE_MAX_BYTES + 1];
	size_t length = mapper_format(line, sizeof(line), mapping, now_ns());
	struct mapper *mapper = context;

	if (!length)
		mapper->nr_too_long++;
	else if (write(mapper->marker_fd, line, length) != (ssize_t)length)
		mapper->nr_refused++;
}

void mapper_write(struct mapper *mapper)
{
	sideband_read(mapper->sideband, write_mapping, mapper);
}

bool mapper_parse_maps(char *line, struct mapping *mapping)
{
	uint64_t end;
	char may_execute;
	int path = 0;

	line[strcspn(line, "\n")] = '\0';
	*mapping = (struct mapping){ 0 };
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*c%*c%c%*c %" SCNx64 " %*s %*s %n",
		   &mapping->start, &end, &may_execute, &mapping->offset_bytes, &path) != 4)
		return false;
	mapping->length = end - mapping->start;
	/* The kernel's own records name memory without a file so. */
	mapping->path = path && line[path] ? line + path : "//anon";
	return may_execute == 'x';
}

/* The file itself, whatever has become of its name. */
static void add_build_id(struct mapping *mapping)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64, mapping->tgid,
		 mapping->start, mapping->start + mapping->length);
	mapping_read_build_id(mapping, path);
}

static void write_existing(struct mapper *mapper, pid_t tgid)
{
	char path[32], *line = NULL;
	size_t size = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", tgid);
	maps = fopen(path, "re");
	if (!maps)
		return;
	while (getline(&line, &size, maps) > 0) {
		struct mapping mapping;

		if (!mapper_parse_maps(line, &mapping))
			continue;
		mapping.tgid = tgid;
		mapping.time_ns = now_ns();
		if (mapping.path[0] == '/' && mapping.path[1] != '/')
			add_build_id(&mapping);
		write_mapping(mapper, &mapping);
	}
	free(line);
	fclose(maps);
}

static void write_all_existing(struct mapper *mapper)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		int tgid = atoi(entry->d_name);

		if (tgid > 0)
			write_existing(mapper, tgid);
	}
	if (directory)
		closedir(directory);
}

struct mapper *mapper_open(struct tracefs_instance *instance, enum mapper_of of, pid_t pid)
{
	enum sideband_scope scope = of == MAPPER_OF_CHILDREN ? SIDEBAND_CHILDREN : SIDEBAND_MACHINE;
	struct mapper *mapper = xcalloc(1, sizeof(*mapper));
	int error;

	mapper->marker_fd = tracefs_instance_file_open(instance, "trace_marker",
						       O_WRONLY | O_CLOEXEC);
	error = mapper->marker_fd < 0 ? errno : sideband_open(&mapper->sideband, scope);
	if (error) {
		diag_warn("record: samples will have no function names: the kernel does not tell "
			  "what programs map: %s",
			  strerror(error));
		mapper_close(mapper);
		return NULL;
	}
	/* New mappings are told from here on, so none falls between. */
	if (of == MAPPER_OF_PROCESS)
		write_existing(mapper, pid);
	else if (of == MAPPER_OF_ALL)
		write_all_existing(mapper);
	return mapper;
}

int mapper_fd(const struct mapper *mapper)
{
	return sideband_fd(mapper->sideband);
}

static void tell_missing(const struct mapper *mapper)
{
	uint64_t nr_lost = sideband_nr_lost(mapper->sideband);

	if (nr_lost || mapper->nr_too_long || mapper->nr_refused)
		diag_warn("record: %" PRIu64 " mapped files are not in the trace (%" PRIu64
			  " lost by the kernel, %" PRIu64 " of too long a name, %" PRIu64
			  " refused by trace_marker): samples in them will have no function names",
			  nr_lost + mapper->nr_too_long + mapper->nr_refused, nr_lost,
			  mapper->nr_too_long, mapper->nr_refused);
}

void mapper_close(struct mapper *mapper)
{
	if (!mapper)
		return;
	if (mapper->sideband) {
		mapper_write(mapper);
		tell_missing(mapper);
	}
	sideband_close(mapper->sideband);
	if (mapper->marker_fd >= 0)
		close(mapper->marker_fd);
	free(mapper);
}
