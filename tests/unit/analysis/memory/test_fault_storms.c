// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Page-fault storms, from hand-made events: how many faults, and the time between the first and the last, are known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/memory/fault_storms.h"
#include "events.h"

#define A 101
#define B 102
#define X 201 /* of another program */
#define US 1000ull
#define MS 1000000ull
#define PAGE 4096ull

/* @nr faults, @pause_ns apart, of @nr_pages pages in turn. Returns when the next one would be. */
static uint64_t feed_faults(uint64_t at_ns, int cpu, int32_t tid, unsigned int nr,
			    uint64_t pause_ns, unsigned int nr_pages)
{
	for (unsigned int i = 0; i < nr; i++, at_ns += pause_ns)
		feed_fault_at(at_ns, cpu, tid, i % nr_pages * PAGE + i % PAGE);
	return at_ns;
}

static void begin(void)
{
	script_begin();
	feed_switch_at(0, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(0, 0, A);
}

static struct model *end(uint64_t time_ns)
{
	feed_exit_at(time_ns, 0, A);
	feed_switch_at(time_ns, 0, A, 0, TRACE_OUT_DEAD);
	return script_end();
}

static struct findings find(struct model *model)
{
	struct fault_storms storms = fault_storms_compute(model);
	struct findings findings = findings_new(model);
	struct trace *trace; /* only so that there are strings */

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	fault_storms_add_findings(model, &storms, &findings);
	model->trace = NULL;
	trace_close(trace);
	fault_storms_free(&storms);
	return findings;
}

static void expect(struct model *model, uint64_t faults, uint64_t storm_faults, uint64_t pages,
		   uint64_t storms, uint64_t ns)
{
	struct fault_storms got = fault_storms_compute(model);

	assert_int_equal(got.nr, 1);
	assert_int_equal(got.threads[0].thread, thread_of(model, A, 0));
	assert_int_equal(got.threads[0].faults, faults);
	assert_int_equal(got.threads[0].storm_faults, storm_faults);
	assert_int_equal(got.threads[0].storm_pages, pages);
	assert_int_equal(got.threads[0].storms, storms);
	assert_int_equal(got.threads[0].ns, ns);
	fault_storms_free(&got);
}

/* Two storms of 1000 faults, 1 us and 2 us apart, of the same 500 pages; A runs for 10 ms. */
static struct model *make(void)
{
	begin();
	feed_faults(1 * MS, 0, A, 1000, 1 * US, 500);
	feed_faults(5 * MS, 0, A, 1000, 2 * US, 500);
	return end(10 * MS);
}

static void test_storms(void **state)
{
	struct model *model = make();
	struct fault_storms storms = fault_storms_compute(model);

	(void)state;
	expect(model, 2000, 2000, 500, 2, 999 * US + 1998 * US);
	assert_int_equal(storms.ns, 2997 * US);
	assert_int_equal(storms.threads[0].longest_ns, 1998 * US);
	assert_int_equal(storms.threads[0].longest_from_ns, 5 * MS);
	assert_int_equal(storms.threads[0].longest_to_ns, 5 * MS + 1998 * US);
	assert_true(storms.threads[0].share > 0.2996 && storms.threads[0].share < 0.2998);
	fault_storms_free(&storms);
	model_free(model);
}

static void test_finding(void **state)
{
	struct model *model = make();
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].kind, FINDING_PAGE_FAULT_STORM);
	assert_int_equal(findings.rows[0].confidence, CONFIDENCE_HIGH);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 2997 * US);
	assert_int_equal(findings.rows[0].threads[0], thread_of(model, A, 0));
	assert_int_equal(findings.rows[0].from_ns, 5 * MS);
	assert_non_null(strstr(findings.rows[0].text, "for 3.00 ms, 30 % of its time"));
	assert_non_null(strstr(findings.rows[0].text, "2000 in 2 storms"));
	assert_non_null(strstr(findings.rows[0].text, "of 500 different pages"));
	findings_free(&findings);
	model_free(model);
}

/* A pause of 20 us is none, if the thread was off its CPU for longer in between. */
static void test_switch(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_faults(1 * MS, 0, A, 25, 20 * US, 50); /* the last one: 480 us later */
	feed_switch_at(1 * MS + 489 * US, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(3 * MS, 0, X, A, TRACE_OUT_SLEEPING);
	feed_switch_at(3 * MS + 5 * US, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(4 * MS, 0, X, A, TRACE_OUT_SLEEPING);
	feed_faults(4 * MS + 6 * US, 0, A, 25, 20 * US, 25);
	model = end(10 * MS);
	expect(model, 50, 50, 25, 1, 480 * US + 20 * US + 480 * US);
	model_free(model);
}

/* 49 are none; those of X are nobody's; more than 20 us are a pause. */
static void test_quiet(void **state)
{
	struct findings findings;
	struct model *model;

	(void)state;
	begin();
	feed_switch_at(0, 1, 0, X, TRACE_OUT_RUNNABLE);
	feed_faults(1 * MS, 0, A, 49, 1 * US, 99);
	feed_faults(1 * MS + 200 * US, 1, X, 1000, 1 * US, 99);
	feed_faults(3 * MS, 0, A, 300, 20 * US + 1, 99);
	model = end(10 * MS);
	expect(model, 349, 0, 0, 0, 0);
	findings = find(model);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

/* 499 of 10000 us are too few. */
static void test_little(void **state)
{
	struct findings findings;
	struct model *model;

	(void)state;
	begin();
	feed_faults(1 * MS, 0, A, 500, 1 * US, 99);
	model = end(10 * MS);
	expect(model, 500, 500, 99, 1, 499 * US);
	findings = find(model);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

/* What was lost may have been anything. */
static void test_lost(void **state)
{
	struct model *model;

	(void)state;
	begin();
	feed_faults(1 * MS, 0, A, 40, 1 * US, 60);
	feed_lost_at(1 * MS + 42 * US, 0, 1 * MS + 40 * US, 3);
	feed_faults(1 * MS + 43 * US, 0, A, 40, 1 * US, 60);
	model = end(10 * MS);
	expect(model, 80, 0, 0, 0, 0);
	model_free(model);
}

/* At the same time on two CPUs: elapsed time counts once, and each thread has its own pages. */
static void test_two(void **state)
{
	struct fault_storms storms;
	struct model *model;

	(void)state;
	begin();
	feed_fork_at(0, 0, A, B, true);
	feed_switch_at(0, 1, 0, B, TRACE_OUT_RUNNABLE);
	for (uint64_t i = 0; i < 1000; i++) {
		feed_fault_at(MS + i * US, 0, A, i * PAGE);
		feed_fault_at(MS + i * US + 500, 1, B, (5000 + i) * PAGE);
	}
	model = end(10 * MS);
	storms = fault_storms_compute(model);
	assert_int_equal(storms.nr, 2);
	assert_int_equal(storms.threads[0].ns, 999 * US);
	assert_int_equal(storms.threads[1].ns, 999 * US);
	assert_int_equal(storms.threads[0].storm_pages, 1000);
	assert_int_equal(storms.threads[1].storm_pages, 1000);
	assert_int_equal(storms.ns, 999 * US + 500);
	fault_storms_free(&storms);
	model_free(model);
}

static void test_nothing(void **state)
{
	struct fault_storms storms;
	struct model *model;

	(void)state;
	begin();
	model = end(10 * MS);
	storms = fault_storms_compute(model);
	assert_int_equal(storms.nr, 0);
	fault_storms_free(&storms);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_storms), cmocka_unit_test(test_finding),
		cmocka_unit_test(test_switch), cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_little), cmocka_unit_test(test_lost),
		cmocka_unit_test(test_two),    cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("fault storms", tests, NULL, NULL);
}
