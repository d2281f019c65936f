// SPDX-License-Identifier: GPL-2.0
#include "symbols/frame_names.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/table_rows.h"
#include "symbols/kernel/kernel_stacks.h"
#include "symbols/symbols.h"
#include "util/pair_table.h"
#include "util/xalloc.h"

#define NAME_BYTES 256

/* The functions at a place, as symbols_of_place() tells them: to find inlined ones takes long. */
struct known_place {
	size_t nr; /* 0: not asked for yet */
	struct symbol_location *functions;
};

struct frame_namer {
	struct trace *trace;
	struct frame_table *frames;
	struct symbols *symbols;
	struct pair_table files; /* path and build-id */
	struct pair_table offsets; /* halves of an offset in a file */
	struct pair_table places; /* both */
	size_t capacity;
	struct known_place *known; /* beside places */
};

static struct known_place *need_place(struct frame_namer *namer, const struct symbol_place *place)
{
	uint64_t offset = place->address - place->map_start + place->map_offset_bytes;
	size_t file = pair_table_number(&namer->files, place->path, place->build_id);
	size_t within = pair_table_number(&namer->offsets, (uint32_t)(offset >> 32),
					  (uint32_t)offset);
	size_t at = pair_table_number(&namer->places, (uint32_t)file, (uint32_t)within);
	size_t before = namer->capacity;

	if (at >= before) {
		namer->capacity = grown_capacity(before, at + 1);
		namer->known = xrealloc_array(namer->known, namer->capacity, sizeof(*namer->known));
		memset(namer->known + before, 0,
		       (namer->capacity - before) * sizeof(*namer->known));
	}
	return &namer->known[at];
}

/* The same of all frames at a place, however often it was called from elsewhere. */
static const struct known_place *look_up(struct frame_namer *namer,
					 const struct symbol_place *place)
{
	struct known_place *known = need_place(namer, place);

	if (known->nr)
		return known;
	known->functions = xcalloc(SYMBOLS_MOST_INLINED + 1, sizeof(*known->functions));
	known->nr = symbols_of_place(namer->symbols, place, known->functions,
				     SYMBOLS_MOST_INLINED + 1);
	known->functions = xrealloc_array(known->functions, known->nr, sizeof(*known->functions));
	return known;
}

static void free_places(struct frame_namer *namer)
{
	for (size_t i = 0; i < namer->capacity; i++)
		free(namer->known[i].functions);
	free(namer->known);
	pair_table_free(&namer->files);
	pair_table_free(&namer->offsets);
	pair_table_free(&namer->places);
}

/* Of code without a symbol. "[vdso]" and the like have no addresses of a file. */
static uint32_t name_unknown(const struct frame_namer *namer,
			     const struct symbol_location *location)
{
	const char *object = trace_string(namer->trace, location->object);
	char name[NAME_BYTES];

	if (!strncmp(object, "//", 2))
		snprintf(name, sizeof(name), "[%s]", object + 2);
	else if (object[0] == '[')
		snprintf(name, sizeof(name), "%s", object);
	else
		snprintf(name, sizeof(name), "[%s+%#" PRIx64 "]", object, location->offset);
	return trace_intern(namer->trace, name);
}

static uint32_t name_address(const struct frame_namer *namer, uint64_t address)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "[%#" PRIx64 "]", address);
	return trace_intern(namer->trace, name);
}

/* "futex_wait.isra.0": the ending is not of the source. */
static uint32_t name_of_source(const struct frame_namer *namer, uint32_t symbol)
{
	char name[NAME_BYTES];

	snprintf(name, sizeof(name), "%s", trace_string(namer->trace, symbol));
	name[strcspn(name, ".")] = '\0';
	return trace_intern(namer->trace, name);
}

static void name_kernel(const struct frame_namer *namer, size_t row)
{
	struct frame_table *frames = namer->frames;
	uint64_t address = frames->address[row];
	struct symbol_location location = symbols_of_kernel(namer->symbols, address);

	frames->object[row] = location.object;
	frames->symbol[row] = location.known ? name_of_source(namer, location.symbol) :
					       name_address(namer, address);
}

static void set_name(const struct frame_namer *namer, size_t row,
		     const struct symbol_location *location, bool is_inlined)
{
	struct frame_table *frames = namer->frames;

	frames->symbol[row] = location->known ? location->symbol : name_unknown(namer, location);
	frames->object[row] = location->object;
	frames->line[row] = location->line;
	if (is_inlined)
		frames->flags[row] |= FRAME_INLINED;
}

/* Inlined functions go between the row, which becomes the innermost of them, and its caller. */
static void name_code(struct frame_namer *namer, size_t row)
{
	struct frame_table *frames = namer->frames;
	const struct symbol_place place = {
		.path = frames->path[row],
		.build_id = frames->build_id[row],
		.map_start = frames->map_start[row],
		.map_offset_bytes = frames->map_offset_bytes[row],
		.address = frames->address[row],
	};
	const struct known_place *known = look_up(namer, &place);
	uint32_t parent = frames->parent[row];

	for (size_t i = known->nr - 1; i > 0; i--) {
		parent = frame_table_add(frames, &(struct frame_row){ .parent = parent });
		set_name(namer, parent, &known->functions[i], i + 1 < known->nr);
	}
	frames->parent[row] = parent;
	set_name(namer, row, &known->functions[0], known->nr > 1);
}

static void name_frame(struct frame_namer *namer, size_t row)
{
	if (namer->frames->flags[row] & FRAME_KERNEL)
		name_kernel(namer, row);
	else if (namer->frames->path[row])
		name_code(namer, row);
	else if (namer->frames->address[row])
		namer->frames->symbol[row] = name_address(namer, namer->frames->address[row]);
}

/* What the trace itself does at a switch is not what the thread did: the frame becomes its caller's. */
static void leave_out_switch(const struct frame_namer *namer, size_t row)
{
	struct frame_table *frames = namer->frames;
	uint32_t parent;

	while ((parent = frames->parent[row]) &&
	       kernel_function_is_of_switch(trace_string(namer->trace, frames->symbol[row]))) {
		frames->symbol[row] = frames->symbol[parent];
		frames->object[row] = frames->object[parent];
		frames->parent[row] = frames->parent[parent];
	}
}

int frame_names_fill(struct model *model)
{
	struct frame_namer namer = { .trace = model->trace, .frames = &model->frames };
	size_t nr = model->frames.nr;

	if (nr < 2)
		return 0;
	namer.symbols = symbols_new(model);
	if (!namer.symbols)
		return -1;
	for (size_t row = 1; row < nr; row++)
		name_frame(&namer, row);
	for (size_t row = 1; row < trace_nr_stacks(model->trace); row++) {
		if (model->frames.flags[row] & FRAME_KERNEL)
			leave_out_switch(&namer, row);
	}
	free_places(&namer);
	symbols_free(namer.symbols);
	return 0;
}
