/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What pages of differences have in common: how they look, and cells of their tables.
 */
#ifndef ANNOT_DIFF_PAGE_H
#define ANNOT_DIFF_PAGE_H

#include <stdbool.h>
#include <stdio.h>

/* All before the body's content, and behind it. */
void diff_page_begin(FILE *out);
void diff_page_end(FILE *out);

/* A cell of a table. */
void diff_page_cell(const char *text, FILE *out);

/* The attribute of what became @less or more, with a blank before it; "" where it does not stand out. */
const char *diff_page_class(bool stands_out, bool less);

#endif /* ANNOT_DIFF_PAGE_H */
