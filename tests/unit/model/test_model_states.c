// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * States of threads and slices of CPUs, from hand-made events. A script starts at 1000 ns, so that
 * model times (which start at 0) are not mixed up with the trace's.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "events.h"
#include "model_check.h"
#include "model/account.h"

#define A 101
#define B 102
#define C 103

#define COMM_OLD 7u
#define COMM_NEW 8u

/* Row @row of the thread: state, where, since when. */
static void assert_row(const struct model *model, uint32_t thread, size_t row, uint64_t start_ns,
		       enum thread_state state, int cpu)
{
	const struct state_table *states = &model->threads[thread].states;

	assert_in_range(row, 0, states->nr - 1);
	assert_string_equal(thread_state_name(states->state[row]), thread_state_name(state));
	assert_int_equal(states->start_ns[row], start_ns);
	assert_int_equal(states->cpu[row], cpu);
}

static void assert_rows(const struct model *model, uint32_t thread, size_t nr)
{
	assert_int_equal(model->threads[thread].states.nr, nr);
}

static void assert_state_ns(const struct model *model, uint32_t thread, enum thread_state state,
			    uint64_t expected_ns)
{
	struct thread_account account;

	model_account(model, thread, 0, model->duration_ns, &account);
	assert_int_equal(account.state_ns[state], expected_ns);
}

static void test_one_life(void **state)
{
	struct model *model;
	uint32_t a, b;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_fork_at(1100, 0, A, B, true);
	feed_wakeup_new_at(1110, 0, A, B, 1);
	feed_switch_at(1150, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1400, 0, A, B, 1);
	feed_switch_at(1450, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1500, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(1600, 0, A, 0, TRACE_OUT_UNINTERRUPTIBLE);
	feed_wakeup_at(1990, 0, 0, A, 0);
	feed_switch_at(2000, 0, 0, A, TRACE_OUT_RUNNABLE);
	model = script_end();

	a = thread_of(model, A, 0);
	b = thread_of(model, B, 0);
	assert_int_equal(model->nr_threads, 2);
	assert_int_equal(model->start_ns, 1000);
	assert_int_equal(model->duration_ns, 1000);
	assert_int_equal(model->threads[b].parent, a);
	assert_rows(model, b, 6);
	assert_row(model, b, 0, 100, STATE_RUNNABLE, 1);
	assert_row(model, b, 1, 150, STATE_RUNNING, 1);
	assert_row(model, b, 2, 300, STATE_SLEEPING, 1);
	assert_row(model, b, 3, 400, STATE_RUNNABLE, 1);
	assert_row(model, b, 4, 450, STATE_RUNNING, 1);
	assert_row(model, b, 5, 500, STATE_DEAD, 1);
	assert_row(model, a, 1, 600, STATE_UNINTERRUPTIBLE, 0);
	assert_row(model, a, 2, 990, STATE_RUNNABLE, 0);
	assert_row(model, a, 3, 1000, STATE_RUNNING, 0);
	assert_state_ns(model, b, STATE_UNKNOWN, 100);
	assert_state_ns(model, b, STATE_DEAD, 500);
	assert_int_equal(model->cpus[1].slices.nr, 2);
	assert_int_equal(model->cpus[1].slices.end_state[0], STATE_SLEEPING);
	assert_int_equal(model->cpus[1].slices.end_state[1], STATE_DEAD);
	assert_int_equal(model->wakeups.nr, 3);
	assert_int_equal(model->wakeups.waker[1], a);
	assert_int_equal(model->wakeups.wakee[1], b);
	assert_int_equal(model->migrations.nr, 0);
	assert_int_equal(model->nr_switches, 7);
	model_free(model);
}

static void test_idle_is_no_thread(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_wakeup_at(1010, 1, 0, B, 1);
	feed_wakeup_at(1020, 1, 0, 0, 1);
	feed_migrate_at(1030, 1, 0, 0, 1);
	feed_begin_at(1040, 1, 0, 1, TRACE_SPAN_WORK);
	feed_exit_at(1050, 1, 0);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_int_equal(model->nr_threads, 2);
	assert_int_equal(model->wakeups.nr, 1);
	assert_int_equal(model->wakeups.waker[0], MODEL_NO_THREAD);
	model_free(model);
}

static void test_preempted_is_not_blocked(void **state)
{
	struct model *model;
	struct thread_account account;
	uint32_t a;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, B, TRACE_OUT_RUNNABLE);
	/* It waits for a CPU already: nothing to wake. */
	feed_wakeup_at(1120, 0, B, A, 0);
	feed_switch_at(1200, 0, B, A, TRACE_OUT_STOPPED);
	/* It runs: a wakeup that came before it went to sleep. */
	feed_wakeup_at(1220, 1, C, A, 0);
	feed_switch_at(1300, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	a = thread_of(model, A, 0);
	assert_rows(model, a, 4);
	assert_row(model, a, 1, 100, STATE_PREEMPTED, 0);
	assert_row(model, a, 2, 200, STATE_RUNNING, 0);
	assert_row(model, thread_of(model, B, 0), 1, 200, STATE_STOPPED, 0);
	assert_int_equal(model->wakeups.nr, 0);
	model_account(model, a, 0, model->duration_ns, &account);
	assert_int_equal(account.nr_switches, 2);
	assert_int_equal(account.nr_preemptions, 1);
	assert_int_equal(account.state_ns[STATE_PREEMPTED], 100);
	model_free(model);
}

static void test_missing_wakeup(void **state)
{
	struct model *model;
	uint32_t a;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1300, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	a = thread_of(model, A, 0);
	assert_state_ns(model, a, STATE_SLEEPING, 200);
	assert_state_ns(model, a, STATE_RUNNABLE, 0);
	assert_state_ns(model, a, STATE_RUNNING, 200);
	model_free(model);
}

static void test_wakeup_before_first_sight(void **state)
{
	struct model *model;
	uint32_t b;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_wakeup_at(1100, 0, A, B, 1);
	feed_switch_at(1130, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1200, 1, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	b = thread_of(model, B, 0);
	assert_row(model, b, 0, 100, STATE_RUNNABLE, 1);
	assert_state_ns(model, b, STATE_UNKNOWN, 100);
	assert_state_ns(model, b, STATE_RUNNABLE, 30);
	assert_state_ns(model, b, STATE_RUNNING, 70);
	model_free(model);
}

/* Who ran when the trace began shows by any event it leaves, at the latest as it is switched out. */
static void test_running_at_the_start(void **state)
{
	struct model *model;
	struct thread_account account;

	(void)state;
	script_begin();
	feed_wakeup_at(1000, 0, A, C, 0);
	feed_begin_at(1050, 1, B, 1, TRACE_SPAN_WORK);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1200, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_switch_at(1300, 2, 104, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, thread_of(model, A, 0), STATE_RUNNING, 100);
	assert_state_ns(model, thread_of(model, B, 0), STATE_UNKNOWN, 50);
	assert_state_ns(model, thread_of(model, B, 0), STATE_RUNNING, 150);
	assert_state_ns(model, thread_of(model, 104, 0), STATE_UNKNOWN, 300);
	model_account(model, thread_of(model, 104, 0), 0, model->duration_ns, &account);
	assert_int_equal(account.nr_switches, 1);
	model_free(model);
}

/* Each slice has that of the switch it began with; of one whose begin was not seen it is not known. */
static void test_priorities(void **state)
{
	const uint8_t low = 139 + TRACE_PRIORITY_OFFSET, high = 0 + TRACE_PRIORITY_OFFSET;
	const struct slice_table *slices;
	struct model *model;

	(void)state;
	script_begin();
	feed_begin_at(1000, 0, A, 1, TRACE_SPAN_WORK);
	feed_switch_with(1100, 0, A, B, TRACE_OUT_RUNNABLE, low);
	feed_switch_with(1200, 0, B, A, TRACE_OUT_RUNNABLE, high);
	feed_switch_with(1300, 0, A, B, TRACE_OUT_SLEEPING, high);
	feed_begin_at(1400, 0, C, 1, TRACE_SPAN_WORK);
	feed_switch_with(1500, 0, C, 0, TRACE_OUT_SLEEPING, low);
	model = script_end();

	slices = &model->cpus[0].slices;
	assert_int_equal(slices->nr, 4);
	assert_int_equal(slices->priority[0], TRACE_PRIORITY_UNKNOWN);
	assert_int_equal(slices->priority[1], low);
	assert_int_equal(slices->priority[2], high);
	assert_int_equal(slices->thread[3], thread_of(model, C, 0));
	assert_int_equal(slices->priority[3], TRACE_PRIORITY_UNKNOWN);
	model_free(model);
}

static void test_outlives_the_trace(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_mark_at(1500, 0, A, 3);
	model = script_end();

	assert_state_ns(model, thread_of(model, A, 0), STATE_RUNNING, 500);
	assert_state_ns(model, thread_of(model, B, 0), STATE_SLEEPING, 400);
	assert_int_equal(model->cpus[0].slices.nr, 1);
	assert_int_equal(model->cpus[0].slices.end_ns[0], 500);
	assert_int_equal(model->cpus[0].slices.end_state[0], STATE_RUNNING);
	model_free(model);
}

static void test_tid_reuse(void **state)
{
	struct model *model;
	uint32_t first, second;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_fork_at(1010, 0, A, B, false);
	feed_switch_at(1020, 0, A, B, TRACE_OUT_SLEEPING);
	feed_exit_at(1100, 0, B);
	feed_switch_at(1110, 0, B, A, TRACE_OUT_DEAD);
	feed_fork_at(1200, 0, A, B, false);
	feed_switch_at(1210, 0, A, B, TRACE_OUT_SLEEPING);
	feed_switch_at(1300, 0, B, 0, TRACE_OUT_DEAD);
	/* And a third time; its creation was not seen. */
	feed_switch_at(1400, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1450, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_int_equal(model->nr_threads, 4);
	first = thread_of(model, B, 0);
	second = thread_of(model, B, 1);
	assert_state_ns(model, first, STATE_RUNNING, 90);
	assert_state_ns(model, first, STATE_DEAD, 340);
	assert_state_ns(model, second, STATE_RUNNING, 90);
	assert_state_ns(model, second, STATE_UNKNOWN, 200);
	assert_state_ns(model, thread_of(model, B, 2), STATE_RUNNING, 50);
	model_free(model);
}

/* The tid's first owner was not seen to end; it must have, for the kernel gave its tid away. */
static void test_tid_reuse_without_exit(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, B, TRACE_OUT_RUNNABLE);
	feed_begin_at(1010, 0, B, 1, TRACE_SPAN_WORK);
	feed_switch_at(1100, 0, B, A, TRACE_OUT_SLEEPING);
	feed_fork_at(1200, 0, A, B, false);
	feed_switch_at(1300, 0, A, B, TRACE_OUT_SLEEPING);
	feed_switch_at(1400, 0, B, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_state_ns(model, thread_of(model, B, 0), STATE_UNKNOWN, 200);
	assert_state_ns(model, thread_of(model, B, 0), STATE_RUNNING, 100);
	assert_int_equal(model->threads[thread_of(model, B, 0)].spans.end_ns[0], 200);
	assert_int_equal(model->threads[thread_of(model, B, 0)].spans.flags[0], SPAN_OPEN_END);
	assert_state_ns(model, thread_of(model, B, 1), STATE_RUNNING, 100);
	model_free(model);
}

static void test_renames(void **state)
{
	struct model *model;
	const struct thread *a;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_begin_at(1010, 0, A, 1, TRACE_SPAN_WORK);
	feed_rename_at(1020, 0, A, A, COMM_OLD);
	feed_exec_at(1030, 0, A, A, COMM_NEW);
	/* It names somebody of whom nothing is known. */
	feed_rename_at(1040, 0, A, B, COMM_OLD);
	/* The program's path did not tell (fexecve): the name stays. */
	feed_exec_at(1050, 0, A, A, TRACE_NO_STRING);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_int_equal(model->nr_threads, 1);
	a = &model->threads[thread_of(model, A, 0)];
	assert_int_equal(a->comm, COMM_NEW);
	assert_int_equal(a->tgid, A);
	/* What the old program had begun ended with it. */
	assert_int_equal(a->spans.end_ns[0], 30);
	assert_int_equal(a->spans.flags[0], SPAN_OPEN_END);
	model_free(model);
}

/* B, a thread of A's process, execs: the kernel ends A, and B goes on as A. */
static void exec_by_other(bool switched_before_the_event)
{
	struct model *model;
	uint32_t leader, other;

	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_exec_at(1010, 0, A, A, COMM_OLD);
	feed_fork_at(1020, 0, A, B, true);
	feed_switch_at(1030, 0, A, B, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1040, 0, B, A, 1);
	feed_switch_at(1050, 1, 0, A, TRACE_OUT_RUNNABLE);
	feed_exit_at(1060, 1, A);
	feed_switch_at(1070, 1, A, 0, TRACE_OUT_DEAD);
	if (switched_before_the_event) {
		feed_switch_at(1100, 0, A, 0, TRACE_OUT_UNINTERRUPTIBLE);
		feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	}
	feed_exec_at(1300, 0, A, B, COMM_NEW);
	feed_switch_at(1400, 0, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	assert_int_equal(model->nr_threads, 2);
	leader = thread_of(model, A, 0);
	other = thread_of(model, A, 1);
	assert_state_ns(model, leader, STATE_RUNNING, 30 + 20);
	assert_state_ns(model, leader, STATE_DEAD, 330);
	assert_state_ns(model, other, STATE_RUNNING, switched_before_the_event ? 70 + 200 : 370);
	assert_int_equal(model->threads[other].comm, COMM_NEW);
	assert_int_equal(model->threads[other].tgid, A);
	model_free(model);
}

static void test_exec_by_another_thread(void **state)
{
	(void)state;
	exec_by_other(false);
}

static void test_exec_by_another_thread_switched_early(void **state)
{
	(void)state;
	exec_by_other(true);
}

static void test_migrations(void **state)
{
	const struct migration_table *migrations;
	struct thread_account account;
	struct model *model;
	uint32_t a;

	(void)state;
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1100, 0, A, 0, TRACE_OUT_RUNNABLE);
	/* Moved twice while it waits: only where it runs next counts. */
	feed_migrate_at(1120, 1, 0, A, 1);
	feed_migrate_at(1130, 2, 0, A, 2);
	feed_switch_at(1200, 2, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1300, 2, A, 0, TRACE_OUT_SLEEPING);
	/* Moved and moved back: no migration. */
	feed_migrate_at(1310, 1, 0, A, 1);
	feed_wakeup_at(1320, 1, 0, A, 1);
	feed_migrate_at(1330, 2, 0, A, 2);
	feed_switch_at(1400, 2, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(1500, 2, A, 0, TRACE_OUT_SLEEPING);
	model = script_end();

	a = thread_of(model, A, 0);
	migrations = &model->migrations;
	assert_int_equal(migrations->nr, 1);
	assert_int_equal(migrations->time_ns[0], 200);
	assert_int_equal(migrations->left_ns[0], 100);
	assert_int_equal(migrations->from_cpu[0], 0);
	assert_int_equal(migrations->to_cpu[0], 2);
	assert_int_equal(migrations->thread[0], a);
	assert_row(model, a, 1, 100, STATE_PREEMPTED, 2);
	model_account(model, a, 0, 200, &account);
	assert_int_equal(account.nr_migrations, 0);
	model_account(model, a, 200, 201, &account);
	assert_int_equal(account.nr_migrations, 1);
	model_free(model);
}

/* Enough rows for several checkpoints; check_model() compares with a plain sum. */
static void test_account_of_many_rows(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	for (uint64_t i = 0; i < 500; i++) {
		uint64_t now = 1000 + i * 10;
		int cpu = i % 3 == 0;

		feed_switch_at(now, cpu, 0, A, TRACE_OUT_RUNNABLE);
		feed_switch_at(now + 4, cpu, A, 0, i % 2 ? TRACE_OUT_RUNNABLE : TRACE_OUT_SLEEPING);
	}
	model = script_end();

	assert_int_equal(model->threads[0].states.nr, 1000);
	assert_state_ns(model, 0, STATE_RUNNING, 2000);
	model_free(model);
}

static struct model *session_script(bool annotates, bool marked)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE); /* annotates */
	if (annotates)
		feed_mark_at(1010, 0, A, 1);
	feed_fork_at(1020, 0, A, B, true); /* its thread */
	feed_switch_at(1030, 0, A, C, TRACE_OUT_SLEEPING); /* somebody else */
	feed_switch_at(1040, 0, C, 2, TRACE_OUT_SLEEPING); /* kthreadd */
	feed_fork_at(1050, 0, 2, 104, false); /* a thread of the kernel */
	feed_switch_at(1060, 0, 2, 105, TRACE_OUT_SLEEPING); /* execs */
	if (marked)
		feed_session_at(1065, 0, 105);
	feed_exec_at(1070, 0, 105, 105, COMM_NEW);
	feed_fork_at(1080, 0, 105, 106, false);
	return script_end();
}

static void assert_session(const struct model *model, bool a, bool b, bool c, bool execed)
{
	assert_int_equal(model->threads[thread_of(model, A, 0)].in_session, a);
	assert_int_equal(model->threads[thread_of(model, B, 0)].in_session, b);
	assert_int_equal(model->threads[thread_of(model, C, 0)].in_session, c);
	assert_false(model->threads[thread_of(model, 2, 0)].in_session);
	assert_false(model->threads[thread_of(model, 104, 0)].in_session);
	assert_int_equal(model->threads[thread_of(model, 105, 0)].in_session, execed);
	assert_int_equal(model->threads[thread_of(model, 106, 0)].in_session, execed);
	assert_int_equal(model->threads[thread_of(model, 106, 0)].tgid, 106);
}

/* The command of annot record, whoever else annotates or begins. */
static void test_session_of_command(void **state)
{
	struct model *model = session_script(true, true);

	(void)state;
	assert_session(model, false, false, false, true);
	model_free(model);
}

static void test_session_of_annotators(void **state)
{
	struct model *model = session_script(true, false);

	(void)state;
	assert_session(model, true, true, false, false);
	model_free(model);
}

static void test_session_of_the_new(void **state)
{
	struct model *model = session_script(false, false);

	(void)state;
	assert_session(model, false, true, false, true);
	model_free(model);
}

/* One thread annotates: the process's other threads are of the session, older ones too. */
static void test_session_is_of_processes(void **state)
{
	struct model *model;

	(void)state;
	script_begin();
	feed_fork_at(1000, 0, A, B, true);
	feed_switch_at(1010, 0, A, B, TRACE_OUT_RUNNABLE);
	feed_mark_of_process_at(1020, 0, B, A);
	feed_switch_at(1030, 0, B, C, TRACE_OUT_RUNNABLE);
	model = script_end();

	assert_true(model->threads[thread_of(model, A, 0)].in_session);
	assert_true(model->threads[thread_of(model, B, 0)].in_session);
	assert_false(model->threads[thread_of(model, C, 0)].in_session);
	model_free(model);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_life),
		cmocka_unit_test(test_idle_is_no_thread),
		cmocka_unit_test(test_preempted_is_not_blocked),
		cmocka_unit_test(test_missing_wakeup),
		cmocka_unit_test(test_wakeup_before_first_sight),
		cmocka_unit_test(test_running_at_the_start),
		cmocka_unit_test(test_priorities),
		cmocka_unit_test(test_outlives_the_trace),
		cmocka_unit_test(test_tid_reuse),
		cmocka_unit_test(test_tid_reuse_without_exit),
		cmocka_unit_test(test_renames),
		cmocka_unit_test(test_exec_by_another_thread),
		cmocka_unit_test(test_exec_by_another_thread_switched_early),
		cmocka_unit_test(test_migrations),
		cmocka_unit_test(test_account_of_many_rows),
		cmocka_unit_test(test_session_of_command),
		cmocka_unit_test(test_session_of_annotators),
		cmocka_unit_test(test_session_of_the_new),
		cmocka_unit_test(test_session_is_of_processes),
	};

	return RUN_IN_WINDOWS(tests);
}
