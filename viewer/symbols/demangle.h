/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of symbols as their sources have them: of C++, of Rust, and of all else, which stay as they are.
 */
#ifndef ANNOT_SYMBOLS_DEMANGLE_H
#define ANNOT_SYMBOLS_DEMANGLE_H

#include <stddef.h>

/* A name that would take more stays as it is. */
#define DEMANGLE_MAX_BYTES 4096

/*
 * The symbol whose name is the first @bytes at @name. Functions come without their parameters, as perf
 * shows them, so overloads have one name. free() it.
 */
char *demangle_symbol(const char *name, size_t bytes);

#endif /* ANNOT_SYMBOLS_DEMANGLE_H */
