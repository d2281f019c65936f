// SPDX-License-Identifier: GPL-2.0
#include "model/tables.h"

#include "util/spill/spill.h"

#define TABLE(name, ...)                                   \
	void name##_table_free(struct name##_table *table) \
	{
#define COLUMN(name, field, ...) spill_free(table->field);
#define WIDE_COLUMN(name, field, ...) spill_free(table->field);
#define ARRAY(type, field, meaning) spill_free(table->field);
#define TABLE_END(name) }
#include "model/tables.def"
#include "util/lower_bound.h"

void space_table_free(struct space_table *spaces)
{
	spill_free(spaces->start_ns);
	spill_free(spaces->parent);
	spill_free(spaces->before);
	spill_free(spaces->of_thread);
	spill_free(spaces->first);
	spill_free(spaces->rows);
}

size_t column_find(const uint64_t *start_ns, size_t nr, uint64_t time_ns)
{
	return LOWER_BOUND(row, 0, nr, start_ns[row] <= time_ns) - 1;
}
