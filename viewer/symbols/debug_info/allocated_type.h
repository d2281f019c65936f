/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The type of what a call allocated, by what the compiler wrote down of the code that called. The first that holds tells it:
 *
 *	The call is in a function `allocate` of a class `...allocator<...>`, as all of the C++ library's containers have one: it
 *		returns a pointer to that type ([allocator.requirements] in the standard).
 *	A variable, or a parameter of an inlined function, as `this` of a constructor, is a pointer of that type, and is in the
 *		register in which calls return their result, where the call returns to. Of several such types it is the largest:
 *		the others are its parts.
 *	A pointer is declared in the line of the call, as in "struct cell *cells = malloc(bytes);", or several of one type, and the line has
 *		no other call whose result may be a pointer. If the call is in an inlined function that returns `void *`, the line is
 *		that from which this one is called.
 *
 * Else nothing is known, as of a pointer that is put into a structure at once. It is not without optimisation, but in an allocator of
 * C++: then neither registers nor calls are told. Characters are no type: memory of which nothing is known is told as those.
 */
#ifndef ANNOT_SYMBOLS_ALLOCATED_TYPE_H
#define ANNOT_SYMBOLS_ALLOCATED_TYPE_H

#include <elfutils/libdw.h>

#include "symbols/debug_info/line_table.h"
#include "util/pair_table.h"

/* Of each call that was asked for. Zero-initialise; allocated_types_free(). */
struct allocated_types {
	struct pair_table calls; /* the halves of their addresses */
	size_t nr;
	size_t capacity;
	struct allocated_type {
		bool is_known;
		Dwarf_Die die;
	} * types;
};

/*
 * @call_address: within the call's instruction, its last byte. NULL: not known. Valid until the next call. Cost: the first time,
 * a walk through the function.
 */
Dwarf_Die *allocated_types_find(struct allocated_types *types, const struct line_table *lines,
				uint64_t call_address);
void allocated_types_free(struct allocated_types *types);

#endif /* ANNOT_SYMBOLS_ALLOCATED_TYPE_H */
