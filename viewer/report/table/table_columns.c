// SPDX-License-Identifier: GPL-2.0
#include "report/table/table_columns.h"

#include "report/table/analysis_table.h"
#include "report/analysis_list.h"
#include "util/text/text.h"

/* What is written of a column's type. */
static const struct {
	const char *name; /* in the page */
	const char *keys; /* in JSON, as mdoc has them; NULL: the column's own */
} types[] = {
	[COLUMN_THREAD] = { "thread", "thread , tid , comm" },
	[COLUMN_THREADS] = { "threads", "tids , threads" },
	[COLUMN_CPU] = { "cpu", NULL },
	[COLUMN_CPUS] = { "cpus", NULL },
	[COLUMN_COUNT] = { "count", NULL },
	[COLUMN_NUMBER] = { "number", NULL },
	[COLUMN_TIME] = { "time", NULL },
	[COLUMN_CHANGE] = { "change", NULL },
	[COLUMN_FROM] = { "from", NULL },
	[COLUMN_TO] = { "to", NULL },
	[COLUMN_ADDRESS] = { "address", NULL },
	[COLUMN_PLACE] = { "place", "symbol , object , line" },
	[COLUMN_REGISTER] = { "text", NULL },
	[COLUMN_TEXT] = { "text", NULL },
	[COLUMN_FLAG] = { "flag", NULL },
};

static void write_column(struct json *json, const struct table_column *column)
{
	json_begin_object(json);
	json_key_string(json, "type", types[column->type].name);
	if (column->key)
		json_key_string(json, "key", column->key);
	if (column->heading)
		json_key_string(json, "heading", column->heading);
	json_key_string(json, "meaning", column->meaning);
	json_end_object(json);
}

static void write_columns(struct json *json, const struct analysis_table *table)
{
	json_begin_object(json);
	json_key_string(json, "key", table->key);
	json_key_string(json, "title", table->title);
	json_key_string(json, "noun", table->noun);
	json_key(json, "columns");
	json_begin_array(json);
	for (const struct table_column *column = table->columns; column->meaning; column++)
		write_column(json, column);
	json_end_array(json);
	json_end_object(json);
}

static void write_desc(struct json *json, const struct analysis_desc *desc)
{
	json_begin_object(json);
	json_key_string(json, "name", desc->name);
	json_key_string(json, "title", desc->title);
	json_key_string(json, "hint", desc->help);
	json_key(json, "tables");
	json_begin_array(json);
	for (const struct analysis_table *table = desc->tables; table->key; table++)
		write_columns(json, table);
	json_end_array(json);
	json_end_object(json);
}

void table_columns_json(struct json *json)
{
	json_key(json, "analyses");
	json_begin_array(json);
	for (const struct analysis_desc *const *desc = analysis_descs(); *desc; desc++) {
		if ((*desc)->tables)
			write_desc(json, *desc);
	}
	json_end_array(json);
}

static void print_column(const struct table_column *column, FILE *out)
{
	const char *keys = types[column->type].keys;
	char heading[32];

	fprintf(out, ".It Cm %s", keys ? keys : column->key);
	if (column->heading) {
		snprintf(heading, sizeof(heading), "%s", column->heading);
		text_to_upper(heading);
		fprintf(out, " Pq %s", heading);
	}
	fprintf(out, "\n%s\n", column->meaning);
}

void table_columns_mdoc(FILE *out)
{
	for (const struct analysis_desc *const *desc = analysis_descs(); *desc; desc++) {
		if (!(*desc)->tables)
			continue;
		fprintf(out, ".Ss Rows of %s\n", (*desc)->name);
		for (const struct analysis_table *table = (*desc)->tables; table->key; table++) {
			fprintf(out, "An element of\n.Cm %s\nhas:\n.Bl -tag -width indent\n",
				table->key);
			for (const struct table_column *column = table->columns; column->meaning;
			     column++)
				print_column(column, out);
			fputs(".El\n", out);
		}
	}
}
