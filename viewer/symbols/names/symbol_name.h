/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A symbol's name, as people read it, as a string of the trace.
 */
#ifndef ANNOT_SYMBOLS_SYMBOL_NAME_H
#define ANNOT_SYMBOLS_SYMBOL_NAME_H

#include <stddef.h>
#include <stdint.h>

struct trace;

/* Of the first @bytes of @name. */
uint32_t symbol_name_intern(struct trace *trace, const char *name, size_t bytes);

#endif /* ANNOT_SYMBOLS_SYMBOL_NAME_H */
