/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A place in code at the end of an annotation's name, as runtimes and compilers tell it:
 *
 *	WORD @PATH#BUILDID+0xADDRESS
 *	WORD &PATH#BUILDID+0xADDRESS
 *	WORD $PATH#BUILDID+0xADDRESS
 *
 * PATH is absolute. #BUILDID, the first 16 or more hexadecimal digits of it, may be missing. With '&',
 * the function is to be named, too. With '$', the address is that of a variable, which is to be named.
 */
#ifndef ANNOT_SYMBOLS_CODE_PLACE_H
#define ANNOT_SYMBOLS_CODE_PLACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Its texts are parts of the name. */
struct code_place {
	size_t word_bytes; /* the name begins with so many bytes of WORD */
	const char *path;
	size_t path_bytes;
	const char *build_id;
	size_t build_id_bytes; /* 0: not told */
	uint64_t address; /* of the file's own headers */
	bool wants_function;
	bool is_data;
};

/*
 * Returns false if @name does not end in a place. So it does for a name that may have been cut, as its
 * address may be cut, and for a path that could upset a terminal.
 */
bool code_place_parse(const char *name, struct code_place *place);

#endif /* ANNOT_SYMBOLS_CODE_PLACE_H */
