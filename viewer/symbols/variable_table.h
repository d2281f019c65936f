/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The variables of a file by address, as its debug information describes them: global ones, and static ones of files
 * and of functions.
 */
#ifndef ANNOT_SYMBOLS_VARIABLE_TABLE_H
#define ANNOT_SYMBOLS_VARIABLE_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct variable_entry {
	uint64_t address; /* as the file's headers have it */
	Dwarf_Die die;
};

struct variable_table {
	size_t nr;
	size_t capacity;
	struct variable_entry *entries;
	bool is_filled;
};

/*
 * @bias: of the module's addresses against the file's. The module must stay as long as the table. Cost: a walk
 * through all units, once a file.
 */
void variable_table_fill(struct variable_table *table, Dwfl_Module *module, GElf_Addr bias);
void variable_table_free(struct variable_table *table);

/* Those that begin at @address: *@nr of them. */
const struct variable_entry *variable_table_find(const struct variable_table *table,
						 uint64_t address, size_t *nr);

#endif /* ANNOT_SYMBOLS_VARIABLE_TABLE_H */
