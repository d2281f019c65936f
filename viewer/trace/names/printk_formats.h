/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The formats of trace_printk(): a record has the address of its own. They are read when the first one is asked
 * for.
 */
#ifndef ANNOT_TRACE_NAMES_PRINTK_FORMATS_H
#define ANNOT_TRACE_NAMES_PRINTK_FORMATS_H

#include <stdint.h>

/* Returns the text of tracefs printk_formats, to be free()d; NULL: it cannot be read. */
typedef char *printk_formats_reader(void *context);

struct printk_formats;

struct printk_formats *printk_formats_new(void);
void printk_formats_free(struct printk_formats *formats);

/* Where they come from. Without it, there are none. */
void printk_formats_use(struct printk_formats *formats, printk_formats_reader *read, void *context);

/* NULL: the trace does not have it. */
const char *printk_formats_get(struct printk_formats *formats, uint64_t address);

#endif /* ANNOT_TRACE_NAMES_PRINTK_FORMATS_H */
