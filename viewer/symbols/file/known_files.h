/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The files that a trace names, each opened once.
 */
#ifndef ANNOT_SYMBOLS_KNOWN_FILES_H
#define ANNOT_SYMBOLS_KNOWN_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/file/object.h"

struct trace;

/* A file, as the trace describes it. Texts are string ids. */
struct known_file {
	uint32_t path;
	uint32_t build_id;
	uint32_t name; /* without its directory */
	uint32_t function; /* that it is itself; TRACE_NO_STRING: none */
	struct object *object; /* NULL: it is no file */
};

/* The caller sets @trace, which must outlive it. */
struct known_files {
	struct trace *trace;
	size_t nr;
	struct known_file *files;
};

/* Its index in files, which stays. */
uint32_t known_files_find(struct known_files *files, uint32_t path, uint32_t build_id);

/* A file as the name of a mark tells it, with as many digits of the build-id as there was room for. */
struct told_file {
	const char *path;
	size_t path_bytes;
	const char *build_id;
	size_t build_id_bytes;
};

/* The same: one that was found by a mapping, which tells all of the build-id, is not opened again. */
uint32_t known_files_find_told(struct known_files *files, const struct told_file *told);
void known_files_free(struct known_files *files);

/* Others are "[heap]", "[vdso]", "//anon", ... */
bool known_file_is_path(const char *name);

#endif /* ANNOT_SYMBOLS_KNOWN_FILES_H */
