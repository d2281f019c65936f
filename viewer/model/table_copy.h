/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copying, dropping and sorting rows of tables.
 */
#ifndef ANNOT_MODEL_TABLE_COPY_H
#define ANNOT_MODEL_TABLE_COPY_H

#include "model/tables.h"

/*
 * state_table_copy() ...: copies the rows @first to @first + @nr of @from behind those of @to. Those
 * of samples come without their registers; a table of counts is widened to as many counters as @from
 * has.
 */
#define TABLE(name, ...)                                                                 \
	void name##_table_copy(struct name##_table *to, const struct name##_table *from, \
			       size_t first, size_t nr);
#include "model/tables.def"

/* state_table_drop() ...: removes the first @nr rows. */
#define TABLE(name, ...) void name##_table_drop(struct name##_table *table, size_t nr);
#include "model/tables.def"

/* state_table_permute() ...: row i is what row @rows[i] was. */
#define TABLE(name, ...) void name##_table_permute(struct name##_table *table, const size_t *rows);
#include "model/tables.def"

#endif /* ANNOT_MODEL_TABLE_COPY_H */
