/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Goes through what debug information has in a scope. It may be damaged: nothing is visited twice.
 */
#ifndef ANNOT_SYMBOLS_SCOPE_WALK_H
#define ANNOT_SYMBOLS_SCOPE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/*
 * Calls take() for each entry in @scope, and in those entries within it for whose tag enters() returns true, as deep as programs are
 * nested.
 */
void scope_entries_each(Dwarf_Die *scope, bool (*enters)(int tag),
			void (*take)(void *context, Dwarf_Die *entry), void *context);

#endif /* ANNOT_SYMBOLS_SCOPE_WALK_H */
