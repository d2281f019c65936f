// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Sums of system calls by name, from hand-made events; and against a program that adds up itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/waits/system_calls.h"
#include "events.h"

#define A 101
#define B 102
#define X 201
#define READ 3u
#define WRITE 4u
#define NR_NAMES 6

static void enter(uint64_t time_ns, int cpu, int32_t tid, uint64_t number)
{
	feed_kernel_at(time_ns, cpu, tid, TRACE_KERNEL_BEGIN, TRACE_KERNEL_SYSCALL, number, 0);
}

static const struct system_call *find(const struct system_calls *calls, uint32_t name)
{
	for (size_t i = 0; i < calls->nr; i++) {
		if (calls->calls[i].name == name)
			return &calls->calls[i];
	}
	fail_msg("no such call: %u", name);
	return NULL;
}

static void test_by_hand(void **state)
{
	struct system_calls calls;
	const struct system_call *call;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_session_at(1000, 0, A);
	enter(1010, 0, A, READ);
	feed_result_at(1020, 0, A, READ, -4);
	/* On a CPU 10, asleep 30, woken 20, on a CPU 5. */
	enter(1100, 0, A, READ);
	feed_switch_at(1110, 0, A, X, TRACE_OUT_SLEEPING);
	enter(1120, 0, X, WRITE);
	feed_result_at(1130, 0, X, WRITE, 1);
	feed_wakeup_at(1140, 0, X, A, 0);
	feed_switch_at(1160, 0, X, A, TRACE_OUT_SLEEPING);
	feed_result_at(1165, 0, A, READ, 100);
	/* Preempted for 10 of 40; the trace ends in it. */
	enter(1200, 0, A, READ);
	feed_switch_at(1210, 0, A, X, TRACE_OUT_RUNNABLE);
	feed_switch_at(1220, 0, X, A, TRACE_OUT_SLEEPING);
	feed_switch_at(1240, 1, 0, X, TRACE_OUT_SLEEPING);
	model = script_end();
	calls = system_calls_compute(model);

	/* X is not of the session. */
	assert_int_equal(calls.nr, 1);
	call = find(&calls, READ);
	assert_int_equal(call->calls, 3);
	assert_int_equal(call->errors, 1);
	assert_int_equal(call->cut, 1);
	assert_int_equal(call->total_ns, 10 + 65 + 40);
	assert_int_equal(call->on_cpu_ns, 10 + 15 + 30);
	assert_int_equal(call->blocked_ns, 30);
	assert_int_equal(call->waiting_ns, 20 + 10);
	assert_int_equal(call->median_ns, 40);
	assert_int_equal(call->max_ns, 65);
	assert_int_equal(call->thread, thread_of(model, A, 0));
	assert_int_equal(call->longest_from_ns, 100);
	assert_int_equal(call->longest_to_ns, 165);
	system_calls_free(&calls);
	model_free(model);
}

/* None where there are none; -4096 is no error. */
static void test_edges(void **state)
{
	struct system_calls calls;
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_session_at(1000, 0, A);
	feed_kernel_at(1005, 0, A, TRACE_KERNEL_MARK, TRACE_KERNEL_FAULT, 9, 0);
	model = script_end();
	calls = system_calls_compute(model);
	assert_int_equal(calls.nr, 0);
	system_calls_free(&calls);
	model_free(model);

	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_SLEEPING);
	feed_session_at(1000, 0, A);
	enter(1010, 0, A, READ);
	feed_result_at(1020, 0, A, READ, -4096);
	enter(1030, 0, A, READ);
	feed_result_at(1030, 0, A, READ, -4095);
	model = script_end();
	calls = system_calls_compute(model);
	assert_int_equal(find(&calls, READ)->errors, 1);
	assert_int_equal(find(&calls, READ)->calls, 2);
	system_calls_free(&calls);
	model_free(model);
}

struct sums {
	uint64_t calls, errors, total_ns, on_cpu_ns, blocked_ns, waiting_ns, max_ns;
};

/* Two threads on a CPU each; they sleep in calls and out of them, and are woken at once or later. */
static void test_against_a_program(void **state)
{
	struct sums truth[NR_NAMES] = { 0 };
	const int32_t tids[] = { A, B };
	struct system_calls calls;
	uint64_t now_ns = 1000;
	struct model *model;

	(void)state;
	srandom(9);
	script_begin();
	for (int cpu = 0; cpu < 2; cpu++) {
		feed_switch_at(1000, cpu, 0, tids[cpu], TRACE_OUT_SLEEPING);
		feed_session_at(1000, cpu, tids[cpu]);
	}
	for (int i = 0; i < 5000; i++) {
		int cpu = (int)(random() % 2);
		uint64_t name = 1 + (uint64_t)(random() % (NR_NAMES - 1)), start_ns, ns[4] = { 0 };
		bool is_inside = random() % 4, sleeps = random() % 2;
		struct sums *own = &truth[name];

		now_ns += (uint64_t)(random() % 30);
		start_ns = now_ns;
		if (is_inside)
			enter(now_ns, cpu, tids[cpu], name);
		for (int part = 0; part < 4; part++)
			ns[part] = (uint64_t)(random() % 100);
		if (!sleeps)
			ns[1] = ns[2] = 0;
		now_ns += ns[0];
		if (sleeps) {
			feed_switch_at(now_ns, cpu, tids[cpu], 0, TRACE_OUT_UNINTERRUPTIBLE);
			now_ns += ns[1];
			feed_wakeup_at(now_ns, cpu, 0, tids[cpu], cpu);
			now_ns += ns[2];
			feed_switch_at(now_ns, cpu, 0, tids[cpu], TRACE_OUT_SLEEPING);
		}
		now_ns += ns[3];
		if (!is_inside)
			continue;
		feed_result_at(now_ns, cpu, tids[cpu], name, i % 3 ? 0 : -i % 4000);
		own->calls++;
		own->errors += i % 3 == 0 && i % 4000;
		own->total_ns += now_ns - start_ns;
		own->on_cpu_ns += ns[0] + ns[3];
		own->blocked_ns += ns[1];
		own->waiting_ns += ns[2];
		own->max_ns = now_ns - start_ns > own->max_ns ? now_ns - start_ns : own->max_ns;
	}
	model = script_end();
	calls = system_calls_compute(model);
	assert_int_equal(calls.nr, NR_NAMES - 1);
	for (uint32_t name = 1; name < NR_NAMES; name++) {
		const struct system_call *call = find(&calls, name);

		assert_int_equal(call->calls, truth[name].calls);
		assert_int_equal(call->errors, truth[name].errors);
		assert_int_equal(call->cut, 0);
		assert_int_equal(call->total_ns, truth[name].total_ns);
		assert_int_equal(call->on_cpu_ns, truth[name].on_cpu_ns);
		assert_int_equal(call->blocked_ns, truth[name].blocked_ns);
		assert_int_equal(call->waiting_ns, truth[name].waiting_ns);
		assert_int_equal(call->max_ns, truth[name].max_ns);
	}
	for (size_t i = 1; i < calls.nr; i++)
		assert_true(calls.calls[i - 1].total_ns >= calls.calls[i].total_ns);
	system_calls_free(&calls);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),
		cmocka_unit_test(test_edges),
		cmocka_unit_test(test_against_a_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
