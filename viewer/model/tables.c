// SPDX-License-Identifier: GPL-2.0
#include "model/tables.h"

#include <stdlib.h>

#define TABLE(name, ...)                                   \
	void name##_table_free(struct name##_table *table) \
	{
#define COLUMN(name, field, ...) free(table->field);
#define WIDE_COLUMN(name, field, ...) free(table->field);
#define ARRAY(type, field, meaning) free(table->field);
#define TABLE_END(name) }
#include "model/tables.def"
#include "util/lower_bound.h"

void space_table_free(struct space_table *spaces)
{
	free(spaces->start_ns);
	free(spaces->parent);
	free(spaces->before);
	free(spaces->of_thread);
	free(spaces->first);
	free(spaces->rows);
}

size_t column_find(const uint64_t *start_ns, size_t nr, uint64_t time_ns)
{
	return LOWER_BOUND(row, 0, nr, start_ns[row] <= time_ns) - 1;
}
