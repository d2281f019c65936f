/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How libtraceevent prints the lines of trace_printk(): as decode_printk.h reads them. What the library has itself for
 * ftrace's events bprint and bputs does not know "%-4s", and fails with all events of such a format.
 */
#ifndef ANNOT_TRACE_PRINT_PRINTK_HANDLERS_H
#define ANNOT_TRACE_PRINT_PRINTK_HANDLERS_H

#include "trace/names/printk_formats.h"

struct printk_handlers;
struct tep_handle;

/* For the events of one trace, whose formats @read gets. To be unregistered before @tep is freed. */
struct printk_handlers *printk_handlers_register(struct tep_handle *tep,
						 printk_formats_reader *read, void *context);
void printk_handlers_unregister(struct printk_handlers *handlers);

#endif /* ANNOT_TRACE_PRINT_PRINTK_HANDLERS_H */
