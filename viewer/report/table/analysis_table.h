/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of an analysis. A column is declared once, by its type, its key, its heading and its meaning.
 * The text, the JSON, the list of columns in annot-report(1) and the plain view in the page come from
 * that.
 */
#ifndef ANNOT_ANALYSIS_TABLE_H
#define ANNOT_ANALYSIS_TABLE_H

#include <stddef.h>

#include "report/samples/address_label.h"
#include "report/analyses.h"

#define TABLE_LIST_MOST 8

enum column_type {
	COLUMN_THREAD, /* of the model; in JSON three keys: thread, tid, comm */
	COLUMN_THREADS, /* a list; in JSON two keys: tids, threads; in text their number */
	COLUMN_CPU,
	COLUMN_CPUS, /* a list */
	COLUMN_COUNT,
	COLUMN_NUMBER, /* not whole */
	COLUMN_TIME, /* a length, in ns */
	COLUMN_CHANGE, /* by how much a length is greater, in ns: an int64_t */
	COLUMN_FROM, /* a point in time, in ns: where the row shows best ... */
	COLUMN_TO, /* ... and the end of that */
	COLUMN_ADDRESS,
	COLUMN_PLACE, /* the name of an address; in JSON three keys: symbol, object, line */
	COLUMN_REGISTER, /* its number; in JSON its name */
	COLUMN_TEXT,
	COLUMN_FLAG,
};

/* What a column has in one row. */
struct table_cell {
	bool is_unknown; /* null in JSON */
	union {
		uint64_t whole;
		int64_t change; /* COLUMN_CHANGE */
		double real; /* COLUMN_NUMBER */
		const char *text; /* COLUMN_TEXT */
		struct address_label place;
		struct {
			size_t nr;
			uint32_t numbers[TABLE_LIST_MOST];
		} list;
	};
};

/* What cells are made from, beside their row. */
struct table_source {
	const struct analyses *analyses;
	const void *result;
	struct symbols *symbols; /* if the table has a COLUMN_PLACE; else NULL */
};

struct table_column {
	enum column_type type;
	const char *key; /* in JSON; without meaning where the type has keys of its own */
	const char *heading; /* in text and page; NULL: in JSON only */
	const char *meaning; /* one sentence */
	/* A field of the row: TABLE_FIELD() of a bool, a double, or an integer of 32 or 64 bits ... */
	size_t offset;
	size_t bytes;
	/* ... or what makes the cell. */
	struct table_cell (*cell)(const struct table_source *source, const void *row);
};

#define TABLE_FIELD(row, field) \
	.offset = offsetof(struct row, field), .bytes = sizeof(((struct row *)0)->field)

struct analysis_table {
	const char *key; /* of the array of rows, in JSON */
	const char *title; /* above it, in the page */
	const char *noun; /* what a row is of: "thread" */
	const struct table_column *columns; /* no meaning: the end */
	size_t row_bytes;
	const void *(*rows)(const void *result, size_t *nr);
};

/* What @table of @desc is written from. */
struct table_source table_source_open(const struct analyses *analyses,
				      const struct analysis_desc *desc,
				      const struct analysis_table *table);

/* What @column has in @row. */
struct table_cell table_cell_of(const struct table_source *source,
				const struct table_column *column, const void *row);

#endif /* ANNOT_ANALYSIS_TABLE_H */
