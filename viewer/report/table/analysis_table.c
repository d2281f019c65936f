// SPDX-License-Identifier: GPL-2.0
#include "report/table/analysis_table.h"

#include <string.h>

struct table_source table_source_open(const struct analyses *analyses,
				      const struct analysis_desc *desc,
				      const struct analysis_table *table)
{
	struct table_source source = {
		.analyses = analyses,
		.result = analyses_result(analyses, desc),
	};
	size_t nr;

	table->rows(source.result, &nr);
	for (const struct table_column *column = table->columns; nr && column->meaning; column++) {
		if (column->type == COLUMN_PLACE)
			source.symbols = address_label_symbols(analyses);
	}
	return source;
}

/* A double has the bytes of a uint64_t. */
static struct table_cell field_cell(const void *field, size_t bytes)
{
	struct table_cell cell = { 0 };
	uint32_t word;

	if (bytes == sizeof(cell.whole)) {
		memcpy(&cell.whole, field, bytes);
	} else if (bytes == sizeof(word)) {
		memcpy(&word, field, bytes);
		cell.whole = word;
	} else {
		cell.whole = *(const bool *)field;
	}
	return cell;
}

struct table_cell table_cell_of(const struct table_source *source,
				const struct table_column *column, const void *row)
{
	if (column->cell)
		return column->cell(source, row);
	return field_cell((const char *)row + column->offset, column->bytes);
}
