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
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start_ns[middle] <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}
