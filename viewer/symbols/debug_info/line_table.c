// SPDX-License-Identifier: GPL-2.0
#include "symbols/debug_info/line_table.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/debug_info/split_unit.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

static void add_range(struct line_table *table, struct unit_range range)
{
	ARRAY_MAKE_ROOM(table->ranges, table->nr, table->capacity);
	table->ranges[table->nr++] = range;
}

/* @bias: of the file's addresses against the unit's. */
static void add_unit(struct line_table *table, Dwarf_Die *unit, uint64_t bias)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t offset = 0;

	while ((offset = dwarf_ranges(unit, offset, &base, &start, &end)) > 0) {
		if (start < end)
			add_range(table, (struct unit_range){
						 .start = start + bias,
						 .end = end + bias,
						 .bias = bias,
						 .unit = unit,
					 });
	}
}

static int compare(const void *a, const void *b)
{
	const struct unit_range *first = a, *second = b;

	return (first->start > second->start) - (first->start < second->start);
}

static void set_reaches(struct line_table *table)
{
	uint64_t reach = 0;

	for (size_t i = 0; i < table->nr; i++) {
		if (table->ranges[i].end > reach)
			reach = table->ranges[i].end;
		table->ranges[i].reach = reach;
	}
}

void line_table_fill(struct line_table *table, Dwfl_Module *module, GElf_Addr bias)
{
	Dwarf_Addr unit_bias;
	Dwarf_Die *unit = NULL;

	while ((unit = dwfl_module_nextcu(module, unit, &unit_bias)))
		add_unit(table, unit, unit_bias - bias);
	if (table->nr)
		qsort(table->ranges, table->nr, sizeof(*table->ranges), compare);
	set_reaches(table);
	table->is_filled = true;
}

void line_table_free(struct line_table *table)
{
	free(table->ranges);
	*table = (struct line_table){ 0 };
}

const char *unit_range_line(const struct unit_range *range, uint64_t address, int *line)
{
	Dwarf_Line *found = dwarf_getsrc_die(range->unit, address - range->bias);

	if (!found || dwarf_lineno(found, line) || *line < 1)
		return NULL;
	return dwarf_linesrc(found, NULL, NULL);
}

static bool is_below(const char *source, const char *folder)
{
	return !strncmp(source, folder, strlen(folder));
}

/* Compilers have names such as "/usr/bin/../lib/gcc/..." for their headers. */
static bool is_of_system(const char *source)
{
	return is_below(source, "/usr/") && !is_below(source, "/usr/src/") &&
	       !is_below(source, "/usr/local/src/");
}

/*
 * libdw's own dwarf_decl_file() does not know that files of DWARF 5 begin with number 0. Numbers are those of the unit that has the
 * attribute, which may be another one than that of the code (-flto).
 */
static const char *line_by(Dwarf_Die *die, unsigned int file_attribute, unsigned int line_attribute,
			   int *line)
{
	Dwarf_Die unit;
	Dwarf_Word file, number;
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	size_t nr_files;

	if (dwarf_formudata(dwarf_attr_integrate(die, line_attribute, &attribute), &number) ||
	    number < 1 ||
	    dwarf_formudata(dwarf_attr_integrate(die, file_attribute, &attribute), &file) ||
	    !dwarf_cu_die(attribute.cu, &unit, NULL, NULL, NULL, NULL, NULL, NULL) ||
	    dwarf_getsrcfiles(&unit, &files, &nr_files) || file >= nr_files)
		return NULL;
	*line = (int)number;
	return dwarf_filesrc(files, file, NULL, NULL);
}

const char *line_of_call(Dwarf_Die *scope, int *line)
{
	return dwarf_tag(scope) == DW_TAG_inlined_subroutine ?
		       line_by(scope, DW_AT_call_file, DW_AT_call_line, line) :
		       NULL;
}

const char *line_of_declaration(Dwarf_Die *variable, int *line)
{
	return line_by(variable, DW_AT_decl_file, DW_AT_decl_line, line);
}

int unit_range_scopes(const struct unit_range *range, uint64_t address, Dwarf_Die **scopes)
{
	Dwarf_Die unit = split_unit_whole(range->unit), *innermost;
	int nr = dwarf_getscopes(&unit, address - range->bias, &innermost);

	/* Behind an inlined function, these are the scopes of its source. */
	if (nr <= 0)
		return 0;
	nr = dwarf_getscopes_die(&innermost[0], scopes);
	free(innermost);
	return nr;
}

static const char *own_line_of_unit(const struct unit_range *range, uint64_t address, int *line)
{
	const char *source = unit_range_line(range, address, line), *own = NULL;
	Dwarf_Die *scopes = NULL;
	int nr, own_line;

	if (!source || !is_of_system(source))
		return source;
	nr = unit_range_scopes(range, address, &scopes);
	for (int i = 0; i < nr && !own; i++) {
		own = line_of_call(&scopes[i], &own_line);
		if (own && is_of_system(own))
			own = NULL;
	}
	free(scopes);
	if (!own)
		return source;
	*line = own_line;
	return own;
}

static const char *find_line(const struct line_table *table, uint64_t address, int *line,
			     const char *(*find)(const struct unit_range *range, uint64_t address,
						 int *line))
{
	size_t at = LOWER_BOUND(row, 0, table->nr, table->ranges[row].start <= address);

	for (; at && table->ranges[at - 1].reach > address; at--) {
		const struct unit_range *range = &table->ranges[at - 1];
		const char *source = range->end > address ? find(range, address, line) : NULL;

		if (source)
			return source;
	}
	return NULL;
}

const char *line_table_find(const struct line_table *table, uint64_t address, int *line)
{
	return find_line(table, address, line, unit_range_line);
}

const char *line_table_find_own(const struct line_table *table, uint64_t address, int *line)
{
	return find_line(table, address, line, own_line_of_unit);
}

/* NULL: it has no name. */
static const char *function_of(Dwarf_Die *scope)
{
	Dwarf_Attribute attribute;
	const char *linkage;

	linkage = dwarf_formstring(dwarf_attr_integrate(scope, DW_AT_linkage_name, &attribute));
	return linkage ? linkage : dwarf_diename(scope);
}

static size_t inlined_of_unit(const struct unit_range *range, uint64_t address,
			      struct inlined_call *calls, size_t most)
{
	Dwarf_Die *scopes = NULL;
	size_t nr_calls = 0;
	int nr = unit_range_scopes(range, address, &scopes);

	for (int i = 0; i < nr && nr_calls < most; i++) {
		struct inlined_call *call = &calls[nr_calls];

		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
			break;
		if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine)
			continue;
		call->function = function_of(&scopes[i]);
		call->file = line_of_call(&scopes[i], &call->line);
		nr_calls += call->function != NULL;
	}
	free(scopes);
	return nr_calls;
}

const struct unit_range *line_table_unit(const struct line_table *table, uint64_t address)
{
	size_t at = LOWER_BOUND(row, 0, table->nr, table->ranges[row].start <= address);

	for (; at && table->ranges[at - 1].reach > address; at--) {
		if (table->ranges[at - 1].end > address)
			return &table->ranges[at - 1];
	}
	return NULL;
}

size_t line_table_inlined(const struct line_table *table, uint64_t address,
			  struct inlined_call *calls, size_t most)
{
	const struct unit_range *range = line_table_unit(table, address);

	return range ? inlined_of_unit(range, address, calls, most) : 0;
}
