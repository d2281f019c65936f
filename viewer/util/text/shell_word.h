/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_UTIL_SHELL_WORD_H
#define ANNOT_UTIL_SHELL_WORD_H

#include <stdio.h>

/* @text as one word of a shell's command, in quotes. */
void shell_quoted_print(const char *text, FILE *out);

/* The same, in quotes if it needs some. */
void shell_word_print(const char *text, FILE *out);

#endif /* ANNOT_UTIL_SHELL_WORD_H */
