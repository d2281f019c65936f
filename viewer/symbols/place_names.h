/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of annotations that end in a place in code (see code_place.h) -> names that people read.
 *
 * Files are opened as those of samples are: see object.h. Each is opened once.
 */
#ifndef ANNOT_SYMBOLS_PLACE_NAMES_H
#define ANNOT_SYMBOLS_PLACE_NAMES_H

struct place_names;

struct place_names *place_names_new(void);
void place_names_free(struct place_names *names);

/*
 * Returns what is shown for @name, "for solver.c:131", "task fib fib.c:31" or "critical dot". Without lines that is the
 * function with an offset, "for main+0x1a3"; without a function, the file with the address, "for
 * solver+0x1234". free() it. The mark of an object
 * keeps @name behind that (model/annotations/team_names.h). Returns NULL if @name has no place. Thread-safe.
 */
char *place_names_get(struct place_names *names, const char *name);

#endif /* ANNOT_SYMBOLS_PLACE_NAMES_H */
