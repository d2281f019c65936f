// SPDX-License-Identifier: GPL-2.0
#include "symbols/allocated_type.h"

#include <dwarf.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/type_layout.h"
#include "symbols/variable_walk.h"
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
	Dwarf_Die type;

	if (!find_pointee(variable, &type) || type_bytes(&type) <= search->bytes ||
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
	variables_each(function, is_in_function, look_at_variable, &search);
	*type = search.type;
	return search.is_found;
}

/* To what the pointers point that are declared in a line. */
struct line_search {
	const char *file;
	int line;
	size_t nr_types;
	Dwarf_Die type; /* the first one */
};

static bool is_declared_there(const struct line_search *search, Dwarf_Die *variable)
{
	int line;
	const char *file = line_of_declaration(variable, &line);

	return file && line == search->line && !strcmp(file, search->file);
}

static void look_at_declaration(void *context, Dwarf_Die *variable)
{
	struct line_search *search = context;
	Dwarf_Die type;

	if (dwarf_tag(variable) != DW_TAG_variable || !is_declared_there(search, variable) ||
	    !find_pointee(variable, &type))
		return;
	if (!search->nr_types)
		search->type = type;
	if (!search->nr_types || dwarf_dieoffset(&type) != dwarf_dieoffset(&search->type))
		search->nr_types++;
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

/* @scopes: around the call, from the innermost one on. */
static bool find_by_line(const struct unit_range *range, Dwarf_Die *scopes, int nr,
			 uint64_t call_address, Dwarf_Die *type)
{
	struct line_search search = { .nr_types = 0 };

	search.file = unit_range_line(range, call_address, &search.line);
	for (int i = 0; i < nr && search.file; i++) {
		int tag = dwarf_tag(&scopes[i]);

		if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine)
			continue;
		variables_each(&scopes[i], is_block, look_at_declaration, &search);
		if (search.nr_types || !returns_anything(&scopes[i]))
			break;
		search.file = line_of_call(&scopes[i], &search.line);
	}
	*type = search.type;
	return search.nr_types == 1;
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
	return function && (find_by_variable(range, function, call_address, type) ||
			    find_by_line(range, scopes, nr, call_address, type));
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
