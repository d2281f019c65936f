// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c */
/*
 * Time that threads spin, what others lose by it, and last threads that have no CPU meanwhile, from made-up events.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/spinning/spinning_findings.h"
#include "events.h"

#define A 101
#define B 102
#define C 103
#define STRANGER 50
#define SOLVE 11u
#define BARRIER 12u
#define LOCK 13u
#define PROGRAM 14u
#define OTHER_PROGRAM 15u

struct fixture {
	struct trace *trace; /* only so that there are strings */
	struct model *model;
	struct barriers barriers;
	struct spinning spinning;
	struct spin_stragglers stragglers;
	struct findings findings;
};

static struct fixture look_at(struct model *model)
{
	struct fixture fixture = { .model = model };

	assert_int_equal(trace_open("tests/data/scene-quiet.dat", &fixture.trace), 0);
	model->trace = fixture.trace;
	fixture.barriers = barriers_compute(model);
	fixture.spinning = spinning_compute(model, &fixture.barriers);
	fixture.stragglers = spin_stragglers_compute(model, &fixture.barriers, &fixture.spinning);
	fixture.findings = findings_new(model);
	spinning_add_findings(model, &fixture.spinning, &fixture.findings);
	spin_stragglers_add_findings(model, &fixture.spinning.programs, &fixture.stragglers,
				     &fixture.findings);
	return fixture;
}

static void done_with(struct fixture *fixture)
{
	findings_free(&fixture->findings);
	spin_stragglers_free(&fixture->stragglers);
	spinning_free(&fixture->spinning);
	barriers_free(&fixture->barriers);
	model_free(fixture->model);
	trace_close(fixture->trace);
}

/* A on CPU 0 and B on CPU 1, threads of one process. */
static void begin_two(void)
{
	script_begin();
	feed_switch_at(1000, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_session_at(1000, 0, A);
	feed_mark_of_process_at(1000, 0, A, A);
	feed_rename_at(1000, 0, A, A, PROGRAM);
	feed_fork_at(1000, 0, A, B, true);
	feed_switch_at(1000, 1, 0, B, TRACE_OUT_RUNNABLE);
}

/* C, a third one, which waits for CPU 0 from the start. */
static void begin_three(void)
{
	begin_two();
	feed_fork_at(1000, 0, A, C, true);
	feed_wakeup_new_at(1000, 0, A, C, 0);
}

/* Each round: both work, B for longer, and A spins for 400 of 1000. */
static uint64_t spin_round(uint64_t from_ns)
{
	feed_begin_at(from_ns, 0, A, SOLVE, TRACE_SPAN_WORK);
	feed_begin_at(from_ns, 1, B, SOLVE, TRACE_SPAN_WORK);
	feed_end_at(from_ns + 600, 0, A);
	feed_begin_at(from_ns + 600, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(from_ns + 1000, 1, B);
	feed_begin_at(from_ns + 1000, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(from_ns + 1000, 0, A);
	feed_end_at(from_ns + 1000, 1, B);
	return from_ns + 1000;
}

static void test_nobody_wants_the_cpu(void **state)
{
	struct fixture fixture;
	const struct spin_row *row;
	uint64_t now_ns = 1000;

	(void)state;
	begin_two();
	for (int round = 0; round < 10; round++)
		now_ns = spin_round(now_ns);
	feed_switch_at(now_ns, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 1, B, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.spinning.nr, 1);
	row = &fixture.spinning.rows[0];
	assert_int_equal(row->group.name, BARRIER);
	assert_int_equal(row->group.place, SOLVE);
	assert_true(row->group.is_after);
	assert_int_equal(row->nr_threads, 2);
	assert_int_equal(row->waits, 20);
	assert_int_equal(row->wait_ns, 4000);
	assert_int_equal(row->spun_ns, 4000);
	assert_int_equal(row->wanted_ns, 0);
	assert_int_equal(row->lost_ns, 0);
	assert_int_equal(fixture.stragglers.nr, 0);
	assert_int_equal(fixture.findings.nr, 1);
	assert_int_equal(fixture.findings.rows[0].kind, FINDING_SPIN_WASTE);
	assert_int_equal(fixture.findings.rows[0].time_lost_at_most_ns, 0);
	assert_int_equal(fixture.findings.rows[0].cpu_time_lost_ns, 4000);
	assert_int_equal(fixture.findings.rows[0].confidence, CONFIDENCE_HIGH);
	assert_non_null(strstr(fixture.findings.rows[0].text, ": 20 % of its CPU time"));
	done_with(&fixture);
}

/* In a lock inside of work, @times times; in all @spun_ns of 10000 of CPU time. */
static void check_share(uint64_t times, uint64_t spun_ns, bool wanted)
{
	struct fixture fixture;

	begin_two();
	feed_begin_at(1000, 0, A, SOLVE, TRACE_SPAN_WORK);
	for (uint64_t i = 0; i < times; i++) {
		feed_begin_at(2000 + 300 * i, 0, A, LOCK, TRACE_SPAN_WAIT);
		feed_end_at(2000 + 300 * i + spun_ns / times, 0, A);
	}
	feed_end_at(5000, 0, A);
	feed_switch_at(6000, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(6000, 1, B, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.spinning.rows[0].group.place, SOLVE);
	assert_false(fixture.spinning.rows[0].group.is_after);
	assert_int_equal(fixture.spinning.rows[0].spun_waits, times);
	assert_int_equal(fixture.spinning.cpu_ns[fixture.spinning.rows[0].group.program], 10000);
	assert_int_equal(fixture.findings.nr, wanted);
	done_with(&fixture);
}

static void test_share_of_cpu_time(void **state)
{
	(void)state;
	check_share(5, 990, false);
	check_share(5, 1000, true);
	check_share(4, 1000, false);
}

/* To go to sleep and come back takes a CPU, too. Beyond 200 us, or the sleep, it is spinning. */
static void check_sleeper(uint64_t before_ns, uint64_t asleep_ns, uint64_t wanted_ns)
{
	struct fixture fixture;

	begin_two();
	feed_begin_at(2000, 0, A, LOCK, TRACE_SPAN_WAIT);
	feed_switch_at(2000 + before_ns, 0, A, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(2000 + before_ns + asleep_ns, 1, B, A, 0);
	feed_switch_at(2000 + before_ns + asleep_ns, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_end_at(2010 + before_ns + asleep_ns, 0, A);
	feed_switch_at(9000000, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(9000000, 1, B, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.spinning.nr, wanted_ns > 0);
	if (wanted_ns)
		assert_int_equal(fixture.spinning.rows[0].spun_ns, wanted_ns);
	done_with(&fixture);
}

static void test_sleep_is_not_spinning(void **state)
{
	(void)state;
	check_sleeper(199000, 1000000, 0);
	check_sleeper(200000, 1000000, 200010);
	check_sleeper(900, 1000, 0);
	check_sleeper(1000, 1000, 1010);
}

/*
 * A, B and C come to one barrier. A spins from 1500 to 2200, and has CPU 0, for which C waits from the start on. C has it
 * from 2200, works for 300, and is last. Of the 1200 for which C waits, A spins for 700.
 */
static uint64_t starve(uint64_t from_ns)
{
	feed_begin_at(from_ns, 0, A, SOLVE, TRACE_SPAN_WORK);
	feed_begin_at(from_ns, 1, B, SOLVE, TRACE_SPAN_WORK);
	feed_end_at(from_ns + 500, 0, A);
	feed_begin_at(from_ns + 500, 0, A, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(from_ns + 1000, 1, B);
	feed_begin_at(from_ns + 1000, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_switch_at(from_ns + 1200, 0, A, C, TRACE_OUT_RUNNABLE);
	feed_begin_at(from_ns + 1200, 0, C, SOLVE, TRACE_SPAN_WORK);
	feed_end_at(from_ns + 1500, 0, C);
	feed_begin_at(from_ns + 1500, 0, C, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(from_ns + 1500, 0, C);
	feed_end_at(from_ns + 1510, 1, B);
	feed_switch_at(from_ns + 1510, 0, C, A, TRACE_OUT_RUNNABLE);
	feed_end_at(from_ns + 1520, 0, A);
	return from_ns + 1520;
}

static struct fixture starve_times(int rounds)
{
	uint64_t now_ns = 1000;

	begin_three();
	for (int round = 0; round < rounds; round++)
		now_ns = starve(now_ns);
	feed_switch_at(now_ns, 0, A, C, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 1, B, 0, TRACE_OUT_DEAD);
	feed_switch_at(now_ns, 0, C, 0, TRACE_OUT_DEAD);
	return look_at(script_end());
}

static void test_others_want_the_cpu(void **state)
{
	struct fixture fixture = starve_times(1);
	const struct spin_row *row = &fixture.spinning.rows[0];

	(void)state;
	assert_int_equal(fixture.spinning.nr, 1);
	/* A's own 700, 10 after the barrier let it go, and B's 500 + 10; A's 300 without a CPU are none. */
	assert_int_equal(row->spun_ns, 700 + 10 + 500 + 10);
	assert_int_equal(row->wait_ns, 1020 + 510);
	assert_int_equal(row->nr_threads, 3);
	/* C wants CPU 0. A, which has come, does not; once it may go on, nobody spins there. */
	assert_int_equal(row->wanted_ns, 700);
	assert_int_equal(row->shown_thread, thread_of(fixture.model, A, 0));
	assert_int_equal(row->shown_waiting, thread_of(fixture.model, C, 0));
	assert_int_equal(row->shown_cpu, 0);
	assert_int_equal(row->shown_from_ns, 500);
	assert_int_equal(row->shown_to_ns, 1200);
	/* Without A in the way, C would have come at 800 and not at 1500; but B came at 1000. */
	assert_int_equal(row->lost_ns, 500);
	done_with(&fixture);
}

static void test_straggler_without_cpu(void **state)
{
	struct fixture fixture = starve_times(1);
	const struct spin_straggler_row *row = &fixture.stragglers.rows[0];

	(void)state;
	assert_int_equal(fixture.stragglers.nr, 1);
	assert_int_equal(row->group.name, BARRIER);
	assert_int_equal(row->barriers, 1);
	assert_int_equal(row->times, 1);
	assert_int_equal(row->queued_ns, 700);
	/* A for 700, B for 200 of these. */
	assert_float_equal(spin_stragglers_spinners(row), 900.0 / 700, 1e-9);
	assert_int_equal(row->ran_ns[RUNNER_SPUN], 700);
	assert_int_equal(row->ran_ns[RUNNER_OWN], 0);
	assert_int_equal(row->ran_ns[RUNNER_OTHER], 0);
	assert_int_equal(row->lost_ns, 500);
	assert_int_equal(row->worst_thread, thread_of(fixture.model, C, 0));
	assert_int_equal(row->worst_by, thread_of(fixture.model, A, 0));
	assert_int_equal(row->worst_cpu, 0);
	assert_int_equal(row->worst_from_ns, 500);
	assert_int_equal(row->worst_to_ns, 1500);
	/* Once is chance. */
	for (size_t i = 0; i < fixture.findings.nr; i++)
		assert_int_not_equal(fixture.findings.rows[i].kind, FINDING_PREEMPTED_STRAGGLER);
	done_with(&fixture);
}

static void test_straggler_again_and_again(void **state)
{
	struct fixture fixture = starve_times(STRAGGLER_LEAST_TIMES);
	const struct finding *finding = NULL;

	(void)state;
	for (size_t i = 0; i < fixture.findings.nr; i++) {
		if (fixture.findings.rows[i].kind == FINDING_PREEMPTED_STRAGGLER)
			finding = &fixture.findings.rows[i];
	}
	assert_non_null(finding);
	assert_int_equal(finding->time_lost_ns, 500 * STRAGGLER_LEAST_TIMES);
	assert_int_equal(finding->threads[0], thread_of(fixture.model, C, 0));
	assert_int_equal(finding->threads[1], thread_of(fixture.model, A, 0));
	assert_non_null(strstr(finding->text, "threads that spun there themselves"));
	assert_int_equal(finding->cure.kind, CHANGE_NONE);
	done_with(&fixture);
}

/*
 * B is last: a stranger took its CPU for 500, for the last 300 of which A had come; then B worked for 100. A spins until
 * @until_ns, when a stranger takes its CPU, too, up to 1950.
 */
static struct fixture disturb(uint64_t until_ns)
{
	begin_two();
	feed_begin_at(1000, 0, A, SOLVE, TRACE_SPAN_WORK);
	feed_begin_at(1000, 1, B, SOLVE, TRACE_SPAN_WORK);
	feed_switch_at(1400, 1, B, STRANGER, TRACE_OUT_RUNNABLE);
	feed_rename_at(1400, 1, STRANGER, STRANGER, OTHER_PROGRAM);
	feed_end_at(1600, 0, A);
	feed_begin_at(1600, 0, A, BARRIER, TRACE_SPAN_WAIT);
	if (until_ns < 1900)
		feed_switch_at(until_ns, 0, A, STRANGER + 1, TRACE_OUT_RUNNABLE);
	feed_switch_at(1900, 1, STRANGER, B, TRACE_OUT_SLEEPING);
	if (until_ns < 1900)
		feed_switch_at(1950, 0, STRANGER + 1, A, TRACE_OUT_SLEEPING);
	feed_end_at(2000, 1, B);
	feed_begin_at(2000, 1, B, BARRIER, TRACE_SPAN_WAIT);
	feed_end_at(2000, 0, A);
	feed_end_at(2000, 1, B);
	feed_switch_at(3000, 0, A, 0, TRACE_OUT_DEAD);
	feed_switch_at(3000, 1, B, 0, TRACE_OUT_DEAD);
	return look_at(script_end());
}

static void test_straggler_of_a_stranger(void **state)
{
	(void)state;
	for (uint64_t until_ns = 1700; until_ns <= 1900; until_ns += 200) {
		struct fixture fixture = disturb(until_ns);
		const struct spin_straggler_row *row = &fixture.stragglers.rows[0];

		assert_int_equal(fixture.stragglers.nr, 1);
		assert_int_equal(row->queued_ns, until_ns - 1600);
		assert_float_equal(spin_stragglers_spinners(row), 1.0, 1e-9);
		assert_int_equal(row->ran_ns[RUNNER_OTHER], 300);
		assert_int_equal(row->lost_ns, until_ns - 1600);
		/* Nobody waits for the CPU on which A spins. */
		assert_int_equal(fixture.spinning.rows[0].wanted_ns, 0);
		done_with(&fixture);
	}
}

/* As often as it takes: without the stranger, that would not be. */
static void test_cure_of_a_stranger(void **state)
{
	struct fixture fixture = disturb(1900);
	const struct finding *finding;

	(void)state;
	fixture.stragglers.rows[0].times = STRAGGLER_LEAST_TIMES;
	spin_stragglers_add_findings(fixture.model, &fixture.spinning.programs, &fixture.stragglers,
				     &fixture.findings);
	finding = &fixture.findings.rows[fixture.findings.nr - 1];
	assert_int_equal(finding->kind, FINDING_PREEMPTED_STRAGGLER);
	assert_non_null(strstr(finding->text, "mostly other programs ran in its place"));
	assert_int_equal(finding->cure.kind, CHANGE_WITHOUT);
	assert_int_equal(finding->cure.name, OTHER_PROGRAM);
	done_with(&fixture);
}

/* Two threads wait for the CPU on which A spins: each would have had half of it. */
static void test_the_cpu_is_shared(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_two();
	feed_fork_at(1000, 0, A, C, true);
	feed_wakeup_new_at(1000, 0, A, C, 0);
	feed_begin_at(1000, 0, A, LOCK, TRACE_SPAN_WAIT);
	feed_begin_at(1000, 1, B, SOLVE, TRACE_SPAN_WORK);
	feed_switch_at(1100, 1, B, 0, TRACE_OUT_SLEEPING);
	feed_wakeup_at(1200, 0, A, B, 0);
	feed_end_at(2000, 0, A);
	feed_switch_at(2000, 0, A, B, TRACE_OUT_SLEEPING);
	feed_end_at(2100, 0, B);
	feed_switch_at(2100, 0, B, C, TRACE_OUT_DEAD);
	feed_begin_at(2100, 0, C, SOLVE, TRACE_SPAN_WORK);
	feed_end_at(3000, 0, C);
	feed_switch_at(3000, 0, C, 0, TRACE_OUT_DEAD);
	fixture = look_at(script_end());
	assert_int_equal(fixture.spinning.rows[0].spun_ns, 1000);
	assert_int_equal(fixture.spinning.rows[0].wanted_ns, 1000);
	/* C ends last, and would have had 200 and half of 800. */
	assert_int_equal(fixture.spinning.rows[0].lost_ns, 600);
	done_with(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nobody_wants_the_cpu),
		cmocka_unit_test(test_share_of_cpu_time),
		cmocka_unit_test(test_sleep_is_not_spinning),
		cmocka_unit_test(test_others_want_the_cpu),
		cmocka_unit_test(test_straggler_without_cpu),
		cmocka_unit_test(test_straggler_again_and_again),
		cmocka_unit_test(test_straggler_of_a_stranger),
		cmocka_unit_test(test_cure_of_a_stranger),
		cmocka_unit_test(test_the_cpu_is_shared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
