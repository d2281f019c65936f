/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The lines of source of a file by address. libdwfl's own search finds only units that are in
 * .debug_aranges, which clang does not write.
 */
#ifndef ANNOT_SYMBOLS_LINE_TABLE_H
#define ANNOT_SYMBOLS_LINE_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "symbols/debug_info/inlined_call.h"

/* Code that a compilation unit made. */
struct unit_range {
	uint64_t start; /* as the file's headers have it */
	uint64_t end;
	uint64_t reach; /* the greatest end of this one and those before */
	uint64_t bias; /* of the file's addresses against the unit's */
	Dwarf_Die *unit;
};

struct line_table {
	size_t nr;
	size_t capacity;
	struct unit_range *ranges;
	bool is_filled;
};

/* @bias: of the module's addresses against the file's. The module must stay as long as the table. */
void line_table_fill(struct line_table *table, Dwfl_Module *module, GElf_Addr bias);
void line_table_free(struct line_table *table);

/*
 * Returns the path of the source, and *@line, which counts from 1. NULL: not known, or it is code that the
 * compiler added.
 */
const char *line_table_find(const struct line_table *table, uint64_t address, int *line);

/*
 * The same for the programmer's own line: for code of a header of the system that was inlined, that of the
 * innermost call which is in no such header.
 */
const char *line_table_find_own(const struct line_table *table, uint64_t address, int *line);

/*
 * The calls that are inlined where @address is, the innermost first. Returns their number, at most @most.
 */
size_t line_table_inlined(const struct line_table *table, uint64_t address,
			  struct inlined_call *calls, size_t most);

/* The code of a unit that has @address. NULL: none has. */
const struct unit_range *line_table_unit(const struct line_table *table, uint64_t address);

/* As line_table_find(). */
const char *unit_range_line(const struct unit_range *range, uint64_t address, int *line);

/* The same of where the inlined function @scope is called. NULL: it is not one, or its call is not known. */
const char *line_of_call(Dwarf_Die *scope, int *line);

/* The same of where @variable is declared. */
const char *line_of_declaration(Dwarf_Die *variable, int *line);

/*
 * The functions, blocks and inlined calls at @address, from the innermost one outwards, as they are nested in the code. Returns their
 * number; free() them if it is not 0.
 */
int unit_range_scopes(const struct unit_range *range, uint64_t address, Dwarf_Die **scopes);

#endif /* ANNOT_SYMBOLS_LINE_TABLE_H */
