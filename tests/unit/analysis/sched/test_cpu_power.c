// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Idle states and frequencies, and what threads lost at low ones, from hand-made events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/sched/cpu_power.h"
#include "events.h"

#define A 101
#define B 102
#define X 201 /* of another program */

#define GHZ 1000000

/*
 * A runs on CPU 0 at 1000-4000, at 3 GHz until 2000, then at @slow_khz. X runs on CPU 1 all the time, at 3 GHz until 2000, then
 * at 1 GHz. On CPU 2, B runs at 1000-3000; its frequency is not known before 2500: 2 GHz.
 */
static struct model *make(uint32_t slow_khz)
{
	script_begin();
	feed_frequency_at(1000, 0, 0, 3 * GHZ);
	feed_frequency_at(1000, 1, 1, 3 * GHZ);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_fork_at(1000, 0, A, B, true);
	feed_switch_at(1000, 1, 0, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 2, 0, B, TRACE_OUT_RUNNABLE);
	feed_frequency_at(2000, 1, 1, 1 * GHZ);
	feed_frequency_at(2000, 0, 0, slow_khz);
	feed_frequency_at(2500, 2, 2, 2 * GHZ);
	feed_switch_at(3000, 2, B, 0, TRACE_OUT_SLEEPING);
	feed_idle_at(3000, 2, 2);
	feed_idle_at(3500, 2, NOT_IDLE);
	feed_idle_at(3500, 2, 1);
	feed_idle_at(3600, 2, NOT_IDLE);
	feed_idle_at(3600, 2, 2);
	feed_switch_at(4000, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_idle_at(4900, 2, NOT_IDLE);
	feed_switch_at(5000, 1, X, 0, TRACE_OUT_SLEEPING);
	return script_end();
}

static void expect_near(double got, double wanted)
{
	assert_true(got > wanted - 0.001 && got < wanted + 0.001);
}

static void test_cpus(void **state)
{
	struct model *model = make(2 * GHZ);
	struct cpu_power power = cpu_power_compute(model);

	(void)state;
	assert_int_equal(power.nr_cpus, 3);
	assert_int_equal(power.cpus[0].speed.on_cpu_ns, 3000);
	assert_int_equal(power.cpus[0].speed.known_ns, 3000);
	expect_near(cpu_power_mean_ghz(&power.cpus[0].speed), (1000 * 3 + 2000 * 2) / 3000.);
	assert_int_equal(power.cpus[0].speed.least_khz, 2 * GHZ);
	assert_int_equal(power.cpus[0].speed.most_khz, 3 * GHZ);
	assert_int_equal(power.cpus[0].usual_khz, 3 * GHZ);
	expect_near(power.cpus[0].lost_ns, 2000 / 3.);
	/* No thread of the session was there. */
	expect_near(cpu_power_mean_ghz(&power.cpus[1].speed), (1000 * 3 + 3000 * 1) / 4000.);
	assert_int_equal(power.cpus[1].usual_khz, 0);
	expect_near(power.cpus[1].lost_ns, 0);
	assert_int_equal(power.cpus[2].speed.on_cpu_ns, 2000);
	assert_int_equal(power.cpus[2].speed.known_ns, 500);
	expect_near(cpu_power_mean_ghz(&power.cpus[2].speed), 2);
	assert_int_equal(power.cpus[2].idle_ns, 500 + 100 + 1300);
	cpu_power_free(&power);
	model_free(model);
}

static void test_states(void **state)
{
	struct model *model = make(2 * GHZ);
	struct cpu_power power = cpu_power_compute(model);

	(void)state;
	assert_int_equal(power.nr_states, 2);
	assert_int_equal(power.states[0].cpu, 2);
	assert_int_equal(power.states[0].state, 1);
	assert_int_equal(power.states[0].entries, 1);
	assert_int_equal(power.states[0].ns, 100);
	expect_near(power.states[0].share, 100 / 4000.);
	assert_int_equal(power.states[1].state, 2);
	assert_int_equal(power.states[1].entries, 2);
	assert_int_equal(power.states[1].ns, 1800);
	cpu_power_free(&power);
	model_free(model);
}

/* It is no idle state. */
static void test_offline(void **state)
{
	struct cpu_power power;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_idle_at(1100, 1, IDLE_STATE_OFFLINE);
	feed_idle_at(1400, 1, NOT_IDLE);
	feed_idle_at(1500, 1, 2);
	feed_idle_at(1600, 1, NOT_IDLE);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	power = cpu_power_compute(model);
	assert_int_equal(power.nr_cpus, 1);
	assert_int_equal(power.cpus[0].cpu, 1);
	assert_int_equal(power.cpus[0].offline_ns, 300);
	assert_int_equal(power.cpus[0].idle_ns, 100);
	assert_int_equal(power.nr_states, 1);
	assert_int_equal(power.states[0].state, 2);
	cpu_power_free(&power);
	model_free(model);
}

static void test_threads(void **state)
{
	struct model *model = make(2 * GHZ);
	struct cpu_power power = cpu_power_compute(model);

	(void)state;
	assert_int_equal(power.nr_threads, 2);
	assert_int_equal(power.threads[0].thread, thread_of(model, A, 0));
	expect_near(cpu_power_mean_ghz(&power.threads[0].speed), 7 / 3.);
	expect_near(power.threads[0].lost_ns, 2000 / 3.);
	assert_int_equal(power.threads[1].thread, thread_of(model, B, 0));
	assert_int_equal(power.threads[1].speed.on_cpu_ns, 2000);
	assert_int_equal(power.threads[1].speed.known_ns, 500);
	expect_near(power.threads[1].lost_ns, 0);
	cpu_power_free(&power);
	model_free(model);
}

static struct findings find(struct model *model)
{
	struct cpu_power power = cpu_power_compute(model);
	struct findings findings = findings_new(model);
	struct trace *trace; /* only so that there are strings */

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &trace), 0);
	model->trace = trace;
	cpu_power_add_findings(model, &power, &findings);
	model->trace = NULL;
	trace_close(trace);
	cpu_power_free(&power);
	return findings;
}

static void test_drop(void **state)
{
	struct model *model = make(2 * GHZ);
	struct findings findings = find(model);
	const struct finding *finding = findings.rows;

	(void)state;
	assert_int_equal(findings.nr, 1);
	assert_int_equal(finding->kind, FINDING_FREQUENCY_DROP);
	assert_int_equal(finding->confidence, CONFIDENCE_HIGH);
	assert_int_equal(finding->time_lost_ns, 0);
	assert_int_equal(finding->time_lost_at_most_ns, 666);
	assert_int_equal(finding->nr_cpus, 1);
	assert_int_equal(finding->cpus[0], 0);
	assert_int_equal(finding->threads[0], thread_of(model, A, 0));
	/* The lower frequency, which holds to the end of the trace. */
	assert_int_equal(finding->from_ns, 1000);
	assert_int_equal(finding->to_ns, 4000);
	assert_non_null(strstr(finding->text, "usual 3.00 GHz"));
	assert_non_null(strstr(finding->text, "at 2.00 GHz"));
	assert_non_null(strstr(finding->text, "22 % of their 3.00 us"));
	findings_free(&findings);
	model_free(model);
}

/* 2000 ns at 2.6 GHz cost 267 of 3000. */
static void test_quiet(void **state)
{
	struct model *model = make(2600000);
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
}

/* A tenth of the time at a higher frequency makes that the usual one, less does not. */
static struct model *make_peak(uint64_t peak_ns)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_frequency_at(1000, 0, 0, 4 * GHZ);
	feed_frequency_at(1000 + peak_ns, 0, 0, 2 * GHZ);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	return script_end();
}

static void test_peak(void **state)
{
	struct model *model = make_peak(99);
	struct findings findings = find(model);

	(void)state;
	assert_int_equal(findings.nr, 0);
	findings_free(&findings);
	model_free(model);
	model = make_peak(100);
	findings = find(model);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 450);
	findings_free(&findings);
	model_free(model);
}

/* Nothing is known of 40 % of the CPU's time. */
static void test_unknown(void **state)
{
	struct findings findings;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_frequency_at(1400, 0, 0, 4 * GHZ);
	feed_frequency_at(1600, 0, 0, 2 * GHZ);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	findings = find(model);
	assert_int_equal(findings.nr, 1);
	assert_int_equal(findings.rows[0].confidence, CONFIDENCE_MEDIUM);
	assert_int_equal(findings.rows[0].time_lost_at_most_ns, 200);
	findings_free(&findings);
	model_free(model);
}

static void test_nothing(void **state)
{
	struct cpu_power power;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();
	power = cpu_power_compute(model);
	assert_int_equal(power.nr_cpus, 0);
	assert_int_equal(power.nr_states, 0);
	assert_int_equal(power.nr_threads, 0);
	cpu_power_free(&power);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cpus),	cmocka_unit_test(test_states),
		cmocka_unit_test(test_offline), cmocka_unit_test(test_threads),
		cmocka_unit_test(test_drop),	cmocka_unit_test(test_quiet),
		cmocka_unit_test(test_peak),	cmocka_unit_test(test_unknown),
		cmocka_unit_test(test_nothing),
	};

	return cmocka_run_group_tests_name("idle states and frequencies", tests, NULL, NULL);
}
