// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/named_events.c */
/*
 * The finding of threads that wait for files, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/waits/io_wait_findings.h"
#include "named_events.h"

static void test_causes(void **state)
{
	(void)state;
	assert_true(io_wait_is_cause("disk"));
	assert_true(io_wait_is_cause("disk (fsync)"));
	assert_true(io_wait_is_cause("disk journal (fsync)"));
	assert_true(io_wait_is_cause("page fault: disk"));
	assert_true(io_wait_is_cause("NFS"));
	assert_false(io_wait_is_cause("futex"));
	assert_false(io_wait_is_cause("diskette"));
	assert_false(io_wait_is_cause("page fault: memory reclaim"));
	assert_false(io_wait_is_cause("RCU (disk)"));
}

/* All findings of waits for files in @model, which it frees. */
static struct findings look_at(struct model *model)
{
	struct task_stats *stats = task_stats_compute(model);
	struct barriers barriers = barriers_compute(model);
	struct path_finder finder = path_finder_new(model, stats, &barriers);
	struct blocked_on blocked = blocked_on_compute(model);
	struct findings findings = findings_new(model);
	struct critical_path path;
	uint64_t until_ns;
	uint32_t last = critical_path_last_on_cpu(model, &until_ns);

	path = critical_path_compute(&finder, last, findings.session_from_ns, until_ns);
	io_wait_add_findings(model, &blocked, &path, &findings);
	critical_path_free(&path);
	blocked_on_free(&blocked);
	path_finder_free(&finder);
	barriers_free(&barriers);
	task_stats_free(stats);
	model_free(model);
	return findings;
}

/* Thread 0 sleeps from @from_ns to @to_ns, and is woken by an interrupt. */
static void feed_wait(uint64_t from_ns, uint64_t to_ns, const char *cause)
{
	feed_named_sleep_for_at(from_ns, 0, cause);
	feed_named_interrupt_wakeup_at(to_ns, 0);
	feed_named_run_at(to_ns, 0);
}

static void begin_two(void)
{
	named_begin();
	feed_named_run_at(1000, 0);
	feed_named_run_at(1000, 1);
	feed_named_at(1000, 0, TRACE_SPAN_BEGIN, "load", 0);
	feed_named_at(1000, 1, TRACE_SPAN_BEGIN, "compute", 0);
}

/*
 * Thread 0 waits for the disk for 3000 and 1000 ns, and for a page for 500; thread 1 ends at 6000. Of the path, thread 0's
 * 10000 ns, these 4500 are waits.
 */
static void test_waits(void **state)
{
	struct findings findings;

	(void)state;
	begin_two();
	feed_wait(2000, 5000, "disk (read)");
	feed_wait(5500, 6500, "disk (read)");
	feed_named_sleep_for_at(6600, 1, "futex");
	feed_wait(7000, 7500, "page fault: disk");
	feed_wait(8000, 8200, "futex");
	feed_named_sleep_at(11000, 0);
	findings = look_at(named_end(11000));
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].kind, FINDING_IO_WAIT);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 4500);
	assert_int_equal(findings.rows[0].from_ns, 1000);
	assert_int_equal(findings.rows[0].to_ns, 4000);
	assert_int_equal(findings.rows[0].nr_threads, 1);
	assert_int_equal(findings.rows[0].confidence, CONFIDENCE_LOW);
	assert_true(findings.rows[0].caveats & CAVEAT_FEW);
	/* Two threads, for 10000 ns each. */
	assert_non_null(strstr(findings.rows[0].text, "4.50 us, 22 % of their time, in 3 waits"));
	assert_non_null(strstr(findings.rows[0].text, "most for \"disk (read)\" (4.00 us)"));
	findings_free(&findings);
}

/* The quiet twins: as long, but for something else; and for the disk, but less than 5 % of the time. */
static void test_quiet(void **state)
{
	struct findings findings;

	(void)state;
	begin_two();
	feed_wait(2000, 6500, "futex");
	feed_wait(7000, 7900, "disk (read)");
	feed_named_sleep_at(11000, 0);
	feed_named_sleep_at(11000, 1);
	findings = look_at(named_end(11000));
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
}

/* Thread 1 waits for the disk while thread 0 works, on which alone the end depends: nothing is lost. */
static void test_off_the_path(void **state)
{
	struct findings findings;

	(void)state;
	begin_two();
	feed_named_sleep_for_at(2000, 1, "disk (read)");
	feed_named_interrupt_wakeup_at(9000, 1);
	feed_named_run_at(9000, 1);
	feed_named_sleep_at(9500, 1);
	feed_named_sleep_at(11000, 0);
	findings = look_at(named_end(11000));
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 0);
	findings_free(&findings);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_causes),
		cmocka_unit_test(test_waits),
		cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_off_the_path),
	};

	return cmocka_run_group_tests_name("io_wait", tests, named_open_trace, named_close_trace);
}
