/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Columns -> the tables of a block, as data.h describes them.
 */
#ifndef ANNOT_PAGE_TABLES_H
#define ANNOT_PAGE_TABLES_H

#include "model/model.h"
#include "page/block.h"

/* All rows of a window (model/window.h), gaps left out. */
void tables_put_window(struct block *block, const struct model *window);

/* All rows of the rest. */
void tables_put_rest(struct block *block, const struct model *rest);

#endif /* ANNOT_PAGE_TABLES_H */
