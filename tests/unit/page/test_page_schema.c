// SPDX-License-Identifier: GPL-2.0
/*
 * Each table of tables.def, filled with known values, is written by the page's writer, read by the
 * page's script, and compared. What a column's values are is said here by encoding, apart from how
 * either side packs them.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "page/tables.c"

#include "page/overview/runs.h"

#define READER "esbuild --bundle --platform=node tests/unit/page/read_tables.js | node - %s %s"

enum {
	ROWS = 120,
	SMALL_ROWS = 40, /* these are small numbers, which the writer may put many at a time */
	COUNTERS = 3,
	EXACT_BITS = 53, /* of a double */
	MAX_COLUMNS = 200,
};

/* Those of the table of events. */
static struct string_table *texts;

/* The columns of all tables. */
static void *columns[MAX_COLUMNS];
static size_t nr_columns;

static void *column_new(size_t element_bytes)
{
	assert_true(nr_columns < MAX_COLUMNS);
	columns[nr_columns] = calloc(ROWS * COUNTERS, element_bytes);
	assert_non_null(columns[nr_columns]);
	return columns[nr_columns++];
}

static int free_columns(void **state)
{
	(void)state;
	while (nr_columns)
		free(columns[--nr_columns]);
	string_table_free(texts);
	return 0;
}

/* Different in each call: of up to 6 bits in the first rows, then of 0 to @bits; the last has all. */
static uint64_t number(size_t row, unsigned int bits)
{
	static uint64_t state = 88172645463325252;
	uint64_t most = bits == 64 ? UINT64_MAX : (1ull << bits) - 1;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	if (row == ROWS - 1)
		return most;
	if (row < SMALL_ROWS)
		return state & most & 0x3f;
	return state & most >> (row % bits);
}

static int64_t signed_number(size_t row, unsigned int bits)
{
	uint64_t value = number(row, bits);

	return row % 2 ? (int64_t)~value : (int64_t)value;
}

/* Of 0 to 300 bytes, some of them parts of longer characters, or of none. */
static uint32_t text_of(uint64_t number)
{
	static const char *const ends[] = { "", "\303\274", "\377", "<b>", "\"'&" };
	char text[512];
	int nr_bytes = snprintf(text, sizeof(text), "%0*d%s", (int)(number * 5), (int)number,
				ends[number % 5]);

	return string_table_intern(texts, text, number ? (size_t)nr_bytes : 0);
}

/* A byte that is no character is shown as U+FFFD. */
static const char *text_as_read(const char *text)
{
	static char read[512];
	size_t nr_bytes = strlen(text);

	if (!nr_bytes || text[nr_bytes - 1] != '\377')
		return text;
	snprintf(read, sizeof(read), "%.*s\357\277\275", (int)nr_bytes - 1, text);
	return read;
}

/* The values of a column @field of table @t, by encoding. */
#define FILL_WITH(t, field, type, value)                             \
	do {                                                         \
		type *column_ = column_new(sizeof(type));            \
                                                                     \
		assert_int_equal(sizeof(*(t)->field), sizeof(type)); \
		for (size_t i = 0; i < ROWS; i++)                    \
			column_[i] = (type)(value);                  \
		(t)->field = column_;                                \
	} while (0)
#define FILL_none(t, field)
#define FILL_u8(t, field) FILL_WITH(t, field, uint8_t, number(i, 8))
#define FILL_id(t, field) FILL_WITH(t, field, uint32_t, number(i, 32))
#define FILL_thread(t, field) FILL_WITH(t, field, uint32_t, i % 5 ? number(i, 31) : MODEL_NO_THREAD)
#define FILL_count(t, field) FILL_WITH(t, field, uint64_t, number(i, EXACT_BITS))
#define FILL_address(t, field) FILL_WITH(t, field, uint64_t, number(i, 64))
#define FILL_cpu(t, field) FILL_WITH(t, field, int16_t, i % 7 ? (int64_t)number(i, 15) : -1)
#define FILL_value(t, field) FILL_WITH(t, field, int64_t, signed_number(i, 63))
#define FILL_time(t, field) FILL_WITH(t, field, uint64_t, number(i, 50))
#define FILL_length(t, field) FILL_WITH(t, field, uint64_t, (t)->start_ns[i] + number(i, 50))
#define FILL_waited(t, field) \
	FILL_WITH(t, field, uint64_t, (t)->time_ns[i] - number(i, 50) % ((t)->time_ns[i] + 1))
#define FILL_idle(t, field)                                                             \
	do {                                                                            \
		FILL_WITH(t, end_ns, uint64_t, (i + 1) * (1ull << 44) + number(i, 44)); \
		FILL_WITH(t, field, uint64_t, (t)->end_ns[i] - number(i, 43));          \
	} while (0)
#define FILL_busy(t, field)
#define FILL_split(t, field) FILL_count(t, field)
#define FILL_lag(t, field)              \
	do {                            \
		FILL_time(t, start_ns); \
		FILL_length(t, field);  \
	} while (0)
#define FILL_flags(t, field)                                    \
	do {                                                    \
		FILL_WITH(t, field, uint8_t, number(i, 1));     \
		FILL_WITH(t, has_value, uint8_t, number(i, 1)); \
	} while (0)
#define FILL_steady(t, field)                                                 \
	do {                                                                  \
		for (size_t i = 0; i < ROWS; i++)                             \
			(t)->thread[i] %= 1000; /* it has a place for each */ \
		FILL_u8(t, field);                                            \
	} while (0)
#define FILL_edit(t, field)                                                             \
	do {                                                                            \
		(t)->edits = (t)->edits ? (t)->edits : column_new(sizeof(*(t)->edits)); \
		for (size_t i = 0; i < ROWS; i++)                                       \
			(t)->edits[i].field = number(i, EXACT_BITS);                    \
	} while (0)
#define FILL_text(t, field)                                           \
	do {                                                          \
		(t)->texts = texts = string_table_new();              \
		FILL_WITH(t, field, uint32_t, text_of(number(i, 6))); \
	} while (0)
#define FILL_counts(t, field)                                         \
	do {                                                          \
		(t)->nr_counters = COUNTERS;                          \
		(t)->field = column_new(sizeof(*(t)->field));         \
		for (size_t i = 0; i < ROWS * COUNTERS; i++)          \
			(t)->field[i] = number(i % ROWS, EXACT_BITS); \
	} while (0)

/* What the script is to have read, by encoding. */
#define EXPECT(wanted, js, format, value)                    \
	do {                                                 \
		fprintf(wanted, "%s:", #js);                 \
		for (size_t i = 0; i < ROWS; i++)            \
			fprintf(wanted, " %" format, value); \
		fputc('\n', wanted);                         \
	} while (0)
#define EXPECT_NUMBERS(wanted, js, value) EXPECT(wanted, js, PRIu64, (uint64_t)(value))
#define EXPECT_none(wanted, t, field, js)
#define EXPECT_u8(wanted, t, field, js) EXPECT_NUMBERS(wanted, js, (t)->field[i])
#define EXPECT_id EXPECT_u8
#define EXPECT_thread(wanted, t, field, js) EXPECT_NUMBERS(wanted, js, (t)->field[i] + 1)
#define EXPECT_count EXPECT_u8
#define EXPECT_address EXPECT_u8
#define EXPECT_cpu(wanted, t, field, js) EXPECT(wanted, js, PRId64, (int64_t)(t)->field[i])
#define EXPECT_value EXPECT_cpu
#define EXPECT_time EXPECT_u8
#define EXPECT_length EXPECT_u8
#define EXPECT_waited EXPECT_u8
#define EXPECT_idle EXPECT_u8
#define EXPECT_busy EXPECT_u8
#define EXPECT_split EXPECT_u8
#define EXPECT_lag(wanted, t, field, js) \
	EXPECT_NUMBERS(wanted, js, (t)->field[i] - (t)->start_ns[i])
#define EXPECT_flags(wanted, t, field, js) \
	EXPECT_NUMBERS(wanted, js, (t)->is_counter[i] | (t)->has_value[i] << 1)
#define EXPECT_steady EXPECT_u8
#define EXPECT_text(wanted, t, field, js) \
	EXPECT(wanted, js, "s", text_as_read(string_table_get((t)->texts, (t)->field[i])))
#define EXPECT_edit(wanted, t, field, js) EXPECT_NUMBERS(wanted, js, (t)->edits[i].field)

static void expect_counts(FILE *wanted, const char *js, const uint64_t *counts)
{
	fprintf(wanted, "%s:", js);
	for (size_t counter = 0; counter < COUNTERS; counter++)
		for (size_t i = 0; i < ROWS; i++)
			fprintf(wanted, " %" PRIu64, counts[i * COUNTERS + counter]);
	fputc('\n', wanted);
}

#define EXPECT_counts(wanted, t, field, js) expect_counts(wanted, #js, (t)->field)

/* How often the columns of the page have an encoding. */
enum encoding {
#define ENCODING(name, ...) ENCODING_##name,
#include "model/tables.def"
	NR_ENCODINGS,
	ENCODING_none = NR_ENCODINGS,
};
static int nr_uses[NR_ENCODINGS + 1];

/* Both a kind's number and its table's owner, but where that is the number of counters. */
static void expect_table(FILE *wanted, int number, uint64_t owner)
{
	fprintf(wanted, "%d %" PRIu64 " %d\n", number, owner, ROWS);
}

/* fill_state() ... */
#define TABLE(name, ...)                                \
	static void fill_##name(struct name##_table *t) \
	{                                               \
		(void)t;
#define COLUMN(name, field, type, what, encoding, ...) FILL_##encoding(t, field);
#define WIDE_COLUMN COLUMN
#define TABLE_END(name) }
#define PAGE_TABLE(name, source, ...)             \
	static void fill_##name(struct source *t) \
	{
#define PAGE_COLUMN(field, encoding, ...) FILL_##encoding(t, field);
#define PAGE_TABLE_END() }
#include "model/tables.def"

/* try_state() ...: @wanted gets what is to be read of @block. */
#define BEGIN(name, source, put_table, number, owner)                \
	static void try_##name(struct block *block, FILE *wanted)    \
	{                                                            \
		struct source table_ = { .nr = ROWS }, *t = &table_; \
                                                                     \
		fill_##name(t);                                      \
		put_table(block, owner, t);                          \
		expect_table(wanted, number, owner);
#define EXPECT_COLUMN(field, encoding, js) \
	nr_uses[ENCODING_##encoding]++;    \
	EXPECT_##encoding(wanted, t, field, js);
#define TABLE(name, kind, number, js, owner, ...)             \
	BEGIN(name, name##_table, put_##name##_table, number, \
	      !strcmp(#owner, "columns") ? COUNTERS : 1000 + (number))
#define COLUMN(name, field, type, what, encoding, js, ...) EXPECT_COLUMN(field, encoding, js)
#define WIDE_COLUMN COLUMN
#define TABLE_END(name) }
#define PAGE_TABLE(name, source, kind, number, ...) \
	BEGIN(name, source, put_##name, number, 1000 + (number))
#define PAGE_COLUMN(field, encoding, js, ...) EXPECT_COLUMN(field, encoding, js)
#define PAGE_TABLE_END() }
#include "model/tables.def"

static void try_tables(struct block *block, FILE *wanted)
{
#define TABLE(name, kind, number, ...) \
	if (number)                    \
		try_##name(block, wanted);
#define PAGE_TABLE(name, ...) try_##name(block, wanted);
#include "model/tables.def"
}

/* The same of an overview's column, which a struct runs has as numbers of 64 bits. */
#define RUN_u8(i) number(i, 8)
#define RUN_id(i) number(i, 32)
#define RUN_count(i) number(i, EXACT_BITS)
#define RUN_value(i) signed_number(i, 63)

static void try_overview(struct block *block, FILE *wanted)
{
	struct runs runs = { 0 };
	size_t column;

#define OVERVIEW_TABLE(kind_name, number, ...)         \
	runs.kind = PAGE_##kind_name;                  \
	runs.nr = ROWS;                                \
	runs.rows = column_new(sizeof(*runs.rows));    \
	expect_table(wanted, number, 1000 + (number)); \
	column = 0;
#define OVERVIEW_COLUMN(encoding, js, ...)                                 \
	nr_uses[ENCODING_##encoding]++;                                    \
	for (size_t i = 0; i < ROWS; i++)                                  \
		runs.rows[i][column] = (uint64_t)RUN_##encoding(i);        \
	if (ENCODING_##encoding == ENCODING_value)                         \
		EXPECT(wanted, js, PRId64, (int64_t)runs.rows[i][column]); \
	else                                                               \
		EXPECT_NUMBERS(wanted, js, runs.rows[i][column]);          \
	column++;
#define OVERVIEW_TABLE_END() runs_put(&runs, 1000 + runs.kind, block);
#include "model/tables.def"
}

/* What the script prints of the block. */
static char *read_block(const struct block *block, const char *kinds)
{
	char file[] = "/tmp/annot-test-XXXXXX", command[256];
	int fd = mkstemp(file), status;
	char *text = NULL;
	size_t room = 0;
	FILE *reader;
	ssize_t nr;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, block->bytes, block->nr_bytes), block->nr_bytes);
	close(fd);
	snprintf(command, sizeof(command), READER, kinds, file);
	reader = popen(command, "r");
	assert_non_null(reader);
	nr = getdelim(&text, &room, '\0', reader);
	status = pclose(reader);
	unlink(file);
	assert_true(nr > 0);
	assert_int_equal(status, 0);
	return text;
}

/* A failure shows the column, and the first value that is wrong. */
static void assert_line(char *got, char *wanted)
{
	const char *column = wanted;

	for (int i = -1; wanted; i++) {
		const char *own = strsep(&got, " "), *value = strsep(&wanted, " ");

		if (!own || strcmp(own, value))
			fail_msg("%s row %d is %s, not %s", column, i, own, value);
	}
	assert_null(got);
}

static void assert_lines(char *got, char *wanted)
{
	while (wanted) {
		char *own = strsep(&got, "\n");

		assert_non_null(own);
		assert_line(own, strsep(&wanted, "\n"));
	}
	assert_null(got);
}

static void compare(void (*try)(struct block *block, FILE *wanted), const char *kinds)
{
	struct block block = { 0 };
	char *wanted, *got;
	size_t nr_bytes;
	FILE *out = open_memstream(&wanted, &nr_bytes);

	try(&block, out);
	fclose(out);
	got = read_block(&block, kinds);
	assert_lines(got, wanted);
	block_free(&block);
	free(wanted);
	free(got);
}

static void test_tables(void **state)
{
	(void)state;
	compare(try_tables, "tables");
}

static void test_overview(void **state)
{
	(void)state;
	compare(try_overview, "overview");
}

/* Comes last: the others have tried each. */
static void test_encodings(void **state)
{
	static const char *const names[] = {
#define ENCODING(name, ...) #name,
#include "model/tables.def"
	};

	(void)state;
	for (int i = 0; i < NR_ENCODINGS; i++) {
		if (!nr_uses[i])
			fail_msg("no column of the page is a %s", names[i]);
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_tables),
		cmocka_unit_test(test_overview),
		cmocka_unit_test(test_encodings),
	};

	return cmocka_run_group_tests_name("page schema", tests, NULL, free_columns);
}
