// SPDX-License-Identifier: GPL-2.0
#include "util/xalloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/diag.h"

static void (*_Atomic tidy_at_end)(void);

void xalloc_set_tidy(void (*tidy)(void))
{
	tidy_at_end = tidy;
}

/* Not by atexit(), which processes that are forked inherit. */
static void end_without_memory(void)
{
	void (*tidy)(void) = tidy_at_end;

	if (tidy)
		tidy();
	/* Who answers with errors will not any more. */
	diag_divert_errors(NULL);
	diag_error("out of memory");
	exit(EXIT_BAD_INPUT);
}

static void *check_memory(void *memory)
{
	if (!memory)
		end_without_memory();
	return memory;
}

void *xcalloc(size_t nr, size_t element_bytes)
{
	return check_memory(calloc(nr ? nr : 1, element_bytes));
}

void *xrealloc_array(void *array, size_t nr, size_t element_bytes)
{
	return check_memory(reallocarray(array, nr ? nr : 1, element_bytes));
}

char *xstrndup(const char *string, size_t length)
{
	return check_memory(strndup(string, length));
}

char *xvasprintf(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0)
		text = NULL;
	return check_memory(text);
}

char *xasprintf(const char *format, ...)
{
	va_list arguments;
	char *text;

	va_start(arguments, format);
	text = xvasprintf(format, arguments);
	va_end(arguments);
	return text;
}

FILE *xmemstream(char **text, size_t *bytes)
{
	return check_memory(open_memstream(text, bytes));
}

size_t grown_capacity(size_t capacity, size_t wanted)
{
	size_t grown = capacity + capacity / 2 + 16;

	return grown > wanted ? grown : wanted;
}
