/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Columns of the model -> tables of a block, as data.h describes them.
 */
#ifndef ANNOT_PAGE_TABLES_H
#define ANNOT_PAGE_TABLES_H

#include "model/model.h"
#include "page/block.h"

/* Writes all rows of a window (model/window/window.h) except gaps. */
void tables_put_window(struct block *block, const struct model *window);

/* Writes all rows of the rest. */
void tables_put_rest(struct block *block, const struct model *rest);

/* Writes messages, if there are any. */
void tables_put_messages(struct block *block, const struct message_table *messages);

#endif /* ANNOT_PAGE_TABLES_H */
