/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shells are written with other text in place of their markers.
 */
#ifndef ANNOT_PAGE_MARKERS_H
#define ANNOT_PAGE_MARKERS_H

#include <stdio.h>

/* Writes the shell from @at up to @marker, which it has; returns what follows the marker. */
const char *page_write_up_to(const char *at, const char *marker, FILE *out);

#endif /* ANNOT_PAGE_MARKERS_H */
