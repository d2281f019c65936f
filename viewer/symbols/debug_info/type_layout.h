/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What debug information says of types: how large they are, and where in them their members are. It may be damaged:
 * nothing here loops or overflows, whatever it says.
 */
#ifndef ANNOT_SYMBOLS_TYPE_LAYOUT_H
#define ANNOT_SYMBOLS_TYPE_LAYOUT_H

#include <elfutils/libdw.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TYPE_MOST_DIMENSIONS 8
#define TYPE_ENDLESS UINT64_MAX

struct byte_range {
	uint64_t start;
	uint64_t bytes;
};

struct array_dimension {
	int64_t lower_bound;
	uint64_t count; /* TYPE_ENDLESS: it is not told, as of "int data[]" */
	uint64_t stride_bytes; /* from one index to the next */
};

struct array_layout {
	size_t nr;
	struct array_dimension dimensions[TYPE_MOST_DIMENSIONS]; /* as in the source */
	size_t outermost; /* of them: the last one in Fortran, else the first one */
	uint64_t element_bytes;
};

/*
 * The type that @die has, without its other names, const and the like. Returns false if it is not told.
 */
bool type_of(Dwarf_Die *die, Dwarf_Die *type);

/* 0: not known. TYPE_ENDLESS: an array whose end is not told. */
uint64_t type_bytes(Dwarf_Die *type);

/* Which bytes of its structure a member or base class has. Of a bit field, those that have any bit of it. */
bool type_find_member(Dwarf_Die *member, struct byte_range *range);

/* The layout of an array. Returns false if its elements are not one behind the other, or are not known. */
bool type_find_array(Dwarf_Die *array, struct array_layout *layout);

#endif /* ANNOT_SYMBOLS_TYPE_LAYOUT_H */
