/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses of samples -> names. Each address of a file or of the kernel is looked up once.
 *
 * Names are string ids of the trace. What cannot be named is "[unknown]"; a kernel address that was
 * not to be shown, "[hidden]".
 */
#ifndef ANNOT_SYMBOLS_SYMBOLS_H
#define ANNOT_SYMBOLS_SYMBOLS_H

#include "model/model.h"
#include "symbols/file/symbol_location.h"

#define SYMBOLS_MOST_INLINED 16 /* those further out are left out */

struct symbols;

/* An address in a file that is mapped there. */
struct symbol_place {
	uint32_t path; /* string ids; it may be no file, as "[vdso]" */
	uint32_t build_id;
	uint64_t map_start;
	uint64_t map_offset_bytes;
	uint64_t address;
};

/* @model must outlive it. Returns NULL after one line on stderr if the trace is damaged. */
struct symbols *symbols_new(const struct model *model);
void symbols_free(struct symbols *symbols);

/* The location of the instruction of sample @sample. */
struct symbol_location symbols_of_code(struct symbols *symbols, size_t sample, bool with_line);

/* The location of the data that it accessed; it must have an address. */
struct symbol_location symbols_of_data(struct symbols *symbols, size_t sample, bool with_field);

/*
 * The location of @address in memory that the program named: row @row of model.data_objects. It has that name, and is of no file. Its field
 * is known if the memory is named after the call that allocated it, and the type of that is known (allocated_type.h).
 */
struct symbol_location symbols_of_object(struct symbols *symbols, size_t row, uint64_t address,
					 bool with_field);

/* The location of an instruction of the kernel. */
struct symbol_location symbols_of_kernel(struct symbols *symbols, uint64_t address);

/*
 * The function at @place, behind those that are inlined there, the innermost first; each with the line at which it
 * is. Of a file that cannot be read, the offset is that in the file: the same in all processes. Returns their number: at
 * least 1, at most @most.
 */
size_t symbols_of_place(struct symbols *symbols, const struct symbol_place *place,
			struct symbol_location *functions, size_t most);

#endif /* ANNOT_SYMBOLS_SYMBOLS_H */
