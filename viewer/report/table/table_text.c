// SPDX-License-Identifier: GPL-2.0
#include "report/table/table_text.h"

#include <inttypes.h>
#include <stdlib.h>

#include "report/samples/registers.h"
#include "util/text/figure.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define MOST_NAME_COLUMNS 40
#define MOST_TEXT_COLUMNS 20
#define MOST_TEXT_ROWS 20

struct cell_text {
	char text[sizeof(((struct address_label *)0)->text)];
};

static struct cell_text copy_text(const char *text)
{
	struct cell_text copy;

	snprintf(copy.text, sizeof(copy.text), "%s", text);
	return copy;
}

static struct cell_text number_text(uint64_t number)
{
	struct cell_text text;

	snprintf(text.text, sizeof(text.text), "%" PRIu64, number);
	return text;
}

static struct cell_text list_text(const struct table_cell *cell)
{
	struct cell_text text = { "" };
	size_t length = 0;

	for (size_t i = 0; i < cell->list.nr; i++)
		length += (size_t)snprintf(text.text + length, sizeof(text.text) - length,
					   "%s%" PRIu32, i ? "," : "", cell->list.numbers[i]);
	return text;
}

static struct cell_text address_text(uint64_t address)
{
	struct cell_text text;

	snprintf(text.text, sizeof(text.text), "0x%" PRIx64, address);
	return text;
}

static struct cell_text register_text(const struct model *model, uint64_t number)
{
	struct cell_text text;

	register_name(trace_info(model->trace)->machine, number, text.text);
	return text;
}

static struct cell_text text_of_cell(const struct model *model, enum column_type type,
				     const struct table_cell *cell)
{
	if (cell->is_unknown)
		return copy_text("");
	switch (type) {
	case COLUMN_THREAD:
		return copy_text(thread_label(model, (uint32_t)cell->whole).text);
	case COLUMN_THREADS:
		return number_text(cell->list.nr);
	case COLUMN_CPU:
		return number_text(cell->whole);
	case COLUMN_CPUS:
		return list_text(cell);
	case COLUMN_COUNT:
		return copy_text(figure_count(cell->whole).text);
	case COLUMN_NUMBER:
		return copy_text(figure_number(cell->real).text);
	case COLUMN_TIME:
	case COLUMN_FROM:
	case COLUMN_TO:
		return copy_text(figure_ns(cell->whole, "").text);
	case COLUMN_CHANGE:
		return copy_text(figure_change_ns(cell->change).text);
	case COLUMN_ADDRESS:
		return address_text(cell->whole);
	case COLUMN_PLACE:
		return copy_text(cell->place.text);
	case COLUMN_REGISTER:
		return register_text(model, cell->whole);
	case COLUMN_TEXT:
		return copy_text(cell->text);
	case COLUMN_FLAG:
		return copy_text(cell->whole ? "yes" : "no");
	}
	return copy_text("");
}

/* A table in text: the heading and the first rows, of the columns that have a heading. */
struct text_table {
	size_t nr_columns;
	size_t nr_rows;
	const struct table_column *columns[MOST_TEXT_COLUMNS];
	int widths[MOST_TEXT_COLUMNS];
	bool is_known[MOST_TEXT_COLUMNS]; /* in any of the rows */
	struct cell_text cells[1 + MOST_TEXT_ROWS][MOST_TEXT_COLUMNS];
};

static void choose_columns(struct text_table *text, const struct table_column *columns)
{
	for (const struct table_column *column = columns; column->meaning; column++) {
		if (!column->heading || text->nr_columns == MOST_TEXT_COLUMNS)
			continue;
		text->cells[0][text->nr_columns] = copy_text(column->heading);
		text_to_upper(text->cells[0][text->nr_columns].text);
		text->columns[text->nr_columns++] = column;
	}
}

static void fill_rows(struct text_table *text, const struct table_source *source,
		      const struct analysis_table *table, const void *rows, size_t nr)
{
	text->nr_rows = nr < MOST_TEXT_ROWS ? nr : MOST_TEXT_ROWS;
	for (size_t i = 0; i < text->nr_rows; i++) {
		const void *row = (const char *)rows + i * table->row_bytes;

		for (size_t j = 0; j < text->nr_columns; j++) {
			struct table_cell cell = table_cell_of(source, text->columns[j], row);

			text->cells[1 + i][j] = text_of_cell(source->analyses->model,
							     text->columns[j]->type, &cell);
			text->is_known[j] |= !cell.is_unknown;
		}
	}
}

/* Long texts at the ends of lines begin at one column. */
static bool is_long_end(const struct text_table *text, size_t column)
{
	return column + 1 == text->nr_columns && text->columns[column]->type == COLUMN_TEXT &&
	       text->widths[column] == MOST_NAME_COLUMNS;
}

static void print_line(const struct text_table *text, size_t line, FILE *out)
{
	for (size_t i = 0; i < text->nr_columns; i++) {
		enum column_type type = text->columns[i]->type;
		const char *cell = text->cells[line][i].text;

		if (!text->is_known[i])
			continue;
		if (i)
			fputs("  ", out);
		if (is_long_end(text, i))
			text_print_name(out, cell, -1, 0);
		else if (type == COLUMN_THREAD || type == COLUMN_PLACE)
			text_print_name(out, cell, text->widths[i], text->widths[i]);
		else
			fprintf(out, "%*s", text->widths[i], cell);
	}
	fputc('\n', out);
}

static void print_lines(struct text_table *text, FILE *out)
{
	for (size_t i = 0; i < text->nr_columns; i++) {
		for (size_t line = 0; line <= text->nr_rows; line++)
			text->widths[i] = text_widest(text->widths[i], text->cells[line][i].text,
						      MOST_NAME_COLUMNS);
	}
	for (size_t line = 0; line <= text->nr_rows; line++)
		print_line(text, line, out);
}

static bool is_optional(const struct analysis_desc *desc, const struct analysis_table *table)
{
	return desc->first_optional && table >= desc->tables + desc->first_optional;
}

static void print_table(const struct analyses *analyses, const struct analysis_desc *desc,
			const struct analysis_table *table, FILE *out)
{
	struct table_source source = table_source_open(analyses, desc, table);
	size_t nr;
	const void *rows = table->rows(source.result, &nr);
	struct text_table *text;

	if (is_optional(desc, table) && !nr)
		return;
	if (table > desc->tables)
		fputc('\n', out);
	text = xcalloc(1, sizeof(*text));
	choose_columns(text, table->columns);
	fill_rows(text, &source, table, rows, nr);
	if (nr)
		print_lines(text, out);
	else
		fprintf(out, "No %s.\n", table->noun);
	if (nr > text->nr_rows)
		fprintf(out, "and %zu more %ss\n", nr - text->nr_rows, table->noun);
	free(text);
}

void table_text_write(const struct analyses *analyses, const struct analysis_desc *desc, FILE *out)
{
	for (const struct analysis_table *table = desc->tables; table->key; table++)
		print_table(analyses, desc, table, out);
}
