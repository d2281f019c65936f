/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes the head of a page's data, as data.h describes it.
 */
#ifndef ANNOT_PAGE_HEAD_H
#define ANNOT_PAGE_HEAD_H

#include <stdio.h>

#include "page/overview/levels.h"
#include "page/summary.h"

/*
 * @rest has the threads, CPUs and events. @summary and @overview cover all windows and the rest.
 */
void head_write(const struct model *rest, const struct page_summary *summary,
		const struct overview_levels *overview, const char *title, FILE *out);

#endif /* ANNOT_PAGE_HEAD_H */
