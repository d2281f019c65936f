// SPDX-License-Identifier: GPL-2.0
#include "symbols/names/demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/xalloc.h"

struct demangled {
	jmp_buf too_long;
	size_t bytes;
	char text[DEMANGLE_MAX_BYTES];
};

/*
 * A mangled name of a few hundred bytes may expand to exabytes, and the demanglers cannot be
 * interrupted. Leaving such names as they are loses only Rust identifiers that are not ASCII.
 */
static void add_text(const char *text, size_t bytes, void *opaque)
{
	struct demangled *demangled = opaque;

	if (bytes > sizeof(demangled->text) - demangled->bytes)
		longjmp(demangled->too_long, 1);
	memcpy(demangled->text + demangled->bytes, text, bytes);
	demangled->bytes += bytes;
}

/* Names of Rust's older kind are C++'s, too, with a hash that says nothing. */
static bool demangle_any(const char *mangled, struct demangled *demangled)
{
	demangled->bytes = 0;
	if (setjmp(demangled->too_long))
		return false;
	return rust_demangle_callback(mangled, DMGL_NO_OPTS, add_text, demangled) ||
	       (!demangled->bytes &&
		cplus_demangle_v3_callback(mangled, DMGL_NO_OPTS, add_text, demangled));
}

char *demangle_symbol(const char *name, size_t bytes)
{
	char *symbol = xstrndup(name, bytes);
	struct demangled demangled;

	if (symbol[0] == '_' && demangle_any(symbol, &demangled) && demangled.bytes) {
		free(symbol);
		symbol = xstrndup(demangled.text, demangled.bytes);
	}
	return symbol;
}
