// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * What interrupts take from threads of the session, by CPU and by source, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sched/interrupt_load.h"
#include "events.h"

#define A 101
#define X 201 /* of another program */
#define ETH 1
#define NET 2
#define TICK 3

static void handler(uint64_t from_ns, uint64_t to_ns, int cpu, int32_t tid,
		    enum trace_interrupt_kind kind, uint32_t id)
{
	feed_interrupt_begin_at(from_ns, cpu, tid, kind, id, kind == TRACE_SOFTIRQ);
	feed_interrupt_end_at(to_ns, cpu, tid, kind, id);
}

/*
 * A is on CPU 0 at 1000-9000, X on CPU 1 at 1000-9000. In A: ETH at 2000-2100, NET at 3000-3300 with ETH at 3100-3150 inside, TICK
 * at 4000-4000 + @tick_ns. In X: ETH at 2100-2900. In idle on CPU 0: ETH at 9100-9900.
 */
static struct model *make(uint64_t tick_ns)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_switch_at(1000, 1, 0, X, TRACE_OUT_RUNNABLE);
	handler(2000, 2100, 0, A, TRACE_HARDIRQ, ETH);
	handler(2100, 2900, 1, X, TRACE_HARDIRQ, ETH);
	feed_interrupt_begin_at(3000, 0, A, TRACE_SOFTIRQ, NET, true);
	feed_interrupt_begin_at(3100, 0, A, TRACE_HARDIRQ, ETH, true);
	feed_interrupt_end_at(3150, 0, A, TRACE_HARDIRQ, ETH);
	feed_interrupt_end_at(3300, 0, A, TRACE_SOFTIRQ, NET);
	handler(4000, 4000 + tick_ns, 0, A, TRACE_VECTOR, TICK);
	feed_switch_at(9000, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(9000, 1, X, 0, TRACE_OUT_SLEEPING);
	handler(9100, 9900, 0, 0, TRACE_HARDIRQ, ETH);
	feed_switch_at(10000, 0, 0, A, TRACE_OUT_RUNNABLE);
	return script_end();
}

static void test_cpus(void **state)
{
	struct model *model = make(20);
	struct interrupt_load load = interrupt_load_compute(model);

	(void)state;
	assert_int_equal(load.nr_cpus, 2);
	assert_int_equal(load.cpus[0].session_ns, 8000);
	assert_int_equal(load.cpus[0].stolen_ns, 100 + 300 + 20);
	assert_int_equal(load.cpus[0].interrupts, 3);
	assert_int_equal(load.cpus[0].worst_thread, thread_of(model, A, 0));
	assert_int_equal(load.cpus[0].first_ns, 1000);
	assert_int_equal(load.cpus[0].last_ns, 3020);
	assert_int_equal(load.cpus[1].session_ns, 0);
	assert_int_equal(load.cpus[1].stolen_ns, 0);
	assert_int_equal(load.cpus[1].worst_thread, MODEL_NO_THREAD);
	interrupt_load_free(&load);
	model_free(model);
}

static void expect_source(const struct interrupt_load_source *got, int cpu, uint32_t name,
			  uint64_t nr, uint64_t ns, uint64_t stolen_ns, uint64_t max_ns)
{
	assert_int_equal(got->cpu, cpu);
	assert_int_equal(got->name, name);
	assert_int_equal(got->interrupts, nr);
	assert_int_equal(got->ns, ns);
	assert_int_equal(got->stolen_ns, stolen_ns);
	assert_int_equal(got->max_ns, max_ns);
}

static void test_sources(void **state)
{
	struct model *model = make(20);
	struct interrupt_load load = interrupt_load_compute(model);

	(void)state;
	assert_int_equal(load.nr_sources, 4);
	expect_source(&load.sources[0], 0, NET, 1, 250, 250, 300);
	expect_source(&load.sources[1], 0, ETH, 3, 100 + 50 + 800, 100 + 50, 800);
	expect_source(&load.sources[2], 0, TICK, 1, 20, 20, 20);
	expect_source(&load.sources[3], 1, ETH, 1, 800, 0, 800);
	assert_int_equal(load.sources[1].longest_from_ns, 8100);
	assert_int_equal(load.sources[1].longest_to_ns, 8900);
	interrupt_load_free(&load);
	model_free(model);
}

static struct findings find(struct model *model)
{
	struct interrupt_load load = interrupt_load_compute(model);
	struct findings findings = findings_new(model);
	struct trace *trace; /* only so that there are strings */

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	interrupt_load_add_findings(model, &load, &findings);
	model->trace = NULL;
	trace_close(trace);
	interrupt_load_free(&load);
	return findings;
}

/* 400 of 8000 is the least. */
static void test_finding(void **state)
{
	struct model *model = make(20);
	struct findings findings = find(model);
	const struct finding *finding = findings.rows;

	(void)state;
	assert_int_equal(findings.nr, 1);
	assert_int_equal(finding->kind, FINDING_INTERRUPT_LOAD);
	assert_int_equal(finding->confidence, CONFIDENCE_LOW);
	assert_int_equal(finding->time_lost_ns, 0);
	assert_int_equal(finding->time_lost_at_most_ns, 420);
	assert_int_equal(finding->nr_cpus, 1);
	assert_int_equal(finding->cpus[0], 0);
	assert_int_equal(finding->threads[0], thread_of(model, A, 0));
	assert_int_equal(finding->from_ns, 1000);
	assert_int_equal(finding->to_ns, 3020);
	assert_non_null(strstr(finding->text, "took 420 ns, 5 %, of the time"));
	assert_non_null(strstr(finding->text, "took 250 ns, in 1 interrupts"));
	findings_free(&findings);
	model_free(model);
}

/* Without what X lost. */
static void test_quiet(void **state)
{
	struct model *model;
	struct findings findings;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	handler(2000, 2399, 0, A, TRACE_HARDIRQ, ETH);
	feed_switch_at(9000, 0, A, X, TRACE_OUT_SLEEPING);
	handler(9100, 9900, 0, X, TRACE_HARDIRQ, ETH);
	feed_switch_at(10000, 0, X, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	findings = find(model);
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

static void test_nothing(void **state)
{
	struct interrupt_load load;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(9000, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	load = interrupt_load_compute(model);
	assert_int_equal(load.nr_cpus, 0);
	assert_int_equal(load.nr_sources, 0);
	interrupt_load_free(&load);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus),	cmocka_unit_test(test_sources),
		cmocka_unit_test(test_finding), cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("interrupt load", tests, NULL, NULL);
}
