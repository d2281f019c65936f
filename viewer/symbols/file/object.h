/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols and lines of a mapped file, by elfutils' libdwfl. Separate debug information is used
 * if it is installed; nothing is downloaded.
 *
 * Addresses are those of the file's own headers.
 */
#ifndef ANNOT_SYMBOLS_OBJECT_H
#define ANNOT_SYMBOLS_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_info/data_field.h"
#include "symbols/debug_info/inlined_call.h"

/* So many digits of a build-id tell files from each other. */
#define OBJECT_BUILD_ID_DIGITS 16

struct object;

/* The mapping of a part of the file. */
struct object_mapping {
	uint64_t start;
	uint64_t offset_bytes;
};

/*
 * @build_id must be that of the file: hexadecimal, or its first OBJECT_BUILD_ID_DIGITS digits or more; ""
 * 	if not known. If the file cannot be used, prints one line, and the object has no symbols. Never
 * 	returns NULL.
 */
struct object *object_open(const char *path, const char *build_id);
void object_close(struct object *object);

/*
 * Converts @address of a process to an address of the file. Returns false if it is not in the file.
 */
bool object_address(const struct object *object, struct object_mapping mapping, uint64_t address,
		    uint64_t *file_address);

/* Whether it has code at @file_address. */
bool object_has_code(const struct object *object, uint64_t file_address);

/* Returns the symbol's name, @bytes long, valid until object_close(). NULL: no symbol is there. */
const char *object_symbol(const struct object *object, uint64_t file_address, size_t *bytes,
			  uint64_t *offset);

/* Whether that symbol is a variable's. */
bool object_has_variable(const struct object *object, uint64_t file_address);

/* Which field of that variable is there. Returns false if its type is not known, or does not tell. */
bool object_field(struct object *object, uint64_t file_address, struct data_field *field);

/*
 * Of a thread-local variable at @offset of the block that a thread has of those of this file: as object_symbol() and
 * object_field(). NULL, or false, also of an offset that is not in the block.
 */
const char *object_thread_local(const struct object *object, uint64_t offset, size_t *bytes,
				uint64_t *in_variable);
bool object_thread_local_field(struct object *object, uint64_t offset, struct data_field *field);

/*
 * Which field stands at @offset of a block of @block_bytes that a call allocated, whose last byte of code is at @call_address. Returns
 * false if the block's type is not known (allocated_type.h), or does not tell.
 */
bool object_block_field(struct object *object, uint64_t call_address, uint64_t block_bytes,
			uint64_t offset, struct data_field *field);

/* The path of the source. NULL: not known. @line counts from 1. */
const char *object_line(struct object *object, uint64_t file_address, int *line);

/* The same, for the programmer's own line: of inlined code of the system's headers, from where it is called. */
const char *object_own_line(struct object *object, uint64_t file_address, int *line);

/*
 * The calls that are inlined there, the innermost first, valid until object_close(). Returns their number, at most
 * @most.
 */
size_t object_inlined(struct object *object, uint64_t file_address, struct inlined_call *calls,
		      size_t most);

#endif /* ANNOT_SYMBOLS_OBJECT_H */
