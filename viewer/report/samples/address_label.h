/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How sentences and tables of analyses name an address: with symbols, or as a number.
 */
#ifndef ANNOT_ADDRESS_LABEL_H
#define ANNOT_ADDRESS_LABEL_H

#include "report/analyses.h"
#include "symbols/symbols.h"

struct address_label {
	char text[128]; /* "walk+0x10", "counters[1].hits", or the address */
	const char *symbol; /* NULL: not known */
	const char *object;
	const char *line;
	bool has_field; /* the text is that of a field */
};

/*
 * NULL: addresses are not to be named, or cannot be. They are the analyses', so that each file is opened once for all findings and
 * tables. Not while these are computed.
 */
struct symbols *address_label_symbols(const struct analyses *analyses);

/* Of the instruction of @sample; @symbols may be NULL. */
struct address_label address_label_code(const struct model *model, struct symbols *symbols,
					size_t sample);

/* Of the data at @sample's address: of memory that the program named, of a variable or of a field of it. */
struct address_label address_label_data(const struct model *model, struct symbols *symbols,
					size_t sample);

/*
 * Of the cache line at @address, which holds the data at @sample's: it may begin before the symbol. Of a thread-local variable,
 * it tells whose it is.
 */
struct address_label address_label_line(const struct model *model, struct symbols *symbols,
					size_t sample, uint64_t address);

/* The keys symbol, object and line of an object. */
void address_label_json(struct json *json, const struct address_label *place);

#endif /* ANNOT_ADDRESS_LABEL_H */
