/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Figures as people read them, in few letters.
 */
#ifndef ANNOT_UNITS_H
#define ANNOT_UNITS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* What a line of a report takes at most. */
#define LINE_COLUMNS 100

struct figure {
	char text[24];
};

/* Three digits and a unit, @space ("" or " ") between them: "45.1us", "1.20s"; at most 6 without. */
struct figure figure_ns(uint64_t ns, const char *space);

/* "999999", then "1.00M": at most 6 letters. */
struct figure figure_count(uint64_t count);

/* Three digits: "0", "0.00123", "1.23", "123", "12.3M"; at most 7 letters. */
struct figure figure_number(double number);

/* An error in percent of what it is the error of: "0", "2.80%", "140%"; of nothing: "<100". */
struct figure figure_error(double error, double of);

/*
 * Prints @name, which may hold any bytes, in at most @width columns (-1: as it takes), without what
 * could upset a terminal; pads it to @pad columns. What is cut off shows as "...".
 */
void print_name(FILE *out, const char *name, int width, int pad);

/*
 * Prints @text, as print_name() does, in lines of at most @width columns where its words allow that;
 * the first begins at column @indent already, the others are indented by as many. No newline at its
 * end.
 */
void print_wrapped(FILE *out, const char *text, int width, int indent);

/* The bytes of what stands at @name and takes a column; *safe says if a terminal may have them. */
int next_column(const char *name, bool *safe);

/* The columns that print_name() would take for all of @name. */
int name_columns(const char *name);

/* The columns that a table needs for @name and for those seen @so_far, up to @limit. */
int widest_name(int so_far, const char *name, int limit);

/* "" of one, else "s". */
const char *plural(uint64_t nr);

#endif /* ANNOT_UNITS_H */
