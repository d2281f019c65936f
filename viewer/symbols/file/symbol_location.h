/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The location of an address: its symbol and file. Names are string ids of the trace.
 */
#ifndef ANNOT_SYMBOLS_SYMBOL_LOCATION_H
#define ANNOT_SYMBOLS_SYMBOL_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

struct symbol_location {
	uint32_t symbol;
	uint32_t object; /* the file's name without its directory; "[kernel]", "[module]" */
	uint32_t line; /* "file.c:17", or TRACE_NO_STRING; only for code, and if requested */
	uint64_t offset; /* from the symbol's start; without a name, the address */
	bool known; /* it has a name */
	bool is_variable; /* and is data of that name */
	int32_t owner_tid; /* of a thread-local variable, the thread whose it is; 0: it is none */
	bool has_field; /* only for data, and if requested: debug information tells which field it is */
	uint32_t field; /* behind the name: "[1].hits" */
	uint64_t field_offset; /* from the field's start, if it is in no scalar */
	/* Of a field in an array of structures, the outermost one (data_field.h). 0: it is in none. */
	uint64_t element_bytes;
	uint64_t element_start; /* of the field, in its element */
	uint64_t field_bytes;
	uint32_t array; /* its name: "points", "grid.cells" ... */
	uint32_t array_path_bytes; /* ... which so much of `field` is a part of */
};

struct data_field;
struct trace;

/* Of the field of debug information that the address is in. Interns its name. */
void symbol_location_set_field(struct symbol_location *location, struct trace *trace,
			       const struct data_field *field);

#endif /* ANNOT_SYMBOLS_SYMBOL_LOCATION_H */
