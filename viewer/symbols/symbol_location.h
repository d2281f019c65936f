/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an address is: the symbol, and the file that holds it. Names are string ids of the trace.
 */
#ifndef ANNOT_SYMBOLS_SYMBOL_LOCATION_H
#define ANNOT_SYMBOLS_SYMBOL_LOCATION_H

#include <stdbool.h>
#include <stdint.h>

struct symbol_location {
	uint32_t symbol;
	uint32_t object; /* the file's name without its directory; "[kernel]", "[module]" */
	uint32_t line; /* "file.c:17", or TRACE_NO_STRING; of code only, if it was asked for */
	uint64_t offset; /* from the symbol's start; of what has no name, the address */
	bool known; /* it has a name */
};

#endif /* ANNOT_SYMBOLS_SYMBOL_LOCATION_H */
