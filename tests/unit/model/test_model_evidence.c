// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Events name who runs: where that contradicts what was believed, a switch is missing, which is counted,
 * and nothing is claimed of the time since the last word.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "events.h"
#include "model/account.h"
#include "model/states/gaps.h"
#include "model/states/silent.h"

#define A 101
#define B 102

static void assert_state_ns(const struct model *model, int32_t tid, enum thread_state state,
			    uint64_t expected_ns)
{
	struct thread_account account;

	model_account(model, thread_of(model, tid, 0), 0, model->duration_ns, &account);
	assert_int_equal(account.state_ns[state], expected_ns);
}

static void assert_gap(const struct model *model, int cpu, size_t row, uint64_t start_ns,
		       uint64_t end_ns)
{
	const struct gap_table *gaps = &model->cpus[cpu].gaps;

	assert_true(row < gaps->nr);
	assert_int_equal(gaps->kind[row], GAP_MISSING);
	assert_int_equal(gaps->nr_events[row], 1);
	assert_int_equal(gaps->start_ns[row], start_ns);
	assert_int_equal(gaps->end_ns[row], end_ns);
}

/* Out of idle, as some kernels do: B was woken, and then leaves a CPU that was idle. */
static void test_switch_out_of_idle(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, B, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1100, 1, A, B, 0);
	feed_switch_at(1700, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, B, STATE_RUNNABLE, 0);
	assert_state_ns(model, B, STATE_SLEEPING, 100);
	assert_state_ns(model, B, STATE_UNKNOWN, 600);
	assert_int_equal(gaps_missing_switches(&model->cpus[0].gaps), 1);
	assert_int_equal(model_missing_switches(model), 1);
	assert_gap(model, 0, 0, 0, 700);
	model_free(model);
}

/* Its own events tell since when it runs at the latest: since the first of them it does. */
static void test_any_event_tells_who_runs(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_mark_at(1100, 0, A, 1);
	feed_mark_at(1300, 0, B, 1);
	feed_wakeup_at(1400, 0, B, A, 1);
	feed_switch_at(1500, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 100);
	assert_state_ns(model, A, STATE_UNKNOWN, 300);
	assert_state_ns(model, A, STATE_RUNNABLE, 100);
	assert_state_ns(model, B, STATE_RUNNING, 200);
	assert_state_ns(model, B, STATE_UNKNOWN, 300);
	assert_gap(model, 0, 0, 100, 300);
	model_free(model);
}

/* It left a CPU, and that shows on another one: the gap lasts until the first one tells who runs. */
static void test_runs_elsewhere(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_mark_at(1600, 0, 0, 1);
	model = script_end();

	assert_state_ns(model, A, STATE_UNKNOWN, 300);
	assert_state_ns(model, A, STATE_RUNNING, 300);
	assert_int_equal(model_missing_switches(model), 1);
	assert_gap(model, 0, 0, 0, 600);
	model_free(model);
}

/* Only who does not run can be moved. */
static void test_runner_is_moved(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_mark_at(1200, 0, A, 1);
	feed_migrate_at(1300, 1, B, A, 1);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 200);
	assert_state_ns(model, A, STATE_UNKNOWN, 100);
	assert_gap(model, 0, 0, 200, 300);
	model_free(model);
}

/* Who waits in the queue of a CPU that misses a switch may have been what came and went. */
static void test_queue_of_a_gap(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, B, A, TRACE_OUT_RUNNABLE);
	feed_mark_at(1100, 0, A, 1);
	feed_switch_at(1300, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, B, STATE_PREEMPTED, 100);
	assert_state_ns(model, B, STATE_UNKNOWN, 200);
	assert_state_ns(model, B, STATE_RUNNING, 100);
	model_free(model);
}

/* In a trace that has wakeups, a sleeper that runs without one was woken at any time. */
static void test_wakeup_is_missing(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, A, B, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1100, 0, B, A, 0);
	feed_switch_at(1200, 0, B, A, TRACE_OUT_SLEEPING);
	feed_switch_at(1500, 0, A, B, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, B, STATE_SLEEPING, 0);
	assert_state_ns(model, B, STATE_UNKNOWN, 300);
	/* It is no switch. */
	assert_int_equal(model_missing_switches(model), 0);
	model_free(model);
}

/* Whoever began to wake it found it asleep; if events were lost, the wakeup may be one of them. */
static void test_wakeup_is_missing_since(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, A, B, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1100, 0, B, A, 0);
	feed_switch_at(1200, 0, B, A, TRACE_OUT_SLEEPING);
	feed_waking_at(1350, 0, A, B);
	feed_switch_at(1500, 0, A, B, TRACE_OUT_SLEEPING);
	feed_lost_at(1800, 1, 1700, 3);
	feed_switch_at(1900, 0, B, A, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, B, STATE_SLEEPING, 150);
	assert_state_ns(model, B, STATE_UNKNOWN, 150);
	assert_state_ns(model, A, STATE_SLEEPING, 100 + 200);
	assert_state_ns(model, A, STATE_UNKNOWN, 200);
	model_free(model);
}

/* A sample may come in the middle of a switch: who leaves is the kernel's current task still. */
static void test_sample_within_a_switch(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, 1, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, B, TRACE_OUT_DEAD);
	feed_sample_at(1150, 0, A, 0, 100, 1);
	feed_mark_at(1200, 0, B, 1);
	model = script_end();

	assert_int_equal(model_missing_switches(model), 0);
	assert_int_equal(model->samples.thread[0], thread_of(model, A, 0));
	assert_state_ns(model, B, STATE_RUNNING, 100);
	model_free(model);
}

/* Once the switch is over, it is evidence. */
static void test_sample_behind_a_switch(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_pmu_event_at(1000, 0, 1, 100, 0);
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_mark_at(1200, 0, B, 1);
	feed_sample_at(1250, 0, A, 0, 100, 1);
	model = script_end();

	assert_gap(model, 0, 0, 200, 250);
	model_free(model);
}

/* An interrupt while somebody runs who was not seen to come, and one that finds him still there. */
static void test_others_tell_who_runs(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_other_at(1100, 0, A, false);
	feed_other_at(1300, 0, B, false);
	feed_other_at(1400, 0, B, false);
	feed_switch_at(1600, 0, A, B, TRACE_OUT_RUNNABLE);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 100);
	assert_state_ns(model, B, STATE_RUNNING, 100);
	assert_int_equal(model_missing_switches(model), 2);
	assert_gap(model, 0, 0, 100, 300);
	assert_gap(model, 0, 1, 400, 600);
	model_free(model);
}

/* Before a switch is done, the kernel's events name who leaves, however long that takes. */
static void test_others_within_a_switch(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_other_at(1050, 0, 0, true);
	feed_switch_at(1100, 0, A, B, TRACE_OUT_DEAD);
	feed_other_at(1101, 0, A, true);
	feed_other_at(1150, 0, A, true);
	feed_other_at(1200, 0, B, false);
	model = script_end();

	assert_int_equal(model_missing_switches(model), 0);
	assert_state_ns(model, A, STATE_RUNNING, 100);
	assert_state_ns(model, B, STATE_RUNNING, 100);
	model_free(model);
}

/*
 * Of a switch that is missing such events may be all that is left: they do not show that A still runs,
 * nor B. (In truth A left at 1300, and B at 1600.)
 */
static void test_others_of_a_missing_switch(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_other_at(1200, 0, A, false);
	feed_other_at(1301, 0, A, true);
	feed_other_at(1601, 0, B, true);
	feed_other_at(1700, 0, 0, false);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNING, 200);
	assert_int_equal(model_missing_switches(model), 1);
	assert_gap(model, 0, 0, 200, 700);
	model_free(model);
}

/* Once the next one was seen to run, who left is not named any more but if he is back. */
static void test_others_behind_a_switch(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_other_at(1200, 0, B, false);
	feed_other_at(1300, 0, A, true);
	feed_other_at(1400, 0, A, false);
	feed_mark_at(1500, 0, A, 1);
	model = script_end();

	assert_state_ns(model, B, STATE_RUNNING, 100);
	assert_state_ns(model, A, STATE_RUNNING, 100 + 100);
	assert_gap(model, 0, 0, 200, 400);
	model_free(model);
}

/* A trace does not begin with them. */
static void test_others_first(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_other_at(500, 0, A, false);
	feed_switch_at(1000, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_other_at(1300, 0, 0, false);
	model = script_end();

	assert_int_equal(model->start_ns, 1000);
	assert_int_equal(model->duration_ns, 300);
	assert_int_equal(model_missing_switches(model), 0);
	model_free(model);
}

/* An exec gives a thread its process's tid: it is no other one that runs. */
static void test_exec_is_no_contradiction(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_mark_of_process_at(1000, 0, B, A);
	feed_exec_at(1100, 0, A, B, 1);
	feed_mark_at(1200, 0, A, 1);
	model = script_end();

	assert_int_equal(model_missing_switches(model), 0);
	assert_state_ns(model, A, STATE_RUNNING, 200);
	model_free(model);
}

/* CPU 1 has no event; as the trace tells when it is gone through ahead, a thread is put there. */
static void silence_cpu_1(struct model_builder *builder, uint64_t used_ns, uint64_t last_ns)
{
	struct trace_event event = { .time_ns = used_ns, .kind = TRACE_WAKEUP };

	event.wakeup.wakee_tid = A;
	event.wakeup.target_cpu = 1;
	builder->cpus[1].is_silent = true;
	silent_note(builder, &event);
	silent_settle(builder, last_ns);
}

/* CPU 1 tells nothing, but A was put there: who knows what ran on it. */
static void test_silent_cpu(void **state)
{
	struct model_builder *builder = script_begin();
	struct model *model;

	(void)state;
	feed_mark_at(1000, 1, 0, 1);
	silence_cpu_1(builder, 100000000, 300000000);
	feed_switch_at(1000, 0, A, B, TRACE_OUT_SLEEPING);
	feed_wakeup_at(100000000, 0, B, A, 1);
	feed_switch_at(200000000, 0, B, A, TRACE_OUT_SLEEPING);
	feed_mark_at(300000000, 0, A, 1);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNABLE, 0);
	assert_state_ns(model, B, STATE_SLEEPING, 0);
	assert_int_equal(gaps_missing_switches(&model->cpus[1].gaps), 1);
	assert_int_equal(gaps_missing_switches(&model->cpus[0].gaps), 0);
	model_free(model);
}

/* As the trace ends, a CPU that was idle all the time may just be about to switch. */
static void test_silent_cpu_at_the_end(void **state)
{
	struct model_builder *builder = script_begin();
	struct model *model;

	(void)state;
	feed_mark_at(1000, 1, 0, 1);
	silence_cpu_1(builder, 1100, 1200);
	feed_switch_at(1000, 0, A, B, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1100, 0, B, A, 1);
	feed_mark_at(1200, 0, B, 1);
	model = script_end();

	assert_state_ns(model, A, STATE_RUNNABLE, 100);
	assert_int_equal(model_missing_switches(model), 0);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_switch_out_of_idle),
		cmocka_unit_test(test_any_event_tells_who_runs),
		cmocka_unit_test(test_runs_elsewhere),
		cmocka_unit_test(test_runner_is_moved),
		cmocka_unit_test(test_queue_of_a_gap),
		cmocka_unit_test(test_wakeup_is_missing),
		cmocka_unit_test(test_wakeup_is_missing_since),
		cmocka_unit_test(test_sample_within_a_switch),
		cmocka_unit_test(test_sample_behind_a_switch),
		cmocka_unit_test(test_others_tell_who_runs),
		cmocka_unit_test(test_others_within_a_switch),
		cmocka_unit_test(test_others_of_a_missing_switch),
		cmocka_unit_test(test_others_behind_a_switch),
		cmocka_unit_test(test_others_first),
		cmocka_unit_test(test_exec_is_no_contradiction),
		cmocka_unit_test(test_silent_cpu),
		cmocka_unit_test(test_silent_cpu_at_the_end),
	};

	return RUN_IN_WINDOWS(tests);
}
