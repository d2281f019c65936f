// SPDX-License-Identifier: GPL-2.0
/* What annot takes a misspelled word for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/text/nearest.h"

static const char *const words[] = { "record", "html", "report", "buffer-size-kb", NULL };

static void expect_nearest(const char *typed, const char *wanted)
{
	const char *nearest = nearest_word(typed, words);

	if (wanted) {
		assert_non_null(nearest);
		assert_string_equal(nearest, wanted);
	} else {
		assert_null(nearest);
	}
}

static void takes_one_mistake(void **state)
{
	(void)state;
	expect_nearest("record", "record");
	expect_nearest("recrod", "record"); /* swapped */
	expect_nearest("recor", "record"); /* left out */
	expect_nearest("reecord", "record"); /* put in */
	expect_nearest("rekord", "record"); /* changed */
	expect_nearest("hmtl", "html");
	expect_nearest("buffersize-kb", "buffer-size-kb");
}

static void takes_the_nearest(void **state)
{
	(void)state;
	expect_nearest("reportd", "report");
	expect_nearest("buffer-sizekb", "buffer-size-kb");
	expect_nearest("bufer-size-k", "buffer-size-kb");
}

static void leaves_other_words_alone(void **state)
{
	(void)state;
	expect_nearest("", NULL);
	expect_nearest("x", NULL);
	expect_nearest("hull", NULL);
	expect_nearest("stat", NULL);
	expect_nearest("a word that is longer than any of those that there are to choose from",
		       NULL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_one_mistake),
		cmocka_unit_test(takes_the_nearest),
		cmocka_unit_test(leaves_other_words_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
