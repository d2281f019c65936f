/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The symbols of a file by address, or those of its thread-local variables by their offset in the block that each thread
 * has of them (STT_TLS: "Thread Symbol" in U. Drepper, ELF Handling For Thread-Local Storage). libdwfl's own search is linear, which is too slow for hundreds
 * of thousands of samples.
 */
#ifndef ANNOT_SYMBOLS_SYMBOL_TABLE_H
#define ANNOT_SYMBOLS_SYMBOL_TABLE_H

#include <elfutils/libdwfl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_entry {
	uint64_t start; /* as the file's headers have it; an offset */
	uint64_t end;
	uint64_t reach; /* the greatest end of this one and those before */
	const char *name; /* the module's */
	bool is_data; /* a variable, as far as the table says */
	uint8_t rank; /* among symbols of one address, the lowest rank wins */
};

struct symbol_table {
	size_t nr;
	size_t capacity;
	struct symbol_entry *entries;
};

/* @bias: of the module's addresses against the file's. The module must stay as long as the table. */
void symbol_table_fill(struct symbol_table *table, Dwfl_Module *module, GElf_Addr bias);
void symbol_table_fill_thread_local(struct symbol_table *table, Dwfl_Module *module);
void symbol_table_free(struct symbol_table *table);

/* Returns NULL if there is none. */
const struct symbol_entry *symbol_table_find(const struct symbol_table *table, uint64_t address);

#endif /* ANNOT_SYMBOLS_SYMBOL_TABLE_H */
