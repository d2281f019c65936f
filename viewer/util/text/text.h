/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text in columns: limited to the width of the terminal, or unlimited without a terminal.
 */
#ifndef ANNOT_UTIL_TEXT_H
#define ANNOT_UTIL_TEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The longest line of a report. */
#define LINE_COLUMNS 100

/* The number of columns of @out; 0: not a terminal, no limit. */
int text_width(FILE *out);

/*
 * Prints the rest of a line from column @column on: @text, truncated with "..." at @width (0:
 * never), and a newline.
 */
void text_cut(FILE *out, int width, int column, const char *text);

/* Like text_cut(), but continues on further lines, each from column @column on. */
void text_wrap(FILE *out, int width, int column, const char *text);

/*
 * Prints @name, which may hold any bytes, in at most @width columns (-1: no limit), and pads it to
 * @pad columns. Bytes that could upset a terminal become '?'. A name that is cut ends in "...",
 * or in "...:131" if it ends in that line of a source.
 */
void text_print_name(FILE *out, const char *name, int width, int pad);

/*
 * Prints @text, as text_print_name() does, in lines of at most @width columns; a word that is longer than
 * that is not broken. The first line begins at column @indent already, the others are indented by
 * @indent. There is no newline at the end.
 */
void text_print_wrapped(FILE *out, const char *text, int width, int indent);

/* The bytes at @name that take one column. *@safe: they are nothing that could upset a terminal. */
int text_next_column(const char *name, bool *safe);

/* The columns that text_print_name() would take for all of @name. */
int text_columns(const char *name);

/* The columns that a table needs for @name and for those seen @so_far, up to @limit. */
int text_widest(int so_far, const char *name, int limit);

/* In place; letters beyond ASCII stay. */
void text_to_upper(char *text);

/* "" of one, else "s". */
const char *text_plural(uint64_t nr);

#endif /* ANNOT_UTIL_TEXT_H */
