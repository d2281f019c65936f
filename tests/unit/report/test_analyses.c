// SPDX-License-Identifier: GPL-2.0
/* What analyses declare of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "model/reading.h"
#include "report/analyses.h"
#include "report/analysis_list.h"
#include "report/table/analysis_table.h"

static size_t count_entries(const struct analysis_desc *desc, int kind)
{
	size_t nr = 0;

	for (const struct catalogue_entry *entry = desc->catalogue; entry && entry->title; entry++)
		nr += (int)entry->kind == kind;
	return nr;
}

static void test_each_kind_is_explained_once(void **state)
{
	(void)state;
	for (int kind = 0; kind < NR_FINDING_KINDS; kind++) {
		const struct catalogue_entry *entry = catalogue_entry((enum finding_kind)kind);
		size_t nr = 0;

		for (size_t i = 0; analysis_descs()[i]; i++)
			nr += count_entries(analysis_descs()[i], kind);
		if (nr != 1)
			fail_msg("%zu entries of '%s'", nr,
				 finding_kind_name((enum finding_kind)kind));
		assert_int_equal(entry->kind, kind);
		assert_true(*entry->what && *entry->definition && *entry->how_to_see &&
			    entry->cures[0]);
	}
}

static bool has_own_keys(enum column_type type)
{
	return type == COLUMN_THREAD || type == COLUMN_THREADS || type == COLUMN_PLACE;
}

static void check_column(const struct analysis_desc *desc, const struct table_column *column)
{
	size_t length = strlen(column->meaning);

	/* In mdoc, a line that begins with one of these is no text. */
	if (strchr(".'", column->meaning[0]) || column->meaning[length - 1] != '.')
		fail_msg("%s: no sentence: %s", desc->name, column->meaning);
	if (!column->key != has_own_keys(column->type))
		fail_msg("%s: a key is missing, or of no use: %s", desc->name, column->meaning);
	if (!column->cell && column->bytes != 1 && column->bytes != 4 && column->bytes != 8)
		fail_msg("%s: a field of %zu bytes: %s", desc->name, column->bytes,
			 column->meaning);
}

static void test_columns_are_complete(void **state)
{
	size_t nr = 0;

	(void)state;
	for (size_t i = 0; analysis_descs()[i]; i++) {
		const struct analysis_desc *desc = analysis_descs()[i];

		assert_true(!desc->tables == !desc->title);
		assert_true(desc->tables || (desc->write_text && desc->write_json));
		for (const struct analysis_table *table = desc->tables; table && table->key;
		     table++) {
			assert_true(table->title && table->noun && table->row_bytes);
			for (const struct table_column *column = table->columns; column->meaning;
			     column++, nr++)
				check_column(desc, column);
		}
	}
	assert_true(nr > 0);
}

/* They are computed at once, and share the trace's strings: these only one thread at a time may add to. */
static void test_no_strings_are_added(void **state)
{
	static const char *const paths[] = { "tests/data/lost-6.1.dat",
					     "tests/data/scene-wide.dat" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct analyses *analyses;
		struct task_stats *stats;
		struct trace *trace;
		struct model *model;
		uint32_t nr_strings;

		assert_int_equal(trace_open(paths[i], &trace), 0);
		assert_int_equal(model_build(trace, &model), 0);
		stats = task_stats_compute(model);
		nr_strings = trace_nr_strings(trace);
		analyses = analyses_new(model, stats);
		assert_int_equal(trace_nr_strings(trace), nr_strings);
		analyses_free(analyses);
		task_stats_free(stats);
		model_free(model);
		trace_close(trace);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_kind_is_explained_once),
		cmocka_unit_test(test_columns_are_complete),
		cmocka_unit_test(test_no_strings_are_added),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
