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

/*
 * @own_tgid:	its number in its own PID namespace
 * @tmp:	its /tmp, if that is not ours; -1: it may not be looked at
 */
struct jit_process {
	pid_t tgid;
	pid_t own_tgid;
	uid_t user;
	bool has_our_tmp;
	int tmp;
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

static bool find_identity(struct jit_process *process)
{
	char path[32], line[256];
	bool has_user = false;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/status", process->tgid);
	status = fopen(path, "re");
	if (!status)
		return false;
	process->own_tgid = process->tgid;
	while (fgets(line, sizeof(line), status)) {
		has_user |= sscanf(line, "Uid: %*u %u", &process->user) == 1;
		/* In each of its namespaces, the innermost last. */
		if (!strncmp(line, "NSpid:", strlen("NSpid:")))
			process->own_tgid = atoi(strrchr(line, '\t') + 1);
	}
	fclose(status);
	return has_user;
}

static bool is_same_place(int fd, const char *path)
{
	const unsigned int mask = STATX_INO | STATX_MNT_ID;
	struct statx one, other;

	return !statx(fd, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, mask, &one) &&
	       !statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, mask, &other) &&
	       one.stx_mnt_id == other.stx_mnt_id && one.stx_ino == other.stx_ino;
}

static void find_tmp(struct jit_process *process)
{
	char path[32];
	int root;

	snprintf(path, sizeof(path), "/proc/%d/root", process->tgid);
	root = careful_open_directory(AT_FDCWD, path, 0, process->tgid);
	process->tmp = root < 0 ? -1 :
				  careful_open_directory(root, "tmp", O_NOFOLLOW, process->tgid);
	process->has_our_tmp = process->tmp >= 0 && is_same_place(process->tmp, "/tmp");
	if (process->has_our_tmp) {
		close(process->tmp);
		process->tmp = -1;
	}
	if (root >= 0)
		close(root);
}

void jit_maps_note(struct jit_maps *maps, const struct mapping *mapping)
{
	struct jit_process process = { .tgid = mapping->tgid };

	if (!is_in_no_file(mapping->path) || maps->nr == PROCESSES_MAX ||
	    is_known(maps, mapping->tgid) || !find_identity(&process))
		return;
	find_tmp(&process);
	ARRAY_MAKE_ROOM(maps->processes, maps->nr, maps->capacity);
	maps->processes[maps->nr++] = process;
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

static int open_map(const struct jit_maps *maps, const struct jit_process *process)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/perf-%d.map", maps->directory ? maps->directory : "/tmp",
		 process->own_tgid);
	if (process->has_our_tmp)
		return careful_open(path, O_NOFOLLOW, 0);
	return process->tmp < 0 ? -1 : careful_open_in(process->tmp, strrchr(path, '/') + 1);
}

/* NULL: there is no such file, or it is another user's. */
static char *read_map(const struct jit_maps *maps, const struct jit_process *process, size_t *bytes)
{
	int fd = open_map(maps, process);
	char *text = NULL;
	struct stat file;

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
	for (size_t i = 0; i < maps->nr; i++) {
		if (maps->processes[i].tmp >= 0)
			close(maps->processes[i].tmp);
	}
	free(maps->processes);
	*maps = (struct jit_maps){ 0 };
}
