/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The sign by which a program is seen to use what a front is for.
 */
#ifndef ANNOT_ATTACH_USE_H
#define ANNOT_ATTACH_USE_H

#include <stdbool.h>
#include <stddef.h>

#include "attach/fronts.h"
#include "attach/program.h"

enum attach_use_kind {
	ATTACH_USE_NONE,
	ATTACH_USE_LIBRARY, /* a library that is loaded */
	ATTACH_USE_SYMBOL, /* a symbol that is imported */
	ATTACH_USE_TEXT, /* a string in a file */
	ATTACH_USE_OTHER, /* a library or string that shows that another front is the right one */
};

/* Strings are those of the program and of the table of fronts. */
struct attach_use {
	enum attach_use_kind kind;
	const char *what; /* the library, symbol or string */
	const struct library *where; /* who needs it, imports it or has it */
};

/* The first sign in @program, which must have no problem. */
struct attach_use attach_use_find(const struct attach_program *program,
				  const struct attach_front *front);

#endif /* ANNOT_ATTACH_USE_H */
