/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copying, dropping, viewing and sorting rows of tables.
 */
#ifndef ANNOT_MODEL_TABLE_COPY_H
#define ANNOT_MODEL_TABLE_COPY_H

#include "model/tables.h"

/*
 * state_table_copy() ...: appends @nr rows of @from, starting at row @first, to @to. Samples are
 * copied without their registers. A table of counts is widened to the number of counters of @from.
 */
#define TABLE(name, ...)                                                                 \
	void name##_table_copy(struct name##_table *to, const struct name##_table *from, \
			       size_t first, size_t nr);
#include "model/tables.def"

/* state_table_drop() ...: removes the first @nr rows. */
#define TABLE(name, ...) void name##_table_drop(struct name##_table *table, size_t nr);
#include "model/tables.def"

/*
 * state_table_view() ...: rows of @from, where they are. A view is not freed, nothing is added to it, and it ends when @from
 * changes. Without FIELD and ARRAY members; there is none of counts.
 */
#define WIDE_TABLE(...)
#define TABLE(name, ...)                                                                     \
	struct name##_table name##_table_view(const struct name##_table *from, size_t first, \
					      size_t nr);
#include "model/tables.def"

/* state_table_permute() ...: moves row @rows[i] to row i. */
#define TABLE(name, ...) void name##_table_permute(struct name##_table *table, const size_t *rows);
#include "model/tables.def"

#endif /* ANNOT_MODEL_TABLE_COPY_H */
