// SPDX-License-Identifier: GPL-2.0
/* What analyses declare of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "report/analyses.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_kind_is_explained_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
