/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory, or the end: when there is none left, these print one line and exit with EXIT_BAD_INPUT.
 * A one-shot command has nothing better to do, and every caller stays simple.
 */
#ifndef ANNOT_UTIL_XALLOC_H
#define ANNOT_UTIL_XALLOC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Has @tidy called before the process ends for that, by whichever thread: it must be safe in signal handlers, too. */
void xalloc_set_tidy(void (*tidy)(void));

/* Zeroed. free() it. */
void *xcalloc(size_t nr, size_t element_bytes);

/* realloc() of an array; on overflow of the product, too, the process ends. */
void *xrealloc_array(void *array, size_t nr, size_t element_bytes);

/* @string's first @length bytes, NUL-terminated. free() it. */
char *xstrndup(const char *string, size_t length);

/* What vprintf() would print. free() it. */
char *xvasprintf(const char *format, va_list arguments) __attribute__((format(printf, 1, 0)));

/* What printf() would print. free() it. */
char *xasprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* open_memstream(). free() the text when the stream is closed. */
FILE *xmemstream(char **text, size_t *bytes);

/* The next capacity of a growing array that must hold @wanted elements: amortised constant cost. */
size_t grown_capacity(size_t capacity, size_t wanted);

/* Makes room for one more element in @array, which has @nr and may have @capacity: three variables. */
#define ARRAY_MAKE_ROOM(array, nr, capacity)                                         \
	do {                                                                         \
		if ((nr) == (capacity)) {                                            \
			(capacity) = grown_capacity(capacity, (nr) + 1);             \
			(array) = xrealloc_array(array, capacity, sizeof(*(array))); \
		}                                                                    \
	} while (0)

#endif /* ANNOT_UTIL_XALLOC_H */
