// SPDX-License-Identifier: GPL-2.0
/*
 * Recent texts by their numbers: one that was pushed out is made again, and none is taken for another.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "trace/names/text_memo.h"

#define NR_EACH 12

static uint32_t id_of(uint64_t first, uint64_t second, uint64_t third)
{
	return 1 + (uint32_t)((first * NR_EACH + second) * NR_EACH + third);
}

/* Numbers that follow each other would not come into one slot. */
static uint64_t far_apart(uint64_t number)
{
	return number * number * number * 0xfedcba987ull;
}

static uint32_t *find(struct text_memo *memo, uint64_t first, uint64_t second, uint64_t third)
{
	return text_memo_find(memo, far_apart(first), far_apart(second), far_apart(third));
}

/* Many more triples than slots, in no order, so that each follows one that differs in one number only. */
static void test_no_other(void **state)
{
	static struct text_memo memo;
	uint64_t random = 88172645463325252ull;

	(void)state;
	for (int i = 0; i < 100000; i++) {
		uint64_t first, second, third;
		uint32_t own, *id;

		random = random * 6364136223846793005ull + 1442695040888963407ull;
		first = (random >> 33) % NR_EACH;
		second = (random >> 43) % NR_EACH;
		third = (random >> 53) % NR_EACH;
		own = id_of(first, second, third);
		id = find(&memo, first, second, third);
		assert_true(*id == 0 || *id == own);
		*id = own;
		assert_int_equal(*find(&memo, first, second, third), own);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_no_other) };

	return cmocka_run_group_tests_name("text memo", tests, NULL, NULL);
}
