// SPDX-License-Identifier: GPL-2.0
#include "symbols/file/known_files.h"

#include <stdlib.h>
#include <string.h>

#include "symbols/names/symbol_name.h"
#include "trace/lines/mapping_line.h"
#include "trace/trace.h"
#include "util/file_path.h"
#include "util/xalloc.h"

bool known_file_is_path(const char *name)
{
	return name[0] == '/' && name[1] != '/';
}

static uint32_t add_file(struct known_files *files, uint32_t path, uint32_t build_id)
{
	const char *string = trace_string(files->trace, path);
	struct known_file known = { .path = path,
				    .build_id = build_id,
				    .function = TRACE_NO_STRING };
	size_t nr = files->nr;

	known.name = trace_intern(files->trace,
				  known_file_is_path(string) ? file_path_name(string) : string);
	if (!strncmp(string, MAPPING_FUNCTION, strlen(MAPPING_FUNCTION))) {
		string += strlen(MAPPING_FUNCTION);
		known.name = trace_intern(files->trace, "[jit]");
		known.function = symbol_name_intern(files->trace, string, strlen(string));
		string = "";
	}
	if (known_file_is_path(string) && !file_path_is_deleted(string))
		known.object = object_open(string, trace_string(files->trace, build_id));
	files->files = xrealloc_array(files->files, nr + 1, sizeof(*files->files));
	files->files[files->nr++] = known;
	return (uint32_t)nr;
}

uint32_t known_files_find(struct known_files *files, uint32_t path, uint32_t build_id)
{
	for (uint32_t i = 0; i < files->nr; i++) {
		if (files->files[i].path == path && files->files[i].build_id == build_id)
			return i;
	}
	return add_file(files, path, build_id);
}

static bool is_told(const struct known_files *files, const struct known_file *known,
		    const struct told_file *told)
{
	const char *path = trace_string(files->trace, known->path);
	const char *build_id = trace_string(files->trace, known->build_id);

	return strlen(path) == told->path_bytes && !memcmp(path, told->path, told->path_bytes) &&
	       !strncmp(build_id, told->build_id, told->build_id_bytes);
}

static uint32_t intern_bytes(struct trace *trace, const char *bytes, size_t nr)
{
	char *string = xstrndup(bytes, nr);
	uint32_t id = trace_intern(trace, string);

	free(string);
	return id;
}

uint32_t known_files_find_told(struct known_files *files, const struct told_file *told)
{
	for (uint32_t i = 0; i < files->nr; i++) {
		if (is_told(files, &files->files[i], told))
			return i;
	}
	return add_file(files, intern_bytes(files->trace, told->path, told->path_bytes),
			intern_bytes(files->trace, told->build_id, told->build_id_bytes));
}

void known_files_free(struct known_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		object_close(files->files[i].object);
	free(files->files);
}
