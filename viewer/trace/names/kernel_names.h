/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Addresses of the kernel's functions -> names, by the symbols that the trace has. These are read when
 * the first address is asked for.
 */
#ifndef ANNOT_TRACE_NAMES_KERNEL_NAMES_H
#define ANNOT_TRACE_NAMES_KERNEL_NAMES_H

#include <stdint.h>

#include "util/string_table.h"

/* Returns the text of /proc/kallsyms, to be free()d; NULL: it cannot be read. */
typedef char *kernel_symbols_reader(void *context);

struct kernel_names;

struct kernel_names *kernel_names_new(struct string_table *strings);
void kernel_names_free(struct kernel_names *names);

/* Where symbols come from. Without it, names are addresses. */
void kernel_names_use(struct kernel_names *names, kernel_symbols_reader *read, void *context);

/* The name of the function at @address or around it; "0xffffffff81000000" where there is none. */
uint32_t kernel_names_get(struct kernel_names *names, uint64_t address);

#endif /* ANNOT_TRACE_NAMES_KERNEL_NAMES_H */
