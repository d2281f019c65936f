// SPDX-License-Identifier: GPL-2.0
/*
 * Anybody may write such a file, of any process. It is only believed of the process's own user, who may call
 * his functions what he likes; and it is read up to a limit.
 */
#include "record/log/jit_maps.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/log/careful_open.h"
#include "trace/lines/mapping_line.h"
#include "util/xalloc.h"

#define PROCESSES_MAX 256
#define FILE_MAX_BYTES (16 << 20)
#define PATH_BYTES 256

struct jit_process {
	pid_t tgid;
	uid_t user;
};

static bool is_in_no_file(const char *path)
{
	return !strncmp(path, MAPPING_NO_FILE, strlen(MAPPING_NO_FILE)) ||
	       !strncmp(path, MAPPING_MEMFD, strlen(MAPPING_MEMFD));
}

static bool is_known(const struct jit_maps *maps, pid_t tgid)
{
	for (size_t i = 0; i < maps->nr; i++) {
		if (maps->processes[i].tgid == tgid)
			return true;
	}
	return false;
}

void jit_maps_note(struct jit_maps *maps, const struct mapping *mapping)
{
	struct stat process;
	char path[32];

	if (!is_in_no_file(mapping->path) || maps->nr == PROCESSES_MAX ||
	    is_known(maps, mapping->tgid))
		return;
	snprintf(path, sizeof(path), "/proc/%d", mapping->tgid);
	if (stat(path, &process))
		return;
	ARRAY_MAKE_ROOM(maps->processes, maps->nr, maps->capacity);
	maps->processes[maps->nr++] = (struct jit_process){ .tgid = mapping->tgid,
							    .user = process.st_uid };
}

/* Its end, if it is too long; the compilers write last what runs most. NULL: there is none. */
static char *read_end(int fd, off_t size, size_t *bytes)
{
	off_t from = size > FILE_MAX_BYTES ? size - FILE_MAX_BYTES : 0;
	char *text = xcalloc((size_t)(size - from) + 1, 1);
	ssize_t nr = 1;

	for (*bytes = 0; nr > 0 && from + (off_t)*bytes<size; *bytes += nr> 0 ? (size_t)nr : 0)
		nr = pread(fd, text + *bytes, (size_t)(size - from) - *bytes, from + (off_t)*bytes);
	return text;
}

/* NULL: there is no such file, or it is another user's. */
static char *read_map(const struct jit_maps *maps, const struct jit_process *process, size_t *bytes)
{
	char *text = NULL;
	struct stat file;
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/perf-%d.map", maps->directory ? maps->directory : "/tmp",
		 process->tgid);
	fd = careful_open(path, O_NOFOLLOW, 0);
	if (fd < 0)
		return NULL;
	if (!fstat(fd, &file) && file.st_uid == process->user)
		text = read_end(fd, file.st_size, bytes);
	close(fd);
	return text;
}

/* @line has no end of line. The name that it ends in goes behind MAPPING_FUNCTION in @path. */
static bool parse_line(const char *line, struct mapping *mapping, char path[PATH_BYTES])
{
	int at = 0;

	if (sscanf(line, "%" SCNx64 " %" SCNx64 " %n", &mapping->start, &mapping->length, &at) !=
		    2 ||
	    !at || !line[at] || !mapping->length ||
	    mapping->length - 1 > UINT64_MAX - mapping->start)
		return false;
	snprintf(path, PATH_BYTES, MAPPING_FUNCTION "%s", line + at);
	mapping->path = path;
	return true;
}

/* Where the last lines begin, of which there may be so many. */
static char *last_lines(struct jit_maps *maps, char *text, size_t bytes)
{
	size_t nr = 0;

	for (char *at = text + bytes; at > text; at--) {
		if (at[-1] == '\n' && at < text + bytes && ++nr == JIT_FUNCTIONS_MAX) {
			maps->is_cut = true;
			return at;
		}
	}
	return text;
}

static void take_lines(char *text, struct mapping mapping, perf_mmap_handler take, void *context)
{
	char path[PATH_BYTES];

	while (*text) {
		char *end = text + strcspn(text, "\n");
		bool is_last = !*end;

		*end = '\0';
		if (parse_line(text, &mapping, path))
			take(context, &mapping);
		if (is_last)
			break;
		text = end + 1;
	}
}

void jit_maps_read(struct jit_maps *maps, uint64_t now_ns, perf_mmap_handler take, void *context)
{
	for (size_t i = 0; i < maps->nr; i++) {
		const struct mapping mapping = { .tgid = maps->processes[i].tgid,
						 .time_ns = now_ns };
		size_t bytes;
		char *text = read_map(maps, &maps->processes[i], &bytes);

		if (!text)
			continue;
		take_lines(last_lines(maps, text, bytes), mapping, take, context);
		free(text);
	}
}

void jit_maps_free(struct jit_maps *maps)
{
	free(maps->processes);
	*maps = (struct jit_maps){ 0 };
}
