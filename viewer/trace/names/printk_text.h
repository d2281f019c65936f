/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Prints what the kernel's trace_printk() was called with: a format, and its arguments as vbin_printf() packs them.
 */
#ifndef ANNOT_TRACE_NAMES_PRINTK_TEXT_H
#define ANNOT_TRACE_NAMES_PRINTK_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRINTK_TEXT_BYTES 1024 /* the kernel's own limit, TRACE_BUF_SIZE */

struct printk_arguments {
	const uint8_t *data;
	size_t bytes;
	uint8_t long_bytes; /* of the machine */
	bool swap;
};

/* The name of the function at an address. */
typedef const char *printk_function_name(void *context, uint64_t address);

/*
 * Prints into @text, with a NUL, and no more than fits. Returns false if @arguments has fewer than @format asks
 * for, or @format is none of the kernel's.
 */
bool printk_text_print(char text[PRINTK_TEXT_BYTES], const char *format,
		       const struct printk_arguments *arguments, printk_function_name *name,
		       void *context);

#endif /* ANNOT_TRACE_NAMES_PRINTK_TEXT_H */
