// SPDX-License-Identifier: GPL-2.0
/*
 * From when to when a file goes, told before it is read, beside what is found when it is.
 */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "trace/file/merge.h"
#include "trace/file/trace_file_open.h"
#include "trace/trace.h"

static void no_format(void *context, const char *system, const char *text)
{
	(void)context;
	(void)system;
	(void)text;
}

static void range_of_records(const char *path, uint64_t *first_ns, uint64_t *last_ns)
{
	struct merge_source *source;
	struct trace_file file;
	struct merge merge;

	assert_int_equal(trace_file_open(&file, path, no_format, NULL), 0);
	assert_int_equal(merge_open(&merge, &file, 0), 0);
	source = merge_head(&merge);
	assert_non_null(source);
	*first_ns = source->record.time_ns;
	for (; source; source = merge_head(&merge)) {
		*last_ns = source->record.time_ns;
		assert_int_equal(merge_advance(&merge), 0);
	}
	merge_close(&merge);
	trace_file_close(&file);
}

static uint64_t count_events(struct trace *trace)
{
	struct trace_event event;
	int got;

	while ((got = trace_next(trace, &event)) > 0)
		;
	assert_int_equal(got, 0);
	return trace_info(trace)->nr_events;
}

static void check_file(const char *path)
{
	uint64_t first_ns, last_ns, told_first_ns, told_last_ns;
	struct trace *asked, *plain;

	range_of_records(path, &first_ns, &last_ns);
	assert_true(first_ns < last_ns);
	assert_int_equal(trace_open(path, &asked), 0);
	assert_int_equal(trace_time_range(asked, &told_first_ns, &told_last_ns), 0);
	assert_int_equal(told_first_ns, first_ns);
	assert_int_equal(told_last_ns, last_ns);
	/* Nothing of the file is used up. */
	assert_int_equal(trace_open(path, &plain), 0);
	assert_int_equal(count_events(asked), count_events(plain));
	trace_close(asked);
	trace_close(plain);
}

static void test_files(void **state)
{
	glob_t found = { 0 };

	(void)state;
	assert_int_equal(glob("tests/data/*.dat", 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		print_message("# %s\n", found.gl_pathv[i]);
		check_file(found.gl_pathv[i]);
	}
	globfree(&found);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
