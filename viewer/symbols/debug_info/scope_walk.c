// SPDX-License-Identifier: GPL-2.0
#include "symbols/debug_info/scope_walk.h"

#define MOST_DEPTH 64

struct scope_walk {
	bool (*enters)(int tag);
	void (*take)(void *context, Dwarf_Die *entry);
	void *context;
	Dwarf_Off last; /* in damaged files, what is in a scope may also be said to follow it */
};

static void walk_scope(struct scope_walk *walk, Dwarf_Die *scope, int depth)
{
	Dwarf_Die entry;
	int failed = dwarf_child(scope, &entry);

	for (; !failed && dwarf_dieoffset(&entry) > walk->last;
	     failed = dwarf_siblingof(&entry, &entry)) {
		walk->last = dwarf_dieoffset(&entry);
		walk->take(walk->context, &entry);
		if (depth < MOST_DEPTH && walk->enters(dwarf_tag(&entry)))
			walk_scope(walk, &entry, depth + 1);
	}
}

void scope_entries_each(Dwarf_Die *scope, bool (*enters)(int tag),
			void (*take)(void *context, Dwarf_Die *entry), void *context)
{
	struct scope_walk walk = { .enters = enters, .take = take, .context = context };

	walk_scope(&walk, scope, 0);
}
