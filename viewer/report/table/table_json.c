// SPDX-License-Identifier: GPL-2.0
#include "report/table/table_json.h"

#include "report/samples/registers.h"
#include "report/table/row_json.h"

static void write_list(struct json *json, const char *key, const struct table_cell *cell)
{
	json_key(json, key);
	json_begin_array(json);
	for (size_t i = 0; i < cell->list.nr; i++)
		json_u64(json, cell->list.numbers[i]);
	json_end_array(json);
}

static void write_tids(struct json *json, const struct model *model, const struct table_cell *cell)
{
	json_key(json, "tids");
	json_begin_array(json);
	for (size_t i = 0; i < cell->list.nr; i++)
		json_i64(json, model->threads[cell->list.numbers[i]].tid);
	json_end_array(json);
}

static void write_register(struct json *json, const struct model *model, const char *key,
			   const struct table_cell *cell)
{
	char name[REGISTER_NAME_BYTES];

	register_name(trace_info(model->trace)->machine, cell->whole, name);
	json_key_text(json, key, cell->is_unknown ? NULL : name);
}

static void write_cell(struct json *json, const struct model *model,
		       const struct table_column *column, const struct table_cell *cell)
{
	switch (column->type) {
	case COLUMN_THREAD:
		if (cell->is_unknown)
			row_json_no_thread(json);
		else
			row_json_thread(json, model, (uint32_t)cell->whole);
		break;
	case COLUMN_THREADS:
		write_tids(json, model, cell);
		write_list(json, "threads", cell);
		break;
	case COLUMN_CPUS:
		write_list(json, column->key, cell);
		break;
	case COLUMN_NUMBER:
		json_key_known_double(json, column->key, !cell->is_unknown, cell->real);
		break;
	case COLUMN_CHANGE:
		json_key_known_i64(json, column->key, !cell->is_unknown, cell->change);
		break;
	case COLUMN_REGISTER:
		write_register(json, model, column->key, cell);
		break;
	case COLUMN_TEXT:
		json_key_text(json, column->key, cell->is_unknown ? NULL : cell->text);
		break;
	case COLUMN_ADDRESS:
		json_key_address(json, column->key, cell->whole);
		break;
	case COLUMN_PLACE:
		address_label_json(json, &cell->place);
		break;
	case COLUMN_FLAG:
		json_key_bool(json, column->key, cell->whole);
		break;
	case COLUMN_CPU:
	case COLUMN_COUNT:
	case COLUMN_TIME:
	case COLUMN_FROM:
	case COLUMN_TO:
		json_key_known_u64(json, column->key, !cell->is_unknown, cell->whole);
		break;
	}
}

void table_json_row(struct json *json, const struct table_source *source,
		    const struct analysis_table *table, const void *row)
{
	json_begin_object(json);
	for (const struct table_column *column = table->columns; column->meaning; column++) {
		struct table_cell cell = table_cell_of(source, column, row);

		write_cell(json, source->analyses->model, column, &cell);
	}
	json_end_object(json);
}

/* Returns how many rows are left out. */
static size_t write_table(struct json *json, const struct analyses *analyses,
			  const struct analysis_desc *desc, const struct analysis_table *table)
{
	struct table_source source = table_source_open(analyses, desc, table);
	size_t nr, nr_written;
	const char *rows = table->rows(source.result, &nr);

	nr_written = nr < ROW_JSON_MAX ? nr : ROW_JSON_MAX;
	json_key(json, table->key);
	json_begin_array(json);
	for (size_t i = 0; i < nr_written; i++)
		table_json_row(json, &source, table, rows + i * table->row_bytes);
	json_end_array(json);
	return nr - nr_written;
}

void table_json_write(const struct analyses *analyses, const struct analysis_desc *desc,
		      struct json *json)
{
	size_t left_out = 0;

	for (const struct analysis_table *table = desc->tables; table->key; table++)
		left_out += write_table(json, analyses, desc, table);
	json_key_u64(json, "left_out", left_out);
	if (desc->not_computed)
		json_key_text(json, "not_computed",
			      desc->not_computed(analyses_result(analyses, desc)));
}
