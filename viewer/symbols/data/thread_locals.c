// SPDX-License-Identifier: GPL-2.0
#include "symbols/data/thread_locals.h"

#include <stdlib.h>
#include <string.h>

#include "model/annotations/thread_local_name.h"
#include "symbols/data/live_objects.h"
#include "symbols/file/location_cache.h"
#include "symbols/names/symbol_name.h"
#include "util/xalloc.h"

struct thread_locals {
	const struct model *model;
	struct known_files *files;
	uint32_t *objects; /* see live_objects_of_samples(); NULL: there are none */
	bool is_looked_up;
	struct location_cache cache; /* by the block's name and the offset in it */
};

struct thread_locals *thread_locals_new(const struct model *model, struct known_files *files)
{
	struct thread_locals *locals = xcalloc(1, sizeof(*locals));

	locals->model = model;
	locals->files = files;
	return locals;
}

void thread_locals_free(struct thread_locals *locals)
{
	location_cache_free(&locals->cache);
	free(locals->objects);
	free(locals);
}

static bool any_is_told(const struct data_object_table *objects)
{
	for (size_t row = 0; row < objects->nr; row++) {
		if (objects->owner_tid[row])
			return true;
	}
	return false;
}

/* The row of the block; SIZE_MAX: the data is in none. */
static size_t block_of(struct thread_locals *locals, size_t sample)
{
	const struct data_object_table *objects = &locals->model->data_objects;
	uint32_t found;

	if (!locals->is_looked_up && any_is_told(objects))
		locals->objects = live_objects_of_samples(locals->model, LIVE_THREAD_LOCAL);
	locals->is_looked_up = true;
	found = locals->objects ? locals->objects[sample] : 0;
	return found && objects->owner_tid[found - 1] ? found - 1 : SIZE_MAX;
}

/* @name is that of a block. */
static struct known_file *file_of_block(const struct thread_locals *locals, uint32_t name)
{
	struct trace *trace = locals->model->trace;
	struct thread_local_name parsed = { .path = "" };
	uint32_t at;

	thread_local_name_parse(trace_string(trace, name), &parsed);
	at = known_files_find_told(locals->files,
				   &(struct told_file){ parsed.path, strlen(parsed.path),
							parsed.build_id, parsed.build_id_bytes });
	return &locals->files->files[at];
}

static struct symbol_location look_up(const struct thread_locals *locals, uint32_t name,
				      uint64_t offset)
{
	struct trace *trace = locals->model->trace;
	const struct known_file *file = file_of_block(locals, name);
	struct symbol_location location = {
		.symbol = trace_intern(trace, "[unknown]"),
		.object = file->name,
	};
	const char *symbol = NULL;
	size_t bytes;

	if (file->object)
		symbol = object_thread_local(file->object, offset, &bytes, &location.offset);
	if (!symbol)
		return location;
	location.symbol = symbol_name_intern(trace, symbol, bytes);
	location.known = true;
	location.is_variable = true;
	return location;
}

static void look_up_field(const struct thread_locals *locals, uint32_t name, uint64_t offset,
			  struct symbol_location *location)
{
	struct data_field field;

	if (location->is_variable &&
	    object_thread_local_field(file_of_block(locals, name)->object, offset, &field))
		symbol_location_set_field(location, locals->model->trace, &field);
}

bool thread_locals_find(struct thread_locals *locals, size_t sample, bool with_field,
			struct symbol_location *location)
{
	const struct data_object_table *objects = &locals->model->data_objects;
	uint64_t address = locals->model->samples.addr[sample], offset;
	size_t row = block_of(locals, sample);
	struct cached_location *cached;

	if (row == SIZE_MAX)
		return false;
	offset = address - objects->address[row];
	cached = location_cache_get(&locals->cache, objects->name[row], offset);
	if (!cached->has_location) {
		cached->has_location = true;
		cached->location = look_up(locals, objects->name[row], offset);
	}
	if (with_field && !cached->has_field) {
		cached->has_field = true;
		look_up_field(locals, objects->name[row], offset, &cached->location);
	}
	*location = cached->location;
	location->owner_tid = objects->owner_tid[row];
	if (!location->known)
		location->offset = address;
	return true;
}
