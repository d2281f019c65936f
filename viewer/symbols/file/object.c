// SPDX-License-Identifier: GPL-2.0
#include "symbols/file/object.h"

#include <elfutils/libdwfl.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "symbols/debug_info/allocated_type.h"
#include "symbols/debug_info/line_table.h"
#include "symbols/file/symbol_table.h"
#include "symbols/debug_info/variable_table.h"
#include "util/diag.h"
#include "util/xalloc.h"

#define BUILD_ID_MAX_BYTES 64

struct segment {
	uint64_t offset_bytes;
	uint64_t file_bytes;
	uint64_t address;
	uint64_t memory_bytes;
	bool is_code;
};

struct object {
	Dwfl *dwfl;
	Dwfl_Module *module;
	GElf_Addr bias; /* of libdwfl's addresses against the file's */
	size_t nr_segments;
	struct segment *segments;
	uint64_t thread_local_bytes; /* of the block that each thread has */
	struct symbol_table symbols;
	struct symbol_table thread_locals;
	struct line_table lines;
	struct variable_table variables;
	struct allocated_types allocated;
};

static const Dwfl_Callbacks callbacks = {
	.find_elf = dwfl_build_id_find_elf,
	.find_debuginfo = dwfl_standard_find_debuginfo,
};

/* Why a file is not to be read, of which stat() returned @failed; NULL if it is. */
static const char *file_problem(int failed, const struct stat *st)
{
	if (failed)
		return strerror(errno);
	return S_ISREG(st->st_mode) ? NULL : "not a regular file";
}

/*
 * A path in a trace may be anything. A FIFO would block, and to open a device may have an effect. It may
 * be another file by the time when it is opened.
 */
static int open_file(const char *path)
{
	struct stat st;
	const char *problem = file_problem(stat(path, &st), &st);
	int fd = -1;

	if (!problem) {
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
		problem = file_problem(fd < 0 ? -1 : fstat(fd, &st), &st);
	}
	if (!problem)
		return fd;
	diag_warn("%s: its symbols are not known: %s", path, problem);
	if (fd >= 0)
		close(fd);
	return -1;
}

static int load_object(struct object *object, const char *path)
{
	int fd = open_file(path);

	if (fd < 0)
		return -1;
	/* libdw asks servers for debug information if this is set. */
	unsetenv("DEBUGINFOD_URLS");
	object->dwfl = dwfl_begin(&callbacks);
	if (object->dwfl)
		object->module = dwfl_report_elf(object->dwfl, path, path, fd, 0, true);
	if (!object->module) {
		diag_warn("%s: its symbols are not known: %s", path, dwfl_errmsg(-1));
		close(fd);
		return -1;
	}
	dwfl_report_end(object->dwfl, NULL, NULL);
	return 0;
}

static int load_segments(struct object *object, const char *path)
{
	Elf *elf = dwfl_module_getelf(object->module, &object->bias);
	size_t nr;

	if (!elf || elf_getphdrnum(elf, &nr))
		goto damaged;
	object->segments = xcalloc(nr, sizeof(*object->segments));
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr header;

		if (!gelf_getphdr(elf, (int)i, &header))
			goto damaged;
		if (header.p_type == PT_TLS)
			object->thread_local_bytes = header.p_memsz;
		if (header.p_type != PT_LOAD)
			continue;
		object->segments[object->nr_segments++] = (struct segment){
			.offset_bytes = header.p_offset,
			.file_bytes = header.p_filesz,
			.address = header.p_vaddr,
			.memory_bytes = header.p_memsz,
			.is_code = header.p_flags & PF_X,
		};
	}
	return 0;
damaged:
	diag_warn("%s: its symbols are not known: %s", path, elf_errmsg(-1));
	return -1;
}

static void read_build_id(const struct object *object, char text[2 * BUILD_ID_MAX_BYTES + 1])
{
	const unsigned char *bits;
	GElf_Addr address;
	int bytes = dwfl_module_build_id(object->module, &bits, &address);

	text[0] = '\0';
	for (int i = 0; i < bytes && i < BUILD_ID_MAX_BYTES; i++)
		snprintf(text + 2 * i, 3, "%02x", bits[i]);
}

static bool build_id_matches(const char *found, const char *wanted)
{
	size_t digits = strlen(wanted);

	return !digits || !strcmp(found, wanted) ||
	       (digits >= OBJECT_BUILD_ID_DIGITS && !strncmp(found, wanted, digits));
}

static int check_build_id(const struct object *object, const char *path, const char *wanted)
{
	char found[2 * BUILD_ID_MAX_BYTES + 1];

	read_build_id(object, found);
	if (build_id_matches(found, wanted))
		return 0;
	diag_warn("%s: is not the file that was recorded: its build-id is %s, not %s; "
		  "its symbols are not used",
		  path, *found ? found : "missing", wanted);
	return -1;
}

/* It knows nothing then. */
static void drop_object(struct object *object)
{
	dwfl_end(object->dwfl);
	free(object->segments);
	symbol_table_free(&object->symbols);
	symbol_table_free(&object->thread_locals);
	line_table_free(&object->lines);
	variable_table_free(&object->variables);
	allocated_types_free(&object->allocated);
	*object = (struct object){ 0 };
}

struct object *object_open(const char *path, const char *build_id)
{
	struct object *object = xcalloc(1, sizeof(*object));

	if (load_object(object, path) || load_segments(object, path) ||
	    check_build_id(object, path, build_id)) {
		drop_object(object);
		return object;
	}
	symbol_table_fill(&object->symbols, object->module, object->bias);
	if (object->thread_local_bytes)
		symbol_table_fill_thread_local(&object->thread_locals, object->module);
	return object;
}

void object_close(struct object *object)
{
	if (!object)
		return;
	drop_object(object);
	free(object);
}

/* A segment is mapped from where its first page begins. */
static bool segment_is_mapped(const struct segment *segment, uint64_t offset_bytes,
			      uint64_t page_bytes)
{
	uint64_t first = segment->offset_bytes - segment->offset_bytes % page_bytes;

	return offset_bytes >= first && offset_bytes < segment->offset_bytes + segment->file_bytes;
}

static bool segment_holds(const struct segment *segment, uint64_t file_address)
{
	return file_address - segment->address < segment->memory_bytes;
}

static bool any_segment_holds(const struct object *object, uint64_t file_address)
{
	for (size_t i = 0; i < object->nr_segments; i++) {
		if (segment_holds(&object->segments[i], file_address))
			return true;
	}
	return false;
}

/* The file address of @address if @mapping belongs to @segment. */
static uint64_t address_by(const struct segment *segment, struct object_mapping mapping,
			   uint64_t address)
{
	return address - mapping.start + segment->address +
	       (mapping.offset_bytes - segment->offset_bytes);
}

/*
 * Two segments may share a page of the file, which is then mapped twice. The address shows which
 * one is meant.
 */
static bool find_address(const struct object *object, struct object_mapping mapping,
			 uint64_t page_bytes, uint64_t address, uint64_t *file_address)
{
	const struct segment *end = object->segments + object->nr_segments;

	for (const struct segment *segment = object->segments; segment < end; segment++) {
		*file_address = address_by(segment, mapping, address);
		if (segment_is_mapped(segment, mapping.offset_bytes, page_bytes) &&
		    segment_holds(segment, *file_address))
			return true;
	}
	for (const struct segment *segment = object->segments; segment < end; segment++) {
		*file_address = address_by(segment, mapping, address);
		if (segment_is_mapped(segment, mapping.offset_bytes, page_bytes) &&
		    any_segment_holds(object, *file_address))
			return true;
	}
	return false;
}

bool object_address(const struct object *object, struct object_mapping mapping, uint64_t address,
		    uint64_t *file_address)
{
	/* The page size of the recorded machine is not in the trace. */
	static const uint64_t page_bytes[] = { 4096, 16384, 65536 };

	for (size_t i = 0; i < sizeof(page_bytes) / sizeof(page_bytes[0]); i++) {
		if (find_address(object, mapping, page_bytes[i], address, file_address))
			return true;
	}
	return false;
}

bool object_has_code(const struct object *object, uint64_t file_address)
{
	for (size_t i = 0; i < object->nr_segments; i++) {
		if (object->segments[i].is_code &&
		    segment_holds(&object->segments[i], file_address))
			return true;
	}
	return false;
}

const char *object_symbol(const struct object *object, uint64_t file_address, size_t *bytes,
			  uint64_t *offset)
{
	const struct symbol_entry *entry = symbol_table_find(&object->symbols, file_address);

	if (!entry)
		return NULL;
	*bytes = strcspn(entry->name, "@");
	*offset = file_address - entry->start;
	return entry->name;
}

bool object_has_variable(const struct object *object, uint64_t file_address)
{
	const struct symbol_entry *entry = symbol_table_find(&object->symbols, file_address);

	return entry && entry->is_data;
}

static const struct symbol_entry *find_thread_local(const struct object *object, uint64_t offset)
{
	return offset < object->thread_local_bytes ?
		       symbol_table_find(&object->thread_locals, offset) :
		       NULL;
}

const char *object_thread_local(const struct object *object, uint64_t offset, size_t *bytes,
				uint64_t *in_variable)
{
	const struct symbol_entry *entry = find_thread_local(object, offset);

	if (!entry)
		return NULL;
	*bytes = strcspn(entry->name, "@");
	*in_variable = offset - entry->start;
	return entry->name;
}

static bool find_field(struct object *object, bool is_thread_local, uint64_t variable,
		       uint64_t offset, struct data_field *field)
{
	const struct variable_entry *entries;
	size_t nr;

	if (!object->variables.is_filled)
		variable_table_fill(&object->variables, object->module, object->bias);
	entries = variable_table_find(&object->variables, is_thread_local, variable, &nr);
	for (size_t i = 0; i < nr; i++) {
		Dwarf_Die die = entries[i].die;

		if (data_field_find(&die, offset, field))
			return true;
	}
	return false;
}

bool object_field(struct object *object, uint64_t file_address, struct data_field *field)
{
	const struct symbol_entry *entry = symbol_table_find(&object->symbols, file_address);

	return entry && entry->is_data &&
	       find_field(object, false, entry->start, file_address - entry->start, field);
}

bool object_thread_local_field(struct object *object, uint64_t offset, struct data_field *field)
{
	const struct symbol_entry *entry = find_thread_local(object, offset);

	return entry && find_field(object, true, entry->start, offset - entry->start, field);
}

/* NULL: there is none. */
static const struct line_table *need_lines(struct object *object)
{
	if (!object->module)
		return NULL;
	if (!object->lines.is_filled)
		line_table_fill(&object->lines, object->module, object->bias);
	return &object->lines;
}

bool object_block_field(struct object *object, uint64_t call_address, uint64_t block_bytes,
			uint64_t offset, struct data_field *field)
{
	const struct line_table *lines = need_lines(object);
	Dwarf_Die *type = lines ? allocated_types_find(&object->allocated, lines, call_address) :
				  NULL;

	return type && data_field_find_in_block(type, block_bytes, offset, field);
}

const char *object_line(struct object *object, uint64_t file_address, int *line)
{
	const struct line_table *lines = need_lines(object);

	return lines ? line_table_find(lines, file_address, line) : NULL;
}

const char *object_own_line(struct object *object, uint64_t file_address, int *line)
{
	const struct line_table *lines = need_lines(object);

	return lines ? line_table_find_own(lines, file_address, line) : NULL;
}

size_t object_inlined(struct object *object, uint64_t file_address, struct inlined_call *calls,
		      size_t most)
{
	const struct line_table *lines = need_lines(object);

	return lines ? line_table_inlined(lines, file_address, calls, most) : 0;
}
