// SPDX-License-Identifier: GPL-2.0
#include "symbols/place_names.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/annotations/team_names.h"
#include "symbols/names/code_place.h"
#include "symbols/names/demangle.h"
#include "symbols/names/function_name.h"
#include "symbols/file/object.h"
#include "util/diag.h"
#include "util/file_path.h"
#include "util/xalloc.h"

/* A trace may name any number of files, and each that is open takes a descriptor. */
#define MAX_FILES 256

struct place_file {
	char *path;
	char *build_id; /* "": not told */
	struct object *object; /* NULL: there is no such file any more */
};

struct place_names {
	pthread_mutex_t lock; /* for all that follows */
	size_t nr;
	struct place_file files[MAX_FILES];
	bool is_full; /* and so it was said */
};

struct place_names *place_names_new(void)
{
	struct place_names *names = xcalloc(1, sizeof(*names));

	pthread_mutex_init(&names->lock, NULL);
	return names;
}

void place_names_free(struct place_names *names)
{
	if (!names)
		return;
	for (size_t i = 0; i < names->nr; i++) {
		object_close(names->files[i].object);
		free(names->files[i].build_id);
		free(names->files[i].path);
	}
	pthread_mutex_destroy(&names->lock);
	free(names);
}

static bool is_bytes(const char *string, const char *bytes, size_t nr)
{
	return strlen(string) == nr && !memcmp(string, bytes, nr);
}

static struct place_file *add_file(struct place_names *names, const struct code_place *place)
{
	struct place_file *file = &names->files[names->nr++];

	file->path = xstrndup(place->path, place->path_bytes);
	file->build_id = xstrndup(place->build_id, place->build_id_bytes);
	if (!file_path_is_deleted(file->path))
		file->object = object_open(file->path, file->build_id);
	return file;
}

/* NULL: they are too many. */
static struct place_file *find_file(struct place_names *names, const struct code_place *place)
{
	for (size_t i = 0; i < names->nr; i++) {
		struct place_file *file = &names->files[i];

		if (is_bytes(file->path, place->path, place->path_bytes) &&
		    is_bytes(file->build_id, place->build_id, place->build_id_bytes))
			return file;
	}
	if (names->nr < MAX_FILES)
		return add_file(names, place);
	if (!names->is_full)
		diag_warn("names of annotations tell places in more than %d files: those in "
			  "further ones are shown as addresses",
			  MAX_FILES);
	names->is_full = true;
	return NULL;
}

/* "solver.c:131"; with the function before it, if it is wanted and known. NULL: no line is known. */
static char *line_text(struct object *object, const struct code_place *place)
{
	const char *symbol, *source;
	char *function, *text;
	uint64_t offset;
	size_t bytes;
	int line;

	source = object_own_line(object, place->address, &line);
	if (!source)
		return NULL;
	symbol = place->wants_function ? object_symbol(object, place->address, &bytes, &offset) :
					 NULL;
	function = symbol ? function_name_of_source(symbol, bytes) : xstrndup("", 0);
	text = xasprintf("%s%s%s:%d", function, *function ? " " : "", file_path_name(source), line);
	free(function);
	return text;
}

/* "main+0x1a3". NULL: no symbol is known. */
static char *offset_text(const struct object *object, const struct code_place *place)
{
	uint64_t offset;
	size_t bytes;
	const char *symbol = object_symbol(object, place->address, &bytes, &offset);
	char *part, *text;

	if (!symbol)
		return NULL;
	part = function_name_of_part(symbol, bytes);
	text = xasprintf("%s+0x%" PRIx64, part, offset);
	free(part);
	return text;
}

/* What compilers put around the name of a critical section, as the name of its lock. */
static char *name_of_variable(const char *symbol, size_t bytes)
{
	static const char prefix[] = ".gomp_critical_user_", suffix[] = ".var";
	size_t skip = strlen(prefix), tail = strlen(suffix);

	if (bytes <= skip || memcmp(symbol, prefix, skip) != 0)
		return demangle_symbol(symbol, bytes);
	symbol += skip;
	bytes -= skip;
	if (bytes > tail && !memcmp(symbol + bytes - tail, suffix, tail))
		bytes -= tail;
	return xstrndup(symbol, bytes);
}

/* "dot", "table+0x10". NULL: no variable is known there. */
static char *variable_text(const struct object *object, const struct code_place *place)
{
	uint64_t offset;
	size_t bytes;
	const char *symbol = object_symbol(object, place->address, &bytes, &offset);
	char *name, *text;

	if (!symbol)
		return NULL;
	name = name_of_variable(symbol, bytes);
	text = offset ? xasprintf("%s+0x%" PRIx64, name, offset) : xasprintf("%s", name);
	free(name);
	return text;
}

/* "solver+0x1234" */
static char *address_text(const struct code_place *place)
{
	char *path = xstrndup(place->path, place->path_bytes);
	char *text = xasprintf("%s+0x%" PRIx64, file_path_name(path), place->address);

	free(path);
	return text;
}

static char *place_text(struct place_names *names, const struct code_place *place)
{
	const struct place_file *file = find_file(names, place);
	char *text = NULL;

	if (file && file->object && place->is_data) {
		text = variable_text(file->object, place);
	} else if (file && file->object && object_has_code(file->object, place->address)) {
		text = line_text(file->object, place);
		if (!text)
			text = offset_text(file->object, place);
	}
	return text ? text : address_text(place);
}

char *place_names_get(struct place_names *names, const char *name)
{
	struct code_place place;
	char *text, *shown;

	if (!code_place_parse(name, &place))
		return NULL;
	pthread_mutex_lock(&names->lock);
	text = place_text(names, &place);
	pthread_mutex_unlock(&names->lock);
	if (!strncmp(name, TEAM_NAME_OBJECT_WORD, strlen(TEAM_NAME_OBJECT_WORD)))
		shown = xasprintf("%.*s %s\n%s", (int)place.word_bytes, name, text, name);
	else
		shown = xasprintf("%.*s %s", (int)place.word_bytes, name, text);
	free(text);
	return shown;
}
