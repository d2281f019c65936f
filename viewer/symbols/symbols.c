// SPDX-License-Identifier: GPL-2.0
#include "model/memory/mappings.h"
#include "symbols/symbols.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "symbols/data/block_fields.h"
#include "symbols/file/known_files.h"
#include "symbols/file/location_cache.h"
#include "symbols/file/object.h"
#include "symbols/names/symbol_name.h"
#include "symbols/data/thread_locals.h"
#include "trace/file/kallsyms.h"
#include "trace/trace.h"
#include "util/file_path.h"
#include "util/xalloc.h"

#define KERNEL_OBJECT UINT32_MAX /* as a key of the cache */

struct symbols {
	const struct model *model;
	struct kallsyms *kallsyms;
	struct known_files files;
	uint32_t *object_of_row; /* of model.mappings: 1 + index in files; 0: not looked up yet */
	struct location_cache cache;
	struct thread_locals *thread_locals;
	uint32_t unknown, hidden, kernel, anonymous; /* words, as string ids */
};

static uint32_t intern_string(const struct symbols *symbols, const char *string)
{
	return trace_intern(symbols->model->trace, string);
}

static uint32_t intern_bytes(const struct symbols *symbols, const char *bytes, size_t nr)
{
	char *string = xstrndup(bytes, nr);
	uint32_t id = intern_string(symbols, string);

	free(string);
	return id;
}

struct symbols *symbols_new(const struct model *model)
{
	char *kallsyms = trace_kallsyms(model->trace);
	struct symbols *symbols;

	if (!kallsyms)
		return NULL;
	symbols = xcalloc(1, sizeof(*symbols));
	symbols->model = model;
	symbols->kallsyms = kallsyms_new(kallsyms);
	symbols->files.trace = model->trace;
	symbols->thread_locals = thread_locals_new(model, &symbols->files);
	symbols->object_of_row = xcalloc(model->mappings.nr, sizeof(*symbols->object_of_row));
	symbols->unknown = intern_string(symbols, "[unknown]");
	symbols->hidden = intern_string(symbols, "[hidden]");
	symbols->kernel = intern_string(symbols, "[kernel]");
	symbols->anonymous = intern_string(symbols, "[anonymous]");
	return symbols;
}

void symbols_free(struct symbols *symbols)
{
	if (!symbols)
		return;
	known_files_free(&symbols->files);
	free(symbols->object_of_row);
	kallsyms_free(symbols->kallsyms);
	location_cache_free(&symbols->cache);
	thread_locals_free(symbols->thread_locals);
	free(symbols);
}

static bool row_is_file(const struct model *model, size_t row)
{
	return model->mappings.kind[row] != TRACE_MAPPING_OF_DATA &&
	       known_file_is_path(trace_string(model->trace, model->mappings.path[row]));
}

static uint32_t object_of_row(struct symbols *symbols, size_t row)
{
	const struct mapping_table *mappings = &symbols->model->mappings;

	if (!symbols->object_of_row[row])
		symbols->object_of_row[row] = 1 + known_files_find(&symbols->files,
								   mappings->path[row],
								   mappings->build_id[row]);
	return symbols->object_of_row[row] - 1;
}

static struct symbol_location unknown_location(const struct symbols *symbols, uint32_t object,
					       uint64_t address)
{
	return (struct symbol_location){
		.symbol = symbols->unknown,
		.object = object,
		.offset = address,
	};
}

static struct symbol_location look_up_kernel(const struct symbols *symbols, uint64_t address,
					     bool is_code)
{
	struct symbol_location location = unknown_location(symbols, symbols->kernel, address);
	struct kernel_symbol found;

	if (!kallsyms_find(symbols->kallsyms, address, &found) || found.is_code != is_code)
		return location;
	location.symbol = symbol_name_intern(symbols->model->trace, found.name, found.name_bytes);
	location.offset = found.offset;
	location.known = true;
	location.is_variable = !is_code;
	if (found.module_bytes)
		location.object = intern_bytes(symbols, found.module, found.module_bytes);
	return location;
}

static struct symbol_location look_up_file(const struct symbols *symbols, uint32_t at,
					   uint64_t file_address)
{
	const struct known_file *known = &symbols->files.files[at];
	struct symbol_location location = unknown_location(symbols, known->name, file_address);
	uint64_t offset;
	size_t bytes;
	const char *name = object_symbol(known->object, file_address, &bytes, &offset);

	if (!name)
		return location;
	location.symbol = symbol_name_intern(symbols->model->trace, name, bytes);
	location.offset = offset;
	location.known = true;
	location.is_variable = object_has_variable(known->object, file_address);
	return location;
}

static uint32_t look_up_line(const struct symbols *symbols, uint32_t at, uint64_t file_address)
{
	const char *file;
	char text[512];
	int line;

	file = object_line(symbols->files.files[at].object, file_address, &line);
	if (!file)
		return TRACE_NO_STRING;
	snprintf(text, sizeof(text), "%s:%d", file_path_name(file), line);
	return intern_string(symbols, text);
}

static struct symbol_location code_of_kernel(struct symbols *symbols, uint64_t address)
{
	struct cached_location *cached = location_cache_get(&symbols->cache, KERNEL_OBJECT,
							    address);

	if (!cached->has_location) {
		cached->has_location = true;
		cached->location = look_up_kernel(symbols, address, true);
	}
	return cached->location;
}

static void look_up_field(const struct symbols *symbols, uint32_t at, uint64_t file_address,
			  struct symbol_location *location)
{
	struct data_field field;

	if (object_field(symbols->files.files[at].object, file_address, &field))
		symbol_location_set_field(location, symbols->model->trace, &field);
}

static struct symbol_location data_of_file(struct symbols *symbols, uint32_t at, uint64_t address,
					   bool with_field)
{
	struct cached_location *cached = location_cache_get(&symbols->cache, at, address);

	if (!cached->has_location) {
		cached->has_location = true;
		cached->location = look_up_file(symbols, at, address);
	}
	if (with_field && !cached->has_field) {
		cached->has_field = true;
		look_up_field(symbols, at, address, &cached->location);
	}
	return cached->location;
}

static struct symbol_location code_of_file(struct symbols *symbols, uint32_t at, uint64_t address,
					   bool with_line)
{
	struct cached_location *cached = location_cache_get(&symbols->cache, at, address);

	if (!cached->has_location) {
		cached->has_location = true;
		cached->location = look_up_file(symbols, at, address);
	}
	if (with_line && !cached->has_line) {
		cached->has_line = true;
		cached->location.line = look_up_line(symbols, at, address);
	}
	return cached->location;
}

/* Whether it has symbols, and at which address of the file's own headers. */
static bool find_in_file(const struct symbols *symbols, uint32_t at, struct object_mapping mapping,
			 uint64_t address, uint64_t *file_address)
{
	return symbols->files.files[at].object &&
	       object_address(symbols->files.files[at].object, mapping, address, file_address);
}

static struct symbol_location code_of_mapping(struct symbols *symbols, uint32_t at,
					      struct object_mapping mapping, uint64_t address,
					      bool with_line)
{
	const struct known_file *known = &symbols->files.files[at];
	uint64_t file_address;

	if (known->function != TRACE_NO_STRING)
		return (struct symbol_location){ .symbol = known->function,
						 .object = known->name,
						 .offset = address - mapping.start,
						 .known = true };
	if (!find_in_file(symbols, at, mapping, address, &file_address))
		return unknown_location(symbols, symbols->files.files[at].name, address);
	return code_of_file(symbols, at, file_address, with_line);
}

static struct symbol_location code_of_process(struct symbols *symbols, size_t sample,
					      bool with_line)
{
	const struct model *model = symbols->model;
	const struct sample_table *samples = &model->samples;
	uint64_t address = samples->ip[sample];
	size_t row = model_find_mapping(model, samples->thread[sample], samples->time_ns[sample],
					address);

	if (row == SIZE_MAX)
		return unknown_location(symbols, symbols->unknown, address);
	return code_of_mapping(symbols, object_of_row(symbols, row),
			       (struct object_mapping){ model->mappings.start[row],
							model->mappings.offset_bytes[row] },
			       address, with_line);
}

struct symbol_location symbols_of_code(struct symbols *symbols, size_t sample, bool with_line)
{
	const struct sample_table *samples = &symbols->model->samples;

	if (samples->has[sample] & ANNOT_SAMPLE_USER)
		return code_of_process(symbols, sample, with_line);
	if (samples->has[sample] & ANNOT_SAMPLE_HIDDEN && !samples->ip[sample])
		return (struct symbol_location){ .symbol = symbols->hidden,
						 .object = symbols->kernel };
	return code_of_kernel(symbols, samples->ip[sample]);
}

/* The file of row @row has @address, too, though it may not be mapped there from it. */
static bool data_of_row(struct symbols *symbols, size_t row, uint64_t address, bool with_field,
			struct symbol_location *location)
{
	const struct mapping_table *mappings = &symbols->model->mappings;
	uint32_t at = object_of_row(symbols, row);
	uint64_t file_address;

	if (!symbols->files.files[at].object ||
	    !object_address(symbols->files.files[at].object,
			    (struct object_mapping){ mappings->start[row],
						     mappings->offset_bytes[row] },
			    address, &file_address))
		return false;
	*location = data_of_file(symbols, at, file_address, with_field);
	if (!location->known)
		location->offset = address;
	return true;
}

static uint32_t name_of_file(const struct symbols *symbols, uint32_t at)
{
	return symbols->files.files[at].name;
}

/* What is mapped there; of a file that has data only, nothing is to be read. */
static uint32_t name_of_row(struct symbols *symbols, size_t row)
{
	const struct model *model = symbols->model;
	const char *path = trace_string(model->trace, model->mappings.path[row]);

	if (model->mappings.kind[row] != TRACE_MAPPING_OF_DATA)
		return name_of_file(symbols, object_of_row(symbols, row));
	return intern_string(symbols, known_file_is_path(path) ? file_path_name(path) : path);
}

static struct symbol_location data_of_process(struct symbols *symbols, size_t sample,
					      bool with_field)
{
	const struct model *model = symbols->model;
	uint64_t address = model->samples.addr[sample], time_ns = model->samples.time_ns[sample];
	uint32_t thread = model->samples.thread[sample], name = symbols->anonymous;
	size_t row = model_find_mapping(model, thread, time_ns, address);
	struct symbol_location location;

	if (row != SIZE_MAX && model->mappings.kind[row] == TRACE_MAPPING_OF_DATA)
		return unknown_location(symbols, name_of_row(symbols, row), address);
	if (row != SIZE_MAX && data_of_row(symbols, row, address, with_field, &location))
		return location;
	if (row != SIZE_MAX)
		name = name_of_row(symbols, row);
	row = model_find_mapping_below(model, thread, time_ns, address, row_is_file);
	if (row != SIZE_MAX && data_of_row(symbols, row, address, with_field, &location))
		return location;
	return unknown_location(symbols, name, address);
}

struct symbol_location symbols_of_data(struct symbols *symbols, size_t sample, bool with_field)
{
	uint64_t address = symbols->model->samples.addr[sample];
	struct symbol_location location;

	if (symbols->model->samples.has[sample] & ANNOT_SAMPLE_HIDDEN && !address)
		return (struct symbol_location){ .symbol = symbols->hidden,
						 .object = symbols->kernel };
	/* The upper half of the addresses is the kernel's. */
	if (address >> 63)
		return look_up_kernel(symbols, address, false);
	if (thread_locals_find(symbols->thread_locals, sample, with_field, &location))
		return location;
	return data_of_process(symbols, sample, with_field);
}

struct symbol_location symbols_of_object(struct symbols *symbols, size_t row, uint64_t address,
					 bool with_field)
{
	const struct data_object_table *objects = &symbols->model->data_objects;
	struct symbol_location location = {
		.symbol = objects->name[row],
		.object = TRACE_NO_STRING,
		.line = TRACE_NO_STRING,
		.offset = address - objects->address[row],
		.known = true,
	};
	struct data_field field;

	if (with_field &&
	    block_field_find(&symbols->files, symbols->model, row, location.offset, &field))
		symbol_location_set_field(&location, symbols->model->trace, &field);
	return location;
}

struct symbol_location symbols_of_kernel(struct symbols *symbols, uint64_t address)
{
	return code_of_kernel(symbols, address);
}

static uint32_t line_of_inlined(const struct symbols *symbols, const struct inlined_call *call)
{
	char text[512];

	if (!call->file)
		return TRACE_NO_STRING;
	snprintf(text, sizeof(text), "%s:%d", file_path_name(call->file), call->line);
	return intern_string(symbols, text);
}

size_t symbols_of_place(struct symbols *symbols, const struct symbol_place *place,
			struct symbol_location *functions, size_t most)
{
	uint32_t at = known_files_find(&symbols->files, place->path, place->build_id);
	const struct object_mapping mapping = { place->map_start, place->map_offset_bytes };
	struct symbol_location whole = code_of_mapping(symbols, at, mapping, place->address, true);
	struct inlined_call calls[SYMBOLS_MOST_INLINED];
	uint64_t file_address;
	size_t nr = 0;

	most = most - 1 < SYMBOLS_MOST_INLINED ? most - 1 : SYMBOLS_MOST_INLINED;
	if (find_in_file(symbols, at, mapping, place->address, &file_address))
		nr = object_inlined(symbols->files.files[at].object, file_address, calls, most);
	else if (!whole.known)
		whole.offset = place->address - place->map_start + place->map_offset_bytes;
	for (size_t i = 0; i <= nr; i++) {
		functions[i] = whole;
		if (i < nr)
			functions[i].symbol = symbol_name_intern(symbols->model->trace,
								 calls[i].function,
								 strlen(calls[i].function));
		if (i < nr)
			functions[i].known = true;
		if (i)
			functions[i].line = line_of_inlined(symbols, &calls[i - 1]);
	}
	return nr + 1;
}
