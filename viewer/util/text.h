/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Text in columns: as wide as the terminal, and as long as it is where there is none.
 */
#ifndef ANNOT_TEXT_H
#define ANNOT_TEXT_H

#include <stdio.h>

/* How many columns @out has; 0: it is no terminal, and lines are as long as they are. */
int text_width(FILE *out);

/*
 * The line's rest, from column @column on: @text, cut off with "..." where @width ends (0: never),
 * and a newline.
 */
void text_cut(FILE *out, int width, int column, const char *text);

/* The same, but going on in the next lines, each from column @column on. */
void text_wrap(FILE *out, int width, int column, const char *text);

#endif /* ANNOT_TEXT_H */
