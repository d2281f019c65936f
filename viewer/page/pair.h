/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two pages in one file, one above the other, of which a script moves both views together.
 */
#ifndef ANNOT_PAGE_PAIR_H
#define ANNOT_PAGE_PAIR_H

#include <stdio.h>

/* Writes the page of side 0 (A) or 1 (B), as page_stream_write() does. Returns 0, or -1 after one line on stderr. */
typedef int pair_side_writer(void *context, int side, FILE *out);

/* Writes both, side 0 first; @title may be any bytes. Returns 0, or -1 as soon as @write does. */
int pair_write(const char *title, pair_side_writer *write, void *context, FILE *out);

#endif /* ANNOT_PAGE_PAIR_H */
