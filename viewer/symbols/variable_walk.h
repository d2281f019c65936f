/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Goes through the variables in a scope of debug information, which may be damaged.
 */
#ifndef ANNOT_SYMBOLS_VARIABLE_WALK_H
#define ANNOT_SYMBOLS_VARIABLE_WALK_H

#include <elfutils/libdw.h>
#include <stdbool.h>

/*
 * Calls take() for each variable and parameter in @scope, and in those scopes within it for whose tag enters() returns true, as deep as
 * programs are nested.
 */
void variables_each(Dwarf_Die *scope, bool (*enters)(int tag),
		    void (*take)(void *context, Dwarf_Die *variable), void *context);

#endif /* ANNOT_SYMBOLS_VARIABLE_WALK_H */
