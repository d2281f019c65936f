// SPDX-License-Identifier: GPL-2.0
/* Columns have room for the rows that they have, whether these were added, copied or both: below COLUMN_STEP rows, and above. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <malloc.h>

#include "model/table_rows.h"
#include "model/window/table_copy.h"

#define NR_ROWS (5 * COLUMN_STEP / 2)

static void add(struct wakeup_table *wakeups, size_t row)
{
	wakeup_table_add(wakeups, 1000 + row, (uint32_t)row, (uint32_t)row + 1, (int)(row % 7));
	assert_true(malloc_usable_size(wakeups->time_ns) >=
		    wakeups->nr * sizeof(*wakeups->time_ns));
	assert_true(malloc_usable_size(wakeups->cpu) >= wakeups->nr * sizeof(*wakeups->cpu));
}

static void expect_rows(const struct wakeup_table *wakeups, size_t nr)
{
	size_t nr_wrong = 0;

	assert_int_equal(wakeups->nr, nr);
	for (size_t row = 0; row < nr; row++)
		nr_wrong += wakeups->time_ns[row] != 1000 + row || wakeups->waker[row] != row ||
			    wakeups->wakee[row] != row + 1 || wakeups->cpu[row] != (int)(row % 7);
	assert_int_equal(nr_wrong, 0);
}

static void test_added(void **state)
{
	struct wakeup_table wakeups = { 0 };

	(void)state;
	for (size_t row = 0; row < NR_ROWS; row++)
		add(&wakeups, row);
	expect_rows(&wakeups, NR_ROWS);
	/* Not much more than is needed. */
	assert_true(malloc_usable_size(wakeups.time_ns) <=
		    (NR_ROWS + COLUMN_STEP) * sizeof(*wakeups.time_ns));
	wakeup_table_free(&wakeups);
}

/* In parts of all lengths, with rows added in between: each step of a column is reached in either way. */
static void test_copied(void **state)
{
	struct wakeup_table from = { 0 }, to = { 0 };
	size_t part = 0;

	(void)state;
	for (size_t row = 0; row < NR_ROWS; row++)
		add(&from, row);
	while (to.nr < NR_ROWS) {
		part = (part * 7 + 3) % 20011;
		wakeup_table_copy(&to, &from, to.nr,
				  part < NR_ROWS - to.nr ? part : NR_ROWS - to.nr);
		for (int i = 0; i < 3 && to.nr < NR_ROWS; i++)
			add(&to, to.nr);
	}
	expect_rows(&to, NR_ROWS);
	wakeup_table_free(&from);
	wakeup_table_free(&to);
}

/* To where a step ends, and from there. */
static void test_ends_of_steps(void **state)
{
	struct wakeup_table from = { 0 }, to = { 0 };

	(void)state;
	for (size_t row = 0; row < NR_ROWS; row++)
		add(&from, row);
	for (size_t end = 4; end < NR_ROWS; end += end < COLUMN_STEP ? end : COLUMN_STEP) {
		wakeup_table_copy(&to, &from, to.nr, end - to.nr);
		add(&to, to.nr);
	}
	expect_rows(&to, to.nr);
	assert_true(to.nr > 2 * COLUMN_STEP);
	wakeup_table_free(&from);
	wakeup_table_free(&to);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_added),
		cmocka_unit_test(test_copied),
		cmocka_unit_test(test_ends_of_steps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
