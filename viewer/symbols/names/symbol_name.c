// SPDX-License-Identifier: GPL-2.0
#include "symbols/names/symbol_name.h"

#include <stdlib.h>

#include "symbols/names/demangle.h"
#include "trace/trace.h"

uint32_t symbol_name_intern(struct trace *trace, const char *name, size_t bytes)
{
	char *symbol = demangle_symbol(name, bytes);
	uint32_t id = trace_intern(trace, symbol);

	free(symbol);
	return id;
}
