/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages between ranks, as an analysis found them -> the rows that a page has.
 */
#ifndef ANNOT_MESSAGE_ROWS_H
#define ANNOT_MESSAGE_ROWS_H

#include "analysis/waits/messages.h"

/* Adds them to @table, which is empty, by start. */
void message_rows_add(struct message_table *table, const struct messages *messages);

#endif /* ANNOT_MESSAGE_ROWS_H */
