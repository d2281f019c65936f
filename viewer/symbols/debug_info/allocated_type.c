// SPDX-License-Identifier: GPL-2.0
#include "symbols/debug_info/allocated_type.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/debug_info/scope_walk.h"
#include "symbols/debug_info/type_layout.h"
#include "util/xalloc.h"

#define MOST_STEPS 8 /* from what is said of a function to its declaration */

/* For variables of a function that have a call's result. */
struct result_search {
	uint64_t return_address; /* as the unit has it */
	uint8_t result; /* the operation that names the register of results */
	bool is_found;
	uint64_t bytes; /* of the type */
	Dwarf_Die type;
};

/* The register in which functions return pointers, by the ABI of the processor, as its DWARF numbers it. */
static bool find_result_register(Dwarf_Die *unit, uint8_t *operation)
{
	GElf_Ehdr header;

	if (!gelf_getehdr(dwarf_getelf(dwarf_cu_getdwarf(unit->cu)), &header))
		return false;
	switch (header.e_machine) {
	case EM_X86_64: /* rax */
	case EM_AARCH64: /* x0 */
		*operation = DW_OP_reg0;
		return true;
	case EM_RISCV: /* a0 */
		*operation = DW_OP_reg10;
		return true;
	default:
		return false;
	}
}

static bool is_character(Dwarf_Die *type)
{
	return dwarf_tag(type) == DW_TAG_base_type && type_bytes(type) == 1;
}

/* What the pointer @die, or the one that it returns, points to. */
static bool find_pointee(Dwarf_Die *die, Dwarf_Die *type)
{
	Dwarf_Die pointer;
	uint64_t bytes;

	if (!type_of(die, &pointer) || dwarf_tag(&pointer) != DW_TAG_pointer_type ||
	    !type_of(&pointer, type))
		return false;
	bytes = type_bytes(type);
	return bytes && bytes != TYPE_ENDLESS && !is_character(type);
}

static bool is_result(const struct result_search *search, Dwarf_Die *variable)
{
	Dwarf_Addr base, start, end;
	Dwarf_Attribute location;
	Dwarf_Op *operations;
	ptrdiff_t offset = 0;
	size_t nr;

	if (!dwarf_attr(variable, DW_AT_location, &location))
		return false;
	while ((offset = dwarf_getlocations(&location, offset, &base, &start, &end, &operations,
					    &nr)) > 0) {
		if (search->return_address >= start && search->return_address < end && nr == 1 &&
		    operations->atom == search->result)
			return true;
	}
	return false;
}

static void look_at_variable(void *context, Dwarf_Die *variable)
{
	struct result_search *search = context;
	int tag = dwarf_tag(variable);
	Dwarf_Die type;

	if ((tag != DW_TAG_variable && tag != DW_TAG_formal_parameter) ||
	    !find_pointee(variable, &type) || type_bytes(&type) <= search->bytes ||
	    !is_result(search, variable))
		return;
	search->is_found = true;
	search->bytes = type_bytes(&type);
	search->type = type;
}

static bool is_in_function(int tag)
{
	return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine ||
	       tag == DW_TAG_try_block || tag == DW_TAG_catch_block;
}

static bool find_by_variable(const struct unit_range *range, Dwarf_Die *function,
			     uint64_t call_address, Dwarf_Die *type)
{
	struct result_search search = { .return_address = call_address + 1 - range->bias };

	if (!find_result_register(range->unit, &search.result))
		return false;
	scope_entries_each(function, is_in_function, look_at_variable, &search);
	*type = search.type;
	return search.is_found;
}

static bool follow(Dwarf_Die *die, unsigned int attribute_name)
{
	Dwarf_Attribute attribute;
	Dwarf_Die to;

	if (!dwarf_attr(die, attribute_name, &attribute) || !dwarf_formref_die(&attribute, &to))
		return false;
	*die = to;
	return true;
}

/* What is in a line, of a function or an inlined one: pointers that are declared, and calls. */
struct line_search {
	const struct unit_range *range;
	uint64_t call_address;
	const char *file;
	int line;
	size_t nr_types; /* to which the pointers point */
	Dwarf_Die type; /* the first one */
	size_t nr_others; /* calls but that one whose result may be a pointer */
};

static bool is_in_line(const struct line_search *search, const char *file, int line)
{
	return file && line == search->line && !strcmp(file, search->file);
}

static void look_at_declaration(struct line_search *search, Dwarf_Die *variable)
{
	Dwarf_Die type;
	int line;
	const char *file = line_of_declaration(variable, &line);

	if (!is_in_line(search, file, line) || !find_pointee(variable, &type))
		return;
	if (!search->nr_types)
		search->type = type;
	if (!search->nr_types || dwarf_dieoffset(&type) != dwarf_dieoffset(&search->type))
		search->nr_types++;
}

/* Of functions that debug information does not tell, it may be. */
static bool may_return_pointer(Dwarf_Die *call)
{
	Dwarf_Die function = *call, type;

	if (!follow(&function, DW_AT_call_origin) && !follow(&function, DW_AT_abstract_origin))
		return true;
	return type_of(&function, &type) && dwarf_tag(&type) == DW_TAG_pointer_type;
}

static bool find_return_address(Dwarf_Die *call, Dwarf_Addr *address)
{
	Dwarf_Attribute attribute;

	return (dwarf_attr(call, DW_AT_call_return_pc, &attribute) ||
		dwarf_attr(call, DW_AT_low_pc, &attribute)) &&
	       !dwarf_formaddr(&attribute, address);
}

static void look_at_call(struct line_search *search, Dwarf_Die *call)
{
	Dwarf_Addr address;
	const char *file;
	int line;

	if (!find_return_address(call, &address))
		return;
	/* Within the call, as that of the search. */
	address += search->range->bias - 1;
	file = unit_range_line(search->range, address, &line);
	search->nr_others += address != search->call_address && is_in_line(search, file, line) &&
			     may_return_pointer(call);
}

static void look_at_entry(void *context, Dwarf_Die *entry)
{
	switch (dwarf_tag(entry)) {
	case DW_TAG_variable:
		look_at_declaration(context, entry);
		break;
	case DW_TAG_call_site:
	case DW_TAG_GNU_call_site:
		look_at_call(context, entry);
		break;
	}
}

static bool is_block(int tag)
{
	return tag == DW_TAG_lexical_block;
}

static bool returns_anything(Dwarf_Die *function)
{
	Dwarf_Die pointer, type;

	return type_of(function, &pointer) && dwarf_tag(&pointer) == DW_TAG_pointer_type &&
	       !type_of(&pointer, &type);
}

/* Whether all of its calls are told: not without optimisation. */
static bool tells_calls(Dwarf_Die *function)
{
	return dwarf_hasattr(function, DW_AT_call_all_calls) ||
	       dwarf_hasattr(function, DW_AT_call_all_source_calls) ||
	       dwarf_hasattr(function, DW_AT_GNU_all_call_sites) ||
	       dwarf_hasattr(function, DW_AT_GNU_all_source_call_sites);
}

/*
 * @scopes: around the call, from the innermost one on. With another call in the line, it is not known whose result the pointer is.
 */
static bool find_by_line(const struct unit_range *range, Dwarf_Die *scopes, int nr,
			 uint64_t call_address, Dwarf_Die *type)
{
	struct line_search search = { .range = range, .call_address = call_address };

	search.file = unit_range_line(range, call_address, &search.line);
	for (int i = 0; i < nr && search.file; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		search.nr_others = 0;
		scope_entries_each(&scopes[i], is_block, look_at_entry, &search);
		if (search.nr_types || !returns_anything(&scopes[i]))
			break;
		search.file = line_of_call(&scopes[i], &search.line);
	}
	*type = search.type;
	return search.nr_types == 1 && !search.nr_others;
}

/* Where the function or inlined call @scope is declared: in its class, if it is of one. With -flto, that takes a step more. */
static Dwarf_Die declaration_of(Dwarf_Die *scope)
{
	Dwarf_Die die = *scope;

	for (int step = 0; step < MOST_STEPS && (follow(&die, DW_AT_abstract_origin) ||
						 follow(&die, DW_AT_specification));
	     step++)
		;
	return die;
}

/* With -fdebug-types-section, the class itself is in a unit of its own. */
static bool is_allocator(Dwarf_Die *class)
{
	int tag = dwarf_tag(class);
	Dwarf_Die whole = *class;
	const char *name;

	follow(&whole, DW_AT_signature);
	name = dwarf_diename(&whole);
	return (tag == DW_TAG_class_type || tag == DW_TAG_structure_type) && name &&
	       strstr(name, "allocator<");
}

static bool is_allocate(Dwarf_Die *scope)
{
	Dwarf_Die declaration = declaration_of(scope), *around;
	const char *name = dwarf_diename(&declaration);
	bool is = false;
	int nr;

	if (!name || strcmp(name, "allocate") != 0)
		return false;
	nr = dwarf_getscopes_die(&declaration, &around);
	if (nr > 1)
		is = is_allocator(&around[1]);
	if (nr > 0)
		free(around);
	return is;
}

/* @scopes: around the call, from the innermost one on. */
static bool find_by_scopes(const struct unit_range *range, Dwarf_Die *scopes, int nr,
			   uint64_t call_address, Dwarf_Die *type)
{
	Dwarf_Die *function = NULL;

	for (int i = 0; i < nr && !function; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if ((tag == DW_TAG_inlined_subroutine || tag == DW_TAG_subprogram) &&
		    is_allocate(&scopes[i]))
			return find_pointee(&scopes[i], type);
		if (tag == DW_TAG_subprogram)
			function = &scopes[i];
	}
	if (!function)
		return false;
	return find_by_variable(range, function, call_address, type) ||
	       (tells_calls(function) && find_by_line(range, scopes, nr, call_address, type));
}

static struct allocated_type look_up(const struct line_table *lines, uint64_t call_address)
{
	const struct unit_range *range = line_table_unit(lines, call_address);
	struct allocated_type type = { .is_known = false };
	Dwarf_Die *scopes;
	int nr = range ? unit_range_scopes(range, call_address, &scopes) : 0;

	if (nr <= 0)
		return type;
	type.is_known = find_by_scopes(range, scopes, nr, call_address, &type.die);
	free(scopes);
	return type;
}

Dwarf_Die *allocated_types_find(struct allocated_types *types, const struct line_table *lines,
				uint64_t call_address)
{
	size_t at = pair_table_number(&types->calls, (uint32_t)(call_address >> 32),
				      (uint32_t)call_address);

	if (at == types->nr) {
		ARRAY_MAKE_ROOM(types->types, types->nr, types->capacity);
		types->types[types->nr++] = look_up(lines, call_address);
	}
	return types->types[at].is_known ? &types->types[at].die : NULL;
}

void allocated_types_free(struct allocated_types *types)
{
	pair_table_free(&types->calls);
	free(types->types);
	*types = (struct allocated_types){ 0 };
}
