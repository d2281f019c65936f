/* SPDX-License-Identifier: MIT */
/*
 * Places: what a span of an attached program is named after. A place is a word and an address of
 * code or data. Its name is text such as "for @/usr/bin/solver#1a2b3c4d5e6f7081+0x1234": the reader
 * of the trace turns that into "for solver.c:131" (annot-attach(1)). The program itself looks up no
 * symbols.
 *
 * A place is made once, and stays for the life of the process. The table is lock-free, and its memory
 * is static: it can be used in any thread, in the child of a fork(), and in a signal handler. It has
 * room for PLACES_MAX places. All further ones are named with their word alone, and names that come from the
 * program, "?".
 */
#ifndef LIBANNOT_ATTACH_PLACE_H
#define LIBANNOT_ATTACH_PLACE_H

#include <stdint.h>

#include "annot/annot.h"

#define PLACES_MAX 8192

/* What the reader makes of the address. */
enum place_form {
	PLACE_LINE = '@', /* "for solver.c:131" */
	PLACE_FUNCTION = '&', /* "task fib fib.c:31" */
	PLACE_DATA = '$', /* "critical dot": the variable at the address */
};

struct place {
	struct annot_site site; /* remembers the name's number */
	const char *word;
	uintptr_t address; /* 0: the name is the word */
	enum place_form form;
	uint32_t index; /* of place_at() */
	char name[]; /* what is written into the trace */
};

/*
 * The place of the call that returns to @return_address; @word is a literal: it is kept.
 * Cost: a hash and a comparison; the first time, a look at the loaded objects.
 */
struct place *place_of_call(const char *word, enum place_form form, const void *return_address);

/* The place of a variable, or of a function's begin, at @address. */
struct place *place_of_address(const char *word, enum place_form form, const void *address);

/* A name alone, with nothing to resolve: "MPI_Allreduce". Copies @name, which need not be a literal. */
struct place *place_of_name(const char *name);

/* The same for a literal, kept in @kept: at first NULL. */
struct place *place_of_literal(struct place **kept, const char *name);

/* The place with this index, from 0 on. It must have been made. */
struct place *place_at(uint32_t index);

#endif /* LIBANNOT_ATTACH_PLACE_H */
