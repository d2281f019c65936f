// SPDX-License-Identifier: GPL-2.0
#include "report/schema/table_schema.h"

#include <stdlib.h>

#include "report/schema/common_members.h"
#include "util/xalloc.h"

/* Of one column. */
#define COLUMN_MOST_KEYS 3

/* What table_json_write() writes of a column's type, without the column's meaning. No key: the column's. */
static const struct schema_member of_types[][COLUMN_MOST_KEYS] = {
	[COLUMN_THREAD] = { { "thread", SCHEMA_COUNT, .more = "Its place in the page's order." },
			    { "tid", SCHEMA_WHOLE, .more = "Its tid." },
			    { "comm", SCHEMA_TEXT, .more = "Its name." } },
	[COLUMN_THREADS] = { { "tids", SCHEMA_WHOLE, SCHEMA_LIST, .more = "Their tids." },
			     { "threads", SCHEMA_COUNT, SCHEMA_LIST,
			       .more = "Their places in the page's order." } },
	[COLUMN_CPU] = { { .type = SCHEMA_COUNT } },
	[COLUMN_CPUS] = { { .type = SCHEMA_COUNT, .around = SCHEMA_LIST } },
	[COLUMN_COUNT] = { { .type = SCHEMA_COUNT } },
	[COLUMN_NUMBER] = { { .type = SCHEMA_NUMBER, .around = SCHEMA_NULL } },
	[COLUMN_TIME] = { { .type = SCHEMA_COUNT } },
	[COLUMN_CHANGE] = { { .type = SCHEMA_WHOLE } },
	[COLUMN_FROM] = { { .type = SCHEMA_COUNT } },
	[COLUMN_TO] = { { .type = SCHEMA_COUNT } },
	[COLUMN_ADDRESS] = { { .type = SCHEMA_TEXT } },
	[COLUMN_PLACE] = { { "symbol", SCHEMA_TEXT, SCHEMA_NULL, .more = "Function or variable." },
			   { "object", SCHEMA_TEXT, SCHEMA_NULL, .more = "Its file." },
			   { "line", SCHEMA_TEXT, SCHEMA_NULL, .more = "Its line of source." } },
	[COLUMN_REGISTER] = { { .type = SCHEMA_TEXT } },
	[COLUMN_TEXT] = { { .type = SCHEMA_TEXT } },
	[COLUMN_FLAG] = { { .type = SCHEMA_FLAG } },
};

/* Whether a cell that is not known is null; others are known, or empty. */
static bool may_be_null(const struct table_column *column)
{
	switch (column->type) {
	case COLUMN_THREADS:
	case COLUMN_CPUS:
	case COLUMN_ADDRESS:
	case COLUMN_FLAG:
		return false;
	default:
		return column->cell;
	}
}

/* Returns how many keys it has. */
static size_t add_column(const struct table_column *column, struct schema_member *members)
{
	size_t nr = 0;

	for (; nr < COLUMN_MOST_KEYS; nr++) {
		members[nr] = of_types[column->type][nr];
		if (nr && !members[nr].key)
			break;
		if (!members[nr].key)
			members[nr].key = column->key;
		members[nr].meaning = column->meaning;
		if (may_be_null(column))
			members[nr].around |= SCHEMA_NULL;
	}
	return nr;
}

static size_t count_columns(const struct analysis_table *table)
{
	size_t nr = 0;

	while (table->columns[nr].meaning)
		nr++;
	return nr;
}

/* free() it. */
static struct schema_member *row_members(const struct analysis_table *table)
{
	size_t nr_columns = count_columns(table), nr = 0;
	struct schema_member *members = xcalloc(COLUMN_MOST_KEYS * nr_columns + 1,
						sizeof(*members));

	for (size_t i = 0; i < nr_columns; i++)
		nr += add_column(&table->columns[i], &members[nr]);
	members[nr] = (struct schema_member)MEMBERS_END;
	return members;
}

void table_schema_members(const struct analysis_desc *desc, struct json *json)
{
	for (const struct analysis_table *table = desc->tables; table->key; table++) {
		struct schema_member *members = row_members(table);
		const struct schema_member list[] = {
			{ table->key, SCHEMA_OBJECT, SCHEMA_LIST, .meaning = table->title,
			  members },
			MEMBERS_END,
		};

		json_schema_members(json, list);
		free(members);
	}
	json_schema_members(json, schema_left_out);
	if (desc->not_computed)
		json_schema_members(json, schema_not_computed);
}

void table_schema_required(const struct analysis_desc *desc, struct json *json)
{
	for (const struct analysis_table *table = desc->tables; table->key; table++)
		json_string(json, table->key);
	json_schema_required(json, schema_left_out);
	if (desc->not_computed)
		json_schema_required(json, schema_not_computed);
}
