// SPDX-License-Identifier: GPL-2.0
#include "symbols/debug_info/variable_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "symbols/debug_info/split_unit.h"
#include "symbols/debug_info/scope_walk.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

struct unit_walk {
	struct variable_table *table;
	uint64_t bias; /* of the file's addresses against the unit's */
};

static bool is_address(uint8_t operation)
{
	return operation == DW_OP_addr || operation == DW_OP_addrx ||
	       operation == DW_OP_GNU_addr_index;
}

/* The offset of a thread-local variable stands as a number. */
static bool is_number(uint8_t operation)
{
	return operation == DW_OP_const4u || operation == DW_OP_const8u ||
	       operation == DW_OP_constx || operation == DW_OP_GNU_const_index;
}

/* libdw keeps each location that it decodes: of the many that are on stacks, only the first byte is read. */
static bool begins_with_address(Dwarf_Attribute *location)
{
	Dwarf_Block block;

	return !dwarf_formblock(location, &block) && block.length &&
	       (is_address(block.data[0]) || is_number(block.data[0]));
}

/* Numbers of split units stand in a table, as addresses do. */
static bool find_operand(Dwarf_Attribute *location, const Dwarf_Op *operation, uint64_t *value)
{
	Dwarf_Attribute operand;

	*value = operation->number;
	switch (operation->atom) {
	case DW_OP_addr:
	case DW_OP_const4u:
	case DW_OP_const8u:
		return true;
	case DW_OP_constx:
	case DW_OP_GNU_const_index:
		return !dwarf_getlocation_attr(location, operation, &operand) &&
		       !dwarf_formudata(&operand, value);
	default:
		return !dwarf_getlocation_attr(location, operation, &operand) &&
		       !dwarf_formaddr(&operand, value);
	}
}

/* Whether that makes an offset of what is before it. */
static bool is_thread_operation(const Dwarf_Op *operation)
{
	return operation->atom == DW_OP_form_tls_address ||
	       operation->atom == DW_OP_GNU_push_tls_address;
}

static bool find_address(Dwarf_Die *variable, struct variable_entry *entry)
{
	Dwarf_Attribute location;
	Dwarf_Op *operations;
	size_t nr;

	if (!dwarf_attr(variable, DW_AT_location, &location) || !begins_with_address(&location) ||
	    dwarf_getlocation(&location, &operations, &nr) ||
	    !find_operand(&location, operations, &entry->address))
		return false;
	entry->is_thread_local = nr == 2 && is_thread_operation(&operations[1]);
	return entry->is_thread_local || (nr == 1 && is_address(operations->atom));
}

static void add_variable(void *context, Dwarf_Die *variable)
{
	const struct unit_walk *walk = context;
	struct variable_table *table = walk->table;
	struct variable_entry entry = { .die = *variable };

	if (dwarf_tag(variable) != DW_TAG_variable || !find_address(variable, &entry))
		return;
	if (!entry.is_thread_local)
		entry.address += walk->bias;
	ARRAY_MAKE_ROOM(table->entries, table->nr, table->capacity);
	table->entries[table->nr++] = entry;
}

/* Whether variables that have an address stand within it. */
static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_subprogram ||
	       tag == DW_TAG_lexical_block;
}

/* What one unit describes twice keeps its order. */
static int compare(const void *a, const void *b)
{
	const struct variable_entry *first = a, *second = b;

	if (first->is_thread_local != second->is_thread_local)
		return first->is_thread_local ? 1 : -1;
	if (first->address != second->address)
		return first->address < second->address ? -1 : 1;
	return (first->die.addr > second->die.addr) - (first->die.addr < second->die.addr);
}

void variable_table_fill(struct variable_table *table, Dwfl_Module *module, GElf_Addr bias)
{
	Dwarf_Addr unit_bias;
	Dwarf_Die *unit = NULL;

	while ((unit = dwfl_module_nextcu(module, unit, &unit_bias))) {
		struct unit_walk walk = { .table = table, .bias = unit_bias - bias };
		Dwarf_Die whole = split_unit_whole(unit);

		scope_entries_each(&whole, is_scope, add_variable, &walk);
	}
	if (table->nr)
		qsort(table->entries, table->nr, sizeof(*table->entries), compare);
	table->is_filled = true;
}

void variable_table_free(struct variable_table *table)
{
	free(table->entries);
	*table = (struct variable_table){ 0 };
}

const struct variable_entry *variable_table_find(const struct variable_table *table,
						 bool is_thread_local, uint64_t address, size_t *nr)
{
	size_t split = LOWER_BOUND(row, 0, table->nr, !table->entries[row].is_thread_local);
	size_t low = is_thread_local ? split : 0, high = is_thread_local ? table->nr : split;
	size_t first = LOWER_BOUND(row, low, high, table->entries[row].address < address);
	size_t end = LOWER_BOUND(row, first, high, table->entries[row].address <= address);

	*nr = end - first;
	return table->entries + first;
}
