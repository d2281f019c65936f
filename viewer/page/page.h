/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Timeline -> page: one HTML file that holds its style, its script and its data, and asks the
 * network for nothing.
 */
#ifndef ANNOT_PAGE_H
#define ANNOT_PAGE_H

#include <stdio.h>

#include "model/model.h"

struct page_options {
	const char *title; /* any bytes; shown in the browser's tab and at the top */
};

/*
 * Writes the page of @model to @out. Returns 0; or -1 after one line on stderr when memory runs
 * out. Write errors are the FILE's: ask ferror() at the end.
 */
int page_write(const struct model *model, const struct page_options *options, FILE *out);

#endif /* ANNOT_PAGE_H */
