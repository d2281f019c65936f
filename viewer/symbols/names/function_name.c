// SPDX-License-Identifier: GPL-2.0
#include "symbols/names/function_name.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/names/demangle.h"
#include "util/xalloc.h"

/*
 * What the tail of such a symbol begins with. Dots alone do not tell a tail: names of Go and of older
 * Rust have them, too. That of clang up to 16 is all of the symbol, ".omp_outlined..3".
 */
static const char *const tails[] = {
	"._omp_fn.", "._omp_cpyfn.", ".omp_outlined", ".omp_task_entry", ".constprop.",
	".isra.",    ".part.",	     ".cold",	      ".lto_priv.",	 ".llvm.",
};

/* The bytes of @symbol before its tail; strlen() of it if there is none. */
static size_t stem_bytes(const char *symbol)
{
	size_t bytes = strlen(symbol);

	for (size_t i = 0; i < sizeof(tails) / sizeof(tails[0]); i++) {
		const char *tail = strstr(symbol, tails[i]);

		if (tail && (size_t)(tail - symbol) < bytes)
			bytes = (size_t)(tail - symbol);
	}
	return bytes;
}

char *function_name_of_source(const char *symbol, size_t bytes)
{
	char *copy = xstrndup(symbol, bytes);
	char *name = demangle_symbol(copy, stem_bytes(copy));

	free(copy);
	return name;
}

char *function_name_of_part(const char *symbol, size_t bytes)
{
	char *copy = xstrndup(symbol, bytes);
	size_t stem = stem_bytes(copy);
	char *function = demangle_symbol(copy, stem);
	char *name = xasprintf("%s%s", function, copy + stem);

	free(function);
	free(copy);
	return name;
}
