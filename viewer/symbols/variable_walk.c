// SPDX-License-Identifier: GPL-2.0
#include "symbols/variable_walk.h"

#include <dwarf.h>

#define MOST_DEPTH 64

struct variable_walk {
	bool (*enters)(int tag);
	void (*take)(void *context, Dwarf_Die *variable);
	void *context;
	Dwarf_Off last; /* in damaged files, what is in a scope may also be said to follow it */
};

static void walk_scope(struct variable_walk *walk, Dwarf_Die *scope, int depth)
{
	Dwarf_Die die;
	int failed = dwarf_child(scope, &die);

	for (; !failed && dwarf_dieoffset(&die) > walk->last;
	     failed = dwarf_siblingof(&die, &die)) {
		int tag = dwarf_tag(&die);

		walk->last = dwarf_dieoffset(&die);
		if (tag == DW_TAG_variable || tag == DW_TAG_formal_parameter)
			walk->take(walk->context, &die);
		else if (depth < MOST_DEPTH && walk->enters(tag))
			walk_scope(walk, &die, depth + 1);
	}
}

void variables_each(Dwarf_Die *scope, bool (*enters)(int tag),
		    void (*take)(void *context, Dwarf_Die *variable), void *context)
{
	struct variable_walk walk = { .enters = enters, .take = take, .context = context };

	walk_scope(&walk, scope, 0);
}
