// SPDX-License-Identifier: GPL-2.0
#include "symbols/file/symbol_table.h"

#include <stdlib.h>
#include <string.h>

#include "util/lower_bound.h"
#include "util/xalloc.h"

static bool is_wanted(const GElf_Sym *symbol, GElf_Word section, const char *name)
{
	if (!name || !*name || section == SHN_UNDEF || section == SHN_ABS)
		return false;
	switch (GELF_ST_TYPE(symbol->st_info)) {
	case STT_FUNC:
	case STT_GNU_IFUNC:
	case STT_OBJECT:
		return true;
	case STT_NOTYPE: /* written by hand; with a '$' it says what follows: code or data */
		return *name != '$';
	default:
		return false;
	}
}

static uint8_t rank_of(const GElf_Sym *symbol)
{
	uint8_t rank = symbol->st_size ? 0 : 4;

	switch (GELF_ST_BIND(symbol->st_info)) {
	case STB_GLOBAL:
		return rank;
	case STB_WEAK:
		return rank + 1;
	default:
		return rank + 2;
	}
}

static void add_entry(struct symbol_table *table, struct symbol_entry entry)
{
	ARRAY_MAKE_ROOM(table->entries, table->nr, table->capacity);
	table->entries[table->nr++] = entry;
}

static int compare(const void *a, const void *b)
{
	const struct symbol_entry *first = a, *second = b;

	if (first->start != second->start)
		return first->start < second->start ? -1 : 1;
	/* Searches from the last one, because the best is last. */
	if (first->rank != second->rank)
		return first->rank > second->rank ? -1 : 1;
	return strcmp(second->name, first->name);
}

/* What has no size reaches to the next one. */
static void settle_ends(struct symbol_table *table)
{
	uint64_t next = UINT64_MAX, reach = 0;

	for (size_t i = table->nr; i-- > 0;) {
		struct symbol_entry *entry = &table->entries[i];

		if (entry->end == entry->start)
			entry->end = next;
		if (!i || table->entries[i - 1].start < entry->start)
			next = entry->start;
	}
	for (size_t i = 0; i < table->nr; i++) {
		if (table->entries[i].end > reach)
			reach = table->entries[i].end;
		table->entries[i].reach = reach;
	}
}

static void settle(struct symbol_table *table)
{
	if (table->nr)
		qsort(table->entries, table->nr, sizeof(*table->entries), compare);
	settle_ends(table);
}

void symbol_table_fill(struct symbol_table *table, Dwfl_Module *module, GElf_Addr bias)
{
	int nr = dwfl_module_getsymtab(module);

	for (int i = 0; i < nr; i++) {
		GElf_Word section;
		GElf_Addr address;
		GElf_Sym symbol;
		const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, &section,
							   NULL, NULL);

		if (!is_wanted(&symbol, section, name))
			continue;
		add_entry(table, (struct symbol_entry){
					 .start = address - bias,
					 .end = address - bias + symbol.st_size,
					 .name = name,
					 .is_data = GELF_ST_TYPE(symbol.st_info) == STT_OBJECT,
					 .rank = rank_of(&symbol),
				 });
	}
	settle(table);
}

/* What has no size is the linker's name for the whole block, "_TLS_MODULE_BASE_". */
static bool is_thread_local(const GElf_Sym *symbol, const char *name)
{
	return name && *name && GELF_ST_TYPE(symbol->st_info) == STT_TLS &&
	       symbol->st_shndx != SHN_UNDEF && symbol->st_size;
}

void symbol_table_fill_thread_local(struct symbol_table *table, Dwfl_Module *module)
{
	int nr = dwfl_module_getsymtab(module);

	for (int i = 0; i < nr; i++) {
		GElf_Sym symbol;
		GElf_Addr address;
		const char *name = dwfl_module_getsym_info(module, i, &symbol, &address, NULL, NULL,
							   NULL);

		if (!is_thread_local(&symbol, name))
			continue;
		add_entry(table, (struct symbol_entry){
					 .start = symbol.st_value,
					 .end = symbol.st_value + symbol.st_size,
					 .name = name,
					 .is_data = true,
					 .rank = rank_of(&symbol),
				 });
	}
	settle(table);
}

void symbol_table_free(struct symbol_table *table)
{
	free(table->entries);
	*table = (struct symbol_table){ 0 };
}

const struct symbol_entry *symbol_table_find(const struct symbol_table *table, uint64_t address)
{
	size_t at = LOWER_BOUND(row, 0, table->nr, table->entries[row].start <= address);

	for (; at && table->entries[at - 1].reach > address; at--) {
		if (table->entries[at - 1].end > address)
			return &table->entries[at - 1];
	}
	return NULL;
}
