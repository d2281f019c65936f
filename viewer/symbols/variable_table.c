// SPDX-License-Identifier: GPL-2.0
#include "symbols/variable_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#include "util/lower_bound.h"
#include "util/xalloc.h"

#define MOST_DEPTH 64

struct unit_walk {
	struct variable_table *table;
	uint64_t bias; /* of the file's addresses against the unit's */
	Dwarf_Off last; /* in damaged files, what is in a scope may also be said to follow it */
};

static bool is_address(uint8_t operation)
{
	return operation == DW_OP_addr || operation == DW_OP_addrx ||
	       operation == DW_OP_GNU_addr_index;
}

/* libdw keeps each location that it decodes: of the many that are on stacks, only the first byte is read. */
static bool begins_with_address(Dwarf_Attribute *location)
{
	Dwarf_Block block;

	return !dwarf_formblock(location, &block) && block.length && is_address(block.data[0]);
}

static bool find_address(Dwarf_Die *variable, Dwarf_Addr *address)
{
	Dwarf_Attribute location, operand;
	Dwarf_Op *operations;
	size_t nr;

	if (!dwarf_attr(variable, DW_AT_location, &location) || !begins_with_address(&location) ||
	    dwarf_getlocation(&location, &operations, &nr) || nr != 1)
		return false;
	*address = operations->number;
	return operations->atom == DW_OP_addr ||
	       (!dwarf_getlocation_attr(&location, operations, &operand) &&
		!dwarf_formaddr(&operand, address));
}

static void add_variable(const struct unit_walk *walk, Dwarf_Die *variable)
{
	struct variable_table *table = walk->table;
	Dwarf_Addr address;

	if (!find_address(variable, &address))
		return;
	ARRAY_MAKE_ROOM(table->entries, table->nr, table->capacity);
	table->entries[table->nr++] = (struct variable_entry){
		.address = address + walk->bias,
		.die = *variable,
	};
}

/* Whether variables that have an address stand within it. */
static bool is_scope(int tag)
{
	return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_subprogram ||
	       tag == DW_TAG_lexical_block;
}

static void add_variables_of(struct unit_walk *walk, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;
	int failed = dwarf_child(scope, &die);

	for (; !failed && dwarf_dieoffset(&die) > walk->last;
	     failed = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		walk->last = dwarf_dieoffset(&die);
		if (tag == DW_TAG_variable)
			add_variable(walk, &die);
		else if (is_scope(tag) && depth < MOST_DEPTH)
			add_variables_of(walk, &die, depth + 1);
	}
}

/* With -gsplit-dwarf, what a file has of a unit is little more than the name of another file. */
static Dwarf_Die whole_unit(Dwarf_Die *unit)
{
	Dwarf_Die whole;
	uint8_t type;

	if (dwarf_cu_info(unit->cu, NULL, &type, NULL, &whole, NULL, NULL, NULL) ||
	    type != DW_UT_skeleton || !whole.cu)
		return *unit;
	return whole;
}

/* What one unit describes twice keeps its order. */
static int compare(const void *a, const void *b)
{
	const struct variable_entry *first = a, *second = b;

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
		Dwarf_Die whole = whole_unit(unit);

		add_variables_of(&walk, &whole, 0);
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
						 uint64_t address, size_t *nr)
{
	size_t first = LOWER_BOUND(row, 0, table->nr, table->entries[row].address < address);
	size_t end = LOWER_BOUND(row, first, table->nr, table->entries[row].address <= address);

	*nr = end - first;
	return table->entries + first;
}
