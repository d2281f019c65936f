// SPDX-License-Identifier: GPL-2.0
#include "util/file_path.h"

#include <string.h>

const char *file_path_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

bool file_path_is_deleted(const char *path)
{
	static const char deleted[] = " (deleted)";
	size_t bytes = strlen(path), tail = strlen(deleted);

	return bytes >= tail && !strcmp(path + bytes - tail, deleted);
}
