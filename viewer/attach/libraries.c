// SPDX-License-Identifier: GPL-2.0
#include "attach/libraries.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attach/loader_cache.h"
#include "util/file_path.h"
#include "util/xalloc.h"

#define CACHE_PATH "/etc/ld.so.cache"
#define DEFAULT_DIRECTORIES "/lib64:/usr/lib64:/lib:/usr/lib"
#define MOST_LIBRARIES 4096

/* A search for one library. */
struct search {
	const struct libraries *libraries;
	const char *name;
	size_t needed_by;
	struct library *found;
};

/* $ORIGIN of a library is the directory by which it was found, past no symbolic link. */
static char *absolute_path(const char *path)
{
	char directory[PATH_MAX];

	if (*path == '/' || !getcwd(directory, sizeof(directory)))
		return xstrndup(path, strlen(path));
	return xasprintf("%s/%s", directory, path);
}

/* A file for another machine is passed over, as the loader does. */
static bool take_file(struct search *search, const char *path)
{
	struct library *found = search->found;

	if (elf_file_open(&found->file, path) != ELF_FILE_GOOD)
		return false;
	found->path = absolute_path(path);
	return true;
}

/* @directory with $ORIGIN replaced by that of @origin; false: it has another token, or is too long. */
static bool expand_origin(const char *directory, size_t length, const char *origin,
			  char path[PATH_MAX])
{
	const char *rest = memchr(directory, '$', length);
	size_t token = 0;
	int bytes;

	if (!rest)
		bytes = snprintf(path, PATH_MAX, "%.*s", (int)length, directory);
	else if (!strncmp(rest, "$ORIGIN", 7))
		token = 7;
	else if (!strncmp(rest, "${ORIGIN}", 9))
		token = 9;
	else
		return false;
	if (token)
		bytes = snprintf(path, PATH_MAX, "%.*s%.*s%.*s", (int)(rest - directory), directory,
				 (int)(file_path_name(origin) - 1 - origin), origin,
				 (int)(length - (size_t)(rest - directory) - token), rest + token);
	return bytes < PATH_MAX;
}

/* Searches a list of directories; an empty one is the working directory. */
static bool search_list(struct search *search, const char *list, const char *origin)
{
	char directory[PATH_MAX];
	char path[2 * PATH_MAX];

	while (list) {
		size_t length = strcspn(list, ":;");

		if (expand_origin(list, length, origin, directory)) {
			snprintf(path, sizeof(path), "%s%s%s", directory, length ? "/" : "",
				 search->name);
			if (take_file(search, path))
				return true;
		}
		list = list[length] ? list + length + 1 : NULL;
	}
	return false;
}

/* DT_RPATH of who needs it, and of who loaded that, up to the program. DT_RUNPATH is in place of it. */
static bool search_rpath(struct search *search)
{
	size_t i = search->needed_by;

	if (search->libraries->items[i].file.runpath)
		return false;
	for (;;) {
		const struct library *library = &search->libraries->items[i];

		if (library->file.rpath && !library->file.runpath &&
		    search_list(search, library->file.rpath, library->path))
			return true;
		if (!i)
			return false;
		i = library->needed_by;
	}
}

static bool search_own(struct search *search)
{
	const struct library *library = &search->libraries->items[search->needed_by];
	const char *environment = getenv("LD_LIBRARY_PATH");

	if (strchr(search->name, '/'))
		return take_file(search, search->name);
	return search_rpath(search) ||
	       (environment && *environment && search_list(search, environment, library->path)) ||
	       search_list(search, library->file.runpath, library->path);
}

static bool search_cache(struct search *search, const struct loader_cache *cache)
{
	uint32_t entry = 0;
	const char *path;

	while ((path = loader_cache_next(cache, search->name, &entry))) {
		if (take_file(search, path))
			return true;
	}
	return false;
}

static void search_library(struct search *search, const struct loader_cache *cache)
{
	search->found->is_own = search_own(search);
	if (search->found->is_own || search_cache(search, cache))
		return;
	search_list(search, DEFAULT_DIRECTORIES, "/");
}

static struct library *add_library(struct libraries *libraries, const char *name, size_t needed_by)
{
	struct library *library;

	ARRAY_MAKE_ROOM(libraries->items, libraries->nr, libraries->capacity);
	library = &libraries->items[libraries->nr++];
	*library = (struct library){
		.name = xstrndup(file_path_name(name), strlen(file_path_name(name))),
		.needed_by = needed_by,
	};
	return library;
}

const struct library *libraries_find(const struct libraries *libraries, const char *name)
{
	for (size_t i = 0; i < libraries->nr; i++) {
		const struct library *library = &libraries->items[i];

		if (!strcmp(library->name, name) ||
		    (library->file.soname && !strcmp(library->file.soname, name)))
			return library;
	}
	return NULL;
}

static void load_library(struct libraries *libraries, const struct loader_cache *cache,
			 const char *name, size_t needed_by)
{
	struct search search = { libraries, name, needed_by, NULL };

	if (!*name || libraries_find(libraries, file_path_name(name)) ||
	    libraries->nr == MOST_LIBRARIES)
		return;
	search.found = add_library(libraries, name, needed_by);
	search_library(&search, cache);
}

/* A list with colons or blanks between names; NULL: none. */
static void load_list(struct libraries *libraries, const struct loader_cache *cache,
		      const char *list)
{
	while (list && *list) {
		size_t length = strcspn(list, ": ");
		char *name = xstrndup(list, length);

		load_library(libraries, cache, name, 0);
		free(name);
		list += length + !!list[length];
	}
}

void libraries_load(struct libraries *libraries, const char *path, const struct elf_file *file,
		    const char *preloaded)
{
	struct loader_cache cache;
	struct library *program = add_library(libraries, file_path_name(path), 0);

	program->path = xstrndup(path, strlen(path));
	program->is_own = true;
	program->file = *file;
	loader_cache_open(&cache, CACHE_PATH);
	load_list(libraries, &cache, preloaded);
	for (size_t i = 0; i < libraries->nr; i++) {
		for (size_t j = 0; j < libraries->items[i].file.nr_needed; j++)
			load_library(libraries, &cache, libraries->items[i].file.needed[j], i);
	}
	loader_cache_close(&cache);
}

void libraries_free(struct libraries *libraries)
{
	for (size_t i = 0; i < libraries->nr; i++) {
		elf_file_close(&libraries->items[i].file);
		free(libraries->items[i].name);
		free(libraries->items[i].path);
	}
	free(libraries->items);
	*libraries = (struct libraries){ 0 };
}
