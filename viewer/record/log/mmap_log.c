// SPDX-License-Identifier: GPL-2.0
#include "record/log/mmap_log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <tracefs.h>
#include <unistd.h>

#include "record/buffer/marker.h"
#include "record/log/build_id.h"
#include "record/log/data_maps.h"
#include "record/log/jit_maps.h"
#include "record/log/mapped_file.h"
#include "record/log/pages_log.h"
#include "trace/lines/mapping_line.h"
#include "util/diag.h"
#include "util/xalloc.h"

struct mmap_log {
	struct perf_mmap *perf_mmap;
	struct perf_mmap *data; /* NULL: mappings of data are not told */
	struct data_maps data_maps;
	bool with_pages;
	struct pages_log pages;
	pid_t pages_of; /* 0: of all processes that are heard of */
	int marker_fd;
	struct mmap_log_listener listener;
	struct jit_maps jit_maps;
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

size_t mmap_log_format(char *line, size_t size, const struct mapping *mapping, uint64_t now_ns)
{
	char build_id[2 * BUILD_ID_MAX_BYTES + 1] = "";
	uint64_t ago_ns = now_ns > mapping->time_ns ? now_ns - mapping->time_ns : 0;
	size_t length;

	for (size_t i = 0; i < mapping->build_id_bytes; i++)
		snprintf(build_id + 2 * i, 3, "%02x", mapping->build_id[i]);
	length = (size_t)snprintf(line, size,
				  "%s%d|%" PRIx64 "|%" PRIx64 "|%" PRIx64 "|%s|%" PRIu64 "@%" PRIu64
				  "|",
				  mapping->is_data ? MAPPING_DATA_LINE : MAPPING_LINE,
				  mapping->tgid, mapping->start, mapping->length,
				  mapping->offset_bytes, build_id, ago_ns, now_ns);
	length = append_path(line, size, length, mapping->path);
	return length < size && length <= MARKER_LINE_MAX_BYTES ? length : 0;
}

static void write_line(void *context, const struct mapping *mapping)
{
	char line[MARKER_LINE_MAX_BYTES + 1];
	size_t length = mmap_log_format(line, sizeof(line), mapping, now_ns());
	struct mmap_log *log = context;

	if (!length)
		log->nr_too_long++;
	else if (write(log->marker_fd, line, length) != (ssize_t)length)
		log->nr_refused++;
}

/* What is not written is not known, as much else of pages: it is not worth a warning. */
static void write_pages(void *context, const char *line, size_t length)
{
	const struct mmap_log *log = context;
	ssize_t written = write(log->marker_fd, line, length);

	(void)written;
}

static void note_pages(struct mmap_log *log, pid_t tgid)
{
	if (log->with_pages && (!log->pages_of || log->pages_of == tgid))
		pages_log_note(&log->pages, tgid, now_ns());
}

static void write_mapping(void *context, const struct mapping *mapping)
{
	struct mmap_log *log = context;

	if (log->listener.hear)
		log->listener.hear(log->listener.context, mapping);
	jit_maps_note(&log->jit_maps, mapping);
	note_pages(log, mapping->tgid);
	write_line(log, mapping);
}

static void write_data(void *context, const struct mapping *mapping)
{
	struct mmap_log *log = context;
	struct mapping data = *mapping;

	data.is_data = true;
	write_line(log, &data);
}

static void take_data(void *context, const struct mapping *mapping)
{
	struct mmap_log *log = context;

	data_maps_take(&log->data_maps, mapping, write_data, log);
}

void mmap_log_write(struct mmap_log *log)
{
	perf_mmap_read(log->perf_mmap, write_mapping, log);
	if (log->data)
		perf_mmap_read(log->data, take_data, log);
	if (log->with_pages)
		pages_log_read(&log->pages, now_ns());
}

double mmap_log_wait_s(const struct mmap_log *log)
{
	return log->with_pages ? pages_log_wait_s(&log->pages, now_ns()) : INFINITY;
}

bool mmap_log_parse_maps(char *line, struct mapping *mapping)
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
	mapping->path = path && line[path] ? line + path : MAPPING_NO_FILE;
	return may_execute == 'x';
}

static void add_build_id(struct mapping *mapping)
{
	int fd = mapped_file_open(mapping);

	if (fd < 0)
		return;
	build_id_read(mapping, fd);
	close(fd);
}

static void write_existing(struct mmap_log *log, pid_t tgid)
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

		if (!mmap_log_parse_maps(line, &mapping))
			continue;
		mapping.tgid = tgid;
		mapping.time_ns = now_ns();
		if (mapping.path[0] == '/' && mapping.path[1] != '/')
			add_build_id(&mapping);
		write_mapping(log, &mapping);
	}
	free(line);
	fclose(maps);
}

static void write_all_existing(struct mmap_log *log)
{
	DIR *directory = opendir("/proc");
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		int tgid = atoi(entry->d_name);

		if (tgid > 0)
			write_existing(log, tgid);
	}
	if (directory)
		closedir(directory);
}

/*
 * In buffers of their own: programs may map so much data that records are lost, and those of code must not be. Without
 * them, less is known of data.
 */
static void open_data(struct mmap_log *log, enum perf_mmap_scope scope)
{
	struct epoll_event interest = { .events = EPOLLIN };

	if (perf_mmap_open(&log->data, scope, PERF_MMAP_DATA, false))
		return;
	if (epoll_ctl(perf_mmap_fd(log->perf_mmap), EPOLL_CTL_ADD, perf_mmap_fd(log->data),
		      &interest)) {
		perf_mmap_close(log->data);
		log->data = NULL;
	}
}

struct mmap_log *mmap_log_open(struct tracefs_instance *instance, enum mmap_log_scope of, pid_t pid,
			       bool with_data, struct mmap_log_listener listener)
{
	enum perf_mmap_scope scope = of == MMAP_LOG_CHILDREN ? PERF_MMAP_CHILDREN :
							       PERF_MMAP_MACHINE;
	struct mmap_log *log = xcalloc(1, sizeof(*log));
	int error;

	log->listener = listener;
	log->with_pages = with_data;
	log->pages_of = of == MMAP_LOG_PROCESS ? pid : 0;
	pages_log_init(&log->pages, write_pages, log);
	log->marker_fd = tracefs_instance_file_open(instance, "trace_marker", O_WRONLY | O_CLOEXEC);
	error = log->marker_fd < 0 ?
			errno :
			perf_mmap_open(&log->perf_mmap, scope, PERF_MMAP_CODE, listener.hear);
	if (error) {
		diag_warn(
			"record: samples will have no function names: the kernel does not report which files programs map: %s",
			strerror(error));
		mmap_log_close(log);
		return NULL;
	}
	if (with_data)
		open_data(log, scope);
	/* New mappings are reported from here on, so none is missed. */
	if (of == MMAP_LOG_PROCESS)
		write_existing(log, pid);
	else if (of == MMAP_LOG_ALL)
		write_all_existing(log);
	return log;
}

int mmap_log_fd(const struct mmap_log *log)
{
	return perf_mmap_fd(log->perf_mmap);
}

static void print_missing(const struct mmap_log *log)
{
	uint64_t nr_lost = perf_mmap_nr_lost(log->perf_mmap);

	if (nr_lost || log->nr_too_long || log->nr_refused)
		diag_warn("record: %" PRIu64 " mapped files are not in the trace (%" PRIu64
			  " lost by the kernel, %" PRIu64 " with too long a name, %" PRIu64
			  " refused by trace_marker): samples in them will have no function names",
			  nr_lost + log->nr_too_long + log->nr_refused, nr_lost, log->nr_too_long,
			  log->nr_refused);
	if (log->jit_maps.is_cut)
		diag_warn(
			"record: of the functions in /tmp/perf-PID.map only the last %d have names",
			JIT_FUNCTIONS_MAX);
}

void mmap_log_close(struct mmap_log *log)
{
	if (!log)
		return;
	if (log->perf_mmap) {
		mmap_log_write(log);
		data_maps_finish(&log->data_maps, write_data, log);
		pages_log_finish(&log->pages);
		jit_maps_read(&log->jit_maps, now_ns(), write_line, log);
		print_missing(log);
	}
	jit_maps_free(&log->jit_maps);
	data_maps_free(&log->data_maps);
	pages_log_free(&log->pages);
	perf_mmap_close(log->data);
	perf_mmap_close(log->perf_mmap);
	if (log->marker_fd >= 0)
		close(log->marker_fd);
	free(log);
}
