/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The variables of a file by address, as its debug information describes them: global ones, and static ones of files
 * and of functions. Those that are thread-local have an offset in the block that each thread has of them
 * (DW_OP_form_tls_address: DWARF 5, 2.5.1.3; before DWARF 3, and by gcc, DW_OP_GNU_push_tls_address).
 */
#ifndef ANNOT_SYMBOLS_VARIABLE_TABLE_H
#define ANNOT_SYMBOLS_VARIABLE_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct variable_entry {
	uint64_t address; /* as the file's headers have it; an offset */
	bool is_thread_local;
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

/* Those that begin at @address: *@nr of them. With @is_thread_local, at that offset. */
const struct variable_entry *variable_table_find(const struct variable_table *table,
						 bool is_thread_local, uint64_t address,
						 size_t *nr);

#endif /* ANNOT_SYMBOLS_VARIABLE_TABLE_H */
