// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * How much of a program's time is serial, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/regions/serial_share.h"
#include "events.h"

#define MASTER 101
#define WORKER 102
#define HELPER 103
#define PARALLEL 7
#define BARRIER 8

static void span(uint64_t from_ns, uint64_t to_ns, int cpu, int32_t tid, enum trace_span_kind kind)
{
	feed_begin_at(from_ns, cpu, tid, kind == TRACE_SPAN_WAIT ? BARRIER : PARALLEL, kind);
	feed_end_at(to_ns, cpu, tid);
}

/* As annotations of an attached program tell it. */
static void tell_teams(const struct model *model)
{
	struct thread *master = &model->threads[thread_of(model, MASTER, 0)];
	struct thread *worker = &model->threads[thread_of(model, WORKER, 0)];

	master->tgid = worker->tgid = MASTER;
	master->leads_teams = true;
	master->joins_teams = worker->joins_teams = true;
}

/*
 * The master lives from 1000 to 11000. Two regions, 2000-5000 and 8000-10000: in the first, the worker is
 * done at 3500, the master at 5000; in the second, the master at 8500, the worker at 10000.
 */
static struct model *two_regions(void)
{
	struct model *model;

	script_begin();
	feed_switch_at(1000, 0, 0, MASTER, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, MASTER);
	feed_fork_at(1500, 0, MASTER, WORKER, true);
	feed_switch_at(1600, 1, 0, WORKER, TRACE_OUT_RUNNABLE);
	feed_begin_at(2000, 0, MASTER, PARALLEL, TRACE_SPAN_WORK);
	feed_begin_at(2100, 1, WORKER, PARALLEL, TRACE_SPAN_WORK);
	feed_end_at(3500, 1, WORKER);
	feed_begin_at(3500, 1, WORKER, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(5000, 0, MASTER);
	feed_end_at(5000, 1, WORKER);
	/* The worker spins: outside of spans it does not work. */
	feed_begin_at(8000, 0, MASTER, PARALLEL, TRACE_SPAN_WORK);
	feed_begin_at(8000, 1, WORKER, PARALLEL, TRACE_SPAN_WORK);
	feed_end_at(8500, 0, MASTER);
	feed_begin_at(8500, 0, MASTER, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(10000, 0, MASTER);
	feed_end_at(10000, 1, WORKER);
	feed_switch_at(11000, 0, MASTER, 0, TRACE_OUT_DEAD);
	feed_switch_at(12000, 1, WORKER, 0, TRACE_OUT_DEAD);
	model = script_end();
	tell_teams(model);
	return model;
}

static void test_division(void **state)
{
	struct model *model = two_regions();
	struct serial_share share = serial_share_compute(model);
	const struct serial_share_program *program = share.programs;

	(void)state;
	assert_int_equal(share.nr, 1);
	assert_int_equal(program->thread, thread_of(model, MASTER, 0));
	assert_int_equal(program->nr_threads, 2);
	assert_int_equal(program->elapsed_ns, 10000);
	/* 2100-3500 and 8000-8500. */
	assert_int_equal(program->parallel_ns, 1900);
	/* 2000-2100, 3500-5000, 8500-10000. */
	assert_int_equal(program->alone_ns, 3100);
	/* 1000-2000, 5000-8000, 10000-11000. */
	assert_int_equal(program->serial_ns, 5000);
	assert_int_equal(program->nobody_ns, 0);
	assert_int_equal(program->longest_from_ns, 5000 - 1000);
	assert_int_equal(program->longest_to_ns, 8000 - 1000);
	assert_float_equal(serial_share_of(program), 0.5, 1e-6);
	assert_float_equal(serial_share_bound(program), 2, 1e-6);
	serial_share_free(&share);
	model_free(model);
}

static void test_finding(void **state)
{
	struct model *model = two_regions();
	struct serial_share share = serial_share_compute(model);
	struct findings findings;

	(void)state;
	/* For the names of threads. */
	assert_int_equal(trace_open("tests/data/plain-6.1.dat", &model->trace), 0);
	findings = findings_new(model);
	serial_share_add_findings(model, &share, &findings);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].kind, FINDING_SERIAL_SHARE);
	assert_int_equal(findings.rows[0].time_lost_ns, 0);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 2500);
	assert_int_equal(findings.rows[0].threads[0], thread_of(model, MASTER, 0));
	assert_non_null(strstr(findings.rows[0].text, "50 %"));
	assert_non_null(strstr(findings.rows[0].text, "at most 2.0 times"));
	findings_free(&findings);
	serial_share_free(&share);
	trace_close(model->trace);
	model_free(model);
}

/* Both wait: nobody works. A thread that is in no team, but annotates itself, works beside the master. */
static void test_others(void **state)
{
	struct serial_share share;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, MASTER, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, MASTER);
	feed_fork_at(1000, 0, MASTER, WORKER, true);
	feed_fork_at(1000, 0, MASTER, HELPER, true);
	feed_switch_at(1000, 1, 0, WORKER, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 2, 0, HELPER, TRACE_OUT_RUNNABLE);
	span(2000, 3000, 0, MASTER, TRACE_SPAN_WAIT);
	span(2000, 3000, 1, WORKER, TRACE_SPAN_WAIT);
	span(4000, 4500, 2, HELPER, TRACE_SPAN_WORK);
	feed_switch_at(6000, 0, MASTER, 0, TRACE_OUT_DEAD);
	model = script_end();
	tell_teams(model);
	model->threads[thread_of(model, HELPER, 0)].tgid = MASTER;
	share = serial_share_compute(model);
	assert_int_equal(share.programs[0].elapsed_ns, 5000);
	assert_int_equal(share.programs[0].nobody_ns, 1000);
	assert_int_equal(share.programs[0].parallel_ns, 500);
	assert_int_equal(share.programs[0].serial_ns, 3500);
	assert_int_equal(share.programs[0].nr_threads, 2);
	serial_share_free(&share);
	model_free(model);
}

/* Of a program that tells nothing of teams, nobody knows what threads do outside of spans. */
static void test_no_teams(void **state)
{
	struct model *model = two_regions();
	struct serial_share share;

	(void)state;
	for (size_t i = 0; i < model->nr_threads; i++)
		model->threads[i].leads_teams = model->threads[i].joins_teams = false;
	share = serial_share_compute(model);
	assert_int_equal(share.nr, 0);
	serial_share_free(&share);
	model_free(model);
}

/* All regions follow each other closely: 4 % is serial. */
static void test_little(void **state)
{
	struct findings findings;
	struct serial_share share;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, MASTER, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, MASTER);
	feed_fork_at(1000, 0, MASTER, WORKER, true);
	feed_switch_at(1000, 1, 0, WORKER, TRACE_OUT_RUNNABLE);
	for (uint64_t at = 1000; at < 11000; at += 1000) {
		span(at, at + 960, 0, MASTER, TRACE_SPAN_WORK);
		span(at, at + 960, 1, WORKER, TRACE_SPAN_WORK);
	}
	feed_switch_at(11000, 0, MASTER, 0, TRACE_OUT_DEAD);
	model = script_end();
	tell_teams(model);
	share = serial_share_compute(model);
	assert_int_equal(share.programs[0].parallel_ns, 9600);
	assert_int_equal(share.programs[0].serial_ns, 400);
	findings = findings_new(model);
	serial_share_add_findings(model, &share, &findings);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	serial_share_free(&share);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_division), cmocka_unit_test(test_finding),
		cmocka_unit_test(test_no_teams), cmocka_unit_test(test_others),
		cmocka_unit_test(test_little),
	};

	return cmocka_run_group_tests_name("serial_share", tests, NULL, NULL);
}
