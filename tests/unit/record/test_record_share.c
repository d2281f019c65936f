// SPDX-License-Identifier: GPL-2.0
/* Threads at real-time priority leave the CPU to others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "record/readers/share.h"

#define PIECE_NS 1000000
#define NR_WINDOWS 5

static int64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void compute(int64_t duration_ns)
{
	int64_t end_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) + duration_ns;

	while (clock_ns(CLOCK_THREAD_CPUTIME_ID) < end_ns)
		;
}

static void test_who_always_has_work(void **state)
{
	int64_t begin_ns = clock_ns(CLOCK_MONOTONIC);
	int64_t cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	int64_t end_ns = begin_ns + NR_WINDOWS * SHARE_WINDOW_NS;
	struct share share = { 0 };
	int64_t used_ns;

	(void)state;
	while (clock_ns(CLOCK_MONOTONIC) < end_ns) {
		compute(PIECE_NS);
		share_give_way(&share);
	}
	used_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns;
	/* The last piece of each window may go beyond; the first one is before any window. */
	assert_in_range(used_ns, PIECE_NS, (NR_WINDOWS + 1) * (SHARE_MOST_CPU_NS + 2 * PIECE_NS));
}

/* On a busy machine the window may be over before this is; then it says nothing. */
static void test_who_has_little_work(void **state)
{
	struct share before, after;

	(void)state;
	do {
		before = (struct share){ 0 };
		share_give_way(&before);
		after = before;
		compute(SHARE_MOST_CPU_NS / 2);
		share_give_way(&after);
	} while (clock_ns(CLOCK_MONOTONIC) - before.begin_ns >= SHARE_WINDOW_NS);
	/* Whoever slept has another window. */
	assert_int_equal(after.begin_ns, before.begin_ns);
	assert_int_equal(after.cpu_ns, before.cpu_ns);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_always_has_work),
		cmocka_unit_test(test_who_has_little_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
