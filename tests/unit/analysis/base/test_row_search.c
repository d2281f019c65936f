// SPDX-License-Identifier: GPL-2.0
/*
 * Rows that are looked for: by time, from any row on, against going through all; the worst of many,
 * against sorting.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/base/row_search.h"
#include "analysis/base/top_k.h"

#define MOST_TIMES 70

static size_t first_behind(const uint64_t *end_ns, size_t nr, uint64_t time_ns)
{
	size_t row = 0;

	while (row < nr && end_ns[row] <= time_ns)
		row++;
	return row;
}

static void test_near(void **state)
{
	uint64_t end_ns[MOST_TIMES];

	(void)state;
	srandom(5);
	for (int round = 0; round < 300; round++) {
		size_t nr = (size_t)random() % MOST_TIMES;
		uint64_t ns = 3;

		for (size_t i = 0; i < nr; i++)
			end_ns[i] = ns += (uint64_t)random() % 3;
		for (uint64_t time_ns = 0; time_ns < ns + 2; time_ns++) {
			size_t wanted = first_behind(end_ns, nr, time_ns);
			size_t near = (size_t)random() % (nr + 3);

			assert_int_equal(row_search_after(end_ns, nr, time_ns), wanted);
			assert_int_equal(row_search_after_near(end_ns, nr, time_ns, near), wanted);
			assert_int_equal(row_search_after_near(end_ns, nr, time_ns, SIZE_MAX),
					 wanted);
		}
	}
}

static int compare_worst_first(const void *a, const void *b)
{
	const struct top_k_row *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

/* Whether @row is one of the first TOP_K_MAX of @sorted. */
static bool is_wanted(const struct top_k_row *sorted, size_t nr, size_t row)
{
	for (size_t i = 0; i < nr && i < TOP_K_MAX; i++) {
		if (sorted[i].row == row)
			return true;
	}
	return false;
}

static void check_worst(size_t nr, uint64_t range)
{
	struct top_k_row *rows = calloc(nr + 1, sizeof(*rows));
	struct top_k *worst = calloc(1, sizeof(*worst));

	for (size_t i = 0; i < nr; i++) {
		rows[i] = (struct top_k_row){ (uint64_t)random() % range, i };
		top_k_add(worst, rows[i].ns, i);
	}
	top_k_sort(worst);
	qsort(rows, nr, sizeof(*rows), compare_worst_first);
	assert_int_equal(worst->nr, nr < TOP_K_MAX ? nr : TOP_K_MAX);
	for (size_t i = 0; i < worst->nr; i++) {
		assert_true(is_wanted(rows, nr, worst->rows[i].row));
		assert_true(!i || worst->rows[i - 1].row < worst->rows[i].row);
	}
	free(worst);
	free(rows);
}

/* Ranges that make many equal ones, or none. */
static void test_worst(void **state)
{
	(void)state;
	srandom(6);
	check_worst(0, 1);
	check_worst(1, 1);
	check_worst(TOP_K_MAX, 10);
	check_worst(TOP_K_MAX + 1, 1000000);
	check_worst(3 * TOP_K_MAX, 1);
	check_worst(3 * TOP_K_MAX, 7);
	check_worst(5 * TOP_K_MAX, 1000000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_near),
		cmocka_unit_test(test_worst),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
