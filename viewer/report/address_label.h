/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How sentences and tables of analyses name an address: with symbols, or as a number.
 */
#ifndef ANNOT_PLACE_TEXT_H
#define ANNOT_PLACE_TEXT_H

#include "report/analyses.h"
#include "symbols/symbols.h"

struct place_text {
	char text[128]; /* "walk+0x10", or the address */
	const char *symbol; /* NULL: not known */
	const char *object;
	const char *line;
};

/* NULL: addresses are not to be named, or cannot be. symbols_free() frees them. */
struct symbols *place_symbols(const struct insights *insights);

/* Of the instruction of @sample; @symbols may be NULL. */
struct place_text place_of_code(const struct model *model, struct symbols *symbols, size_t sample);

/* Of the data at @sample's address. */
struct place_text place_of_data(const struct model *model, struct symbols *symbols, size_t sample);

/* Of the cache line at @address, which holds the data at @sample's: it may begin before the symbol. */
struct place_text place_of_line(const struct model *model, struct symbols *symbols, size_t sample,
				uint64_t address);

/* The keys symbol, object and line of an object. */
void place_json(struct json *json, const struct place_text *place);

#endif /* ANNOT_PLACE_TEXT_H */
