/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of symbols as in their sources: demangles C++ and Rust, and leaves all others as they are.
 */
#ifndef ANNOT_SYMBOLS_DEMANGLE_H
#define ANNOT_SYMBOLS_DEMANGLE_H

#include <stddef.h>

/* Names whose demangled form is longer stay mangled. */
#define DEMANGLE_MAX_BYTES 4096

/*
 * Demangles the first @bytes at @name. Functions are returned without parameters, as in perf, so
 * overloads have the same name. free() it.
 */
char *demangle_symbol(const char *name, size_t bytes);

#endif /* ANNOT_SYMBOLS_DEMANGLE_H */
