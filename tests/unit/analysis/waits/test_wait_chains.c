// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/events.c tests/lib/model_check.c tests/lib/any_events.c */
/*
 * Wait chains of hand-made events: who waits for whom, who waits for what, and that nothing remains.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "analysis/waits/wait_chains.h"
#include "any_events.h"
#include "events.h"
#include "trace/event.h"

#define A 101
#define B 102
#define C 103
#define FUTEX 11u
#define PIPE 12u
#define DISK 13u
#define FRAMES 21u
#define LOOP 31u
#define IO 32u
#define IRQ 41u

struct fixture {
	struct model *model;
	struct task_stats *stats;
	struct wait_chains chains;
};

/* Whatever the chains are, they add up to the time that threads were blocked. */
static void check_sums(const struct fixture *fixture)
{
	uint64_t blocked_ns = 0, chains_ns = 0, ends_ns = 0;

	for (size_t i = 0; i < fixture->model->nr_threads; i++) {
		const struct state_table *states = &fixture->model->threads[i].states;

		if (!fixture->model->threads[i].in_session)
			continue;
		for (size_t row = 0; row < states->nr; row++) {
			if (states->state[row] == STATE_SLEEPING ||
			    states->state[row] == STATE_UNINTERRUPTIBLE ||
			    states->state[row] == STATE_STOPPED)
				blocked_ns += states->start_ns[row + 1] - states->start_ns[row];
		}
	}
	for (size_t i = 0; i < fixture->chains.nr; i++)
		chains_ns += fixture->chains.chains[i].ns;
	for (int kind = 0; kind < NR_WAIT_LINK_KINDS; kind++)
		ends_ns += fixture->chains.end_ns[kind];
	assert_int_equal(fixture->chains.blocked_ns, blocked_ns);
	assert_int_equal(chains_ns, blocked_ns);
	assert_int_equal(ends_ns, blocked_ns);
}

static struct fixture look_at_locks(struct model *model, struct lock_contention_part *parts,
				    size_t nr)
{
	const struct lock_contention locks = { .nr_parts = nr, .parts = parts };
	struct fixture fixture = { .model = model, .stats = task_stats_compute(model) };

	fixture.chains = wait_chains_compute(model, fixture.stats, &locks);
	if (fixture.chains.has_causes)
		check_sums(&fixture);
	return fixture;
}

static struct fixture look_at(struct model *model)
{
	return look_at_locks(model, NULL, 0);
}

static void done_with(struct fixture *fixture)
{
	wait_chains_free(&fixture->chains);
	task_stats_free(fixture->stats);
	model_free(fixture->model);
}

/* A link as the test tells it: of a thread, its tid is enough. */
struct expected_link {
	enum wait_link_kind kind;
	uint32_t word;
	uint32_t task;
};

static bool is_chain(const struct wait_chains *chains, const struct wait_chain *chain,
		     const struct expected_link *links, size_t nr)
{
	uint32_t at = chain->last;

	while (nr-- > 0) {
		const struct wait_link *link;

		if (at == NO_LINK)
			return false;
		link = &chains->links[at];
		if (link->kind != links[nr].kind || link->task != links[nr].task ||
		    (link->kind != LINK_THREAD && link->word != links[nr].word))
			return false;
		at = link->before;
	}
	return at == NO_LINK;
}

static const struct wait_chain *chain_of(const struct fixture *fixture,
					 const struct expected_link *links, size_t nr)
{
	for (size_t i = 0; i < fixture->chains.nr; i++) {
		if (is_chain(&fixture->chains, &fixture->chains.chains[i], links, nr))
			return &fixture->chains.chains[i];
	}
	fail_msg("no such chain of %zu links", nr);
	return NULL;
}

#define WAITED(cause)                \
	{                            \
		LINK_CAUSE, cause, 0 \
	}
#define FOR_IN(span)                 \
	{                            \
		LINK_THREAD, 0, span \
	}
#define END_BY(kind, name)    \
	{                     \
		kind, name, 0 \
	}
#define END(kind) END_BY(kind, 0)

#define CHAIN(fixture, ...)                                              \
	chain_of(fixture, (const struct expected_link[]){ __VA_ARGS__ }, \
		 sizeof((const struct expected_link[]){ __VA_ARGS__ }) / \
			 sizeof(struct expected_link))

static void expect_thread(const struct fixture *fixture, const struct wait_chain *chain, size_t at,
			  int32_t tid)
{
	assert_true(at < chain->nr_threads);
	assert_int_equal(fixture->model->threads[chain->threads[at]].tid, tid);
}

static void feed_sleep(uint64_t time_ns, int cpu, int32_t tid, uint32_t cause)
{
	feed_switch_at(time_ns, cpu, tid, 0, TRACE_OUT_SLEEPING);
	if (cause)
		feed_kernel_stack_at(time_ns + 1, cpu, tid, cause, FRAMES);
}

static void feed_wake(uint64_t time_ns, int cpu, int32_t waker, int32_t wakee)
{
	feed_waking_at(time_ns, cpu, waker, wakee);
	feed_wakeup_at(time_ns, cpu, waker, wakee, wakee - A);
}

/* A on CPU 0, B on CPU 1, C on CPU 2: all run from 1000 on. */
static void begin_three(void)
{
	script_begin();
	for (int cpu = 0; cpu < 3; cpu++) {
		feed_session_at(1000, cpu, A + cpu);
		feed_switch_at(1000, cpu, 0, A + cpu, TRACE_OUT_RUNNABLE);
	}
}

static struct model *end_three(uint64_t time_ns)
{
	for (int cpu = 0; cpu < 3; cpu++)
		feed_switch_at(time_ns, cpu, A + cpu, 0, TRACE_OUT_RUNNABLE);
	return script_end();
}

/*
 *	A sleeps (futex) 1100 ............................................ 1900, woken by B
 *	B runs, sleeps (pipe) 1300 .................. 1700, woken by C; waits for its CPU until 1750; runs
 *	C runs, sleeps (disk) 1400 .... 1600, woken by an interrupt; waits for its CPU until 1620; runs
 */
static void test_three_deep(void **state)
{
	const struct wait_chain *chain;
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_sleep(1100, 0, A, FUTEX);
	feed_sleep(1300, 1, B, PIPE);
	feed_sleep(1400, 2, C, DISK);
	feed_interrupt_begin_at(1590, 2, 0, TRACE_HARDIRQ, IRQ, false);
	feed_wake(1600, 2, 0, C);
	feed_interrupt_end_at(1610, 2, 0, TRACE_HARDIRQ, IRQ);
	feed_switch_at(1620, 2, 0, C, TRACE_OUT_RUNNABLE);
	feed_wake(1700, 2, C, B);
	feed_switch_at(1750, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_wake(1900, 1, B, A);
	feed_switch_at(1910, 0, 0, A, TRACE_OUT_RUNNABLE);
	fixture = look_at(end_three(2000));
	/* B and C wait, too. */
	assert_int_equal(fixture.chains.blocked_ns, 800 + 400 + 200);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RAN))->ns, 200 + 150);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RUNNABLE))->ns, 50);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), WAITED(PIPE), FOR_IN(0),
			       END(LINK_RAN))
				 ->ns,
			 100 + 80);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), WAITED(PIPE), FOR_IN(0),
			       END(LINK_RUNNABLE))
				 ->ns,
			 20);
	chain = CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), WAITED(PIPE), FOR_IN(0), WAITED(DISK),
		      END_BY(LINK_INTERRUPT, IRQ));
	assert_int_equal(chain->ns, 200);
	assert_int_equal(chain->nr, 1);
	assert_int_equal(chain->longest_ns, 200);
	assert_int_equal(chain->longest_from_ns, 100);
	assert_int_equal(chain->longest_to_ns, 900);
	assert_int_equal(chain->nr_threads, 3);
	expect_thread(&fixture, chain, 0, A);
	expect_thread(&fixture, chain, 1, B);
	expect_thread(&fixture, chain, 2, C);
	assert_int_equal(CHAIN(&fixture, WAITED(PIPE), FOR_IN(0), WAITED(DISK),
			       END_BY(LINK_INTERRUPT, IRQ))
				 ->ns,
			 200);
	assert_int_equal(CHAIN(&fixture, WAITED(DISK), END_BY(LINK_INTERRUPT, IRQ))->ns, 200);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RUNNABLE))->nr_threads,
			 2);
	assert_int_equal(fixture.chains.end_ns[LINK_INTERRUPT], 600);
	done_with(&fixture);
}

/* B's sleep began before A's: only the part in which A slept counts. B is preempted for a while. */
static void test_part_of_a_wait(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_sleep(1050, 1, B, DISK);
	feed_sleep(1100, 0, A, FUTEX);
	feed_wake(1300, 1, 0, B);
	feed_switch_at(1300, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(1400, 1, B, C, TRACE_OUT_RUNNABLE);
	feed_switch_at(1440, 1, C, B, TRACE_OUT_RUNNABLE);
	feed_wake(1500, 1, B, A);
	feed_switch_at(1500, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 1, B, 0, TRACE_OUT_RUNNABLE);
	fixture = look_at(script_end());
	assert_int_equal(
		CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), WAITED(DISK), END(LINK_INTERRUPT))->ns,
		200);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_PREEMPTED))->ns, 40);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RAN))->ns, 160);
	assert_int_equal(CHAIN(&fixture, WAITED(DISK), END(LINK_INTERRUPT))->ns, 250);
	done_with(&fixture);
}

/* Three times, with what the ender did in its spans. The longest part is not in the longest wait. */
static void test_sums_and_spans(void **state)
{
	const struct wait_chain *chain;
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_begin_at(1050, 1, B, LOOP, TRACE_SPAN_WORK);
	feed_sleep(1100, 0, A, FUTEX);
	feed_end_at(1150, 1, B);
	feed_begin_at(1170, 1, B, IO, TRACE_SPAN_WORK);
	feed_wake(1200, 1, B, A);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_sleep(1300, 0, A, FUTEX);
	feed_end_at(1500, 1, B);
	feed_wake(1510, 1, B, A);
	feed_switch_at(1520, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_sleep(1600, 0, A, FUTEX);
	feed_begin_at(1980, 1, B, IO, TRACE_SPAN_WORK);
	feed_wake(1985, 1, B, A);
	feed_switch_at(1990, 0, 0, A, TRACE_OUT_RUNNABLE);
	fixture = look_at(end_three(2000));
	chain = CHAIN(&fixture, WAITED(FUTEX), FOR_IN(IO), END(LINK_RAN));
	assert_int_equal(chain->ns, 30 + 200 + 5);
	assert_int_equal(chain->nr, 3);
	assert_int_equal(chain->longest_ns, 200);
	assert_int_equal(chain->longest_from_ns, 300);
	assert_int_equal(chain->longest_to_ns, 510);
	chain = CHAIN(&fixture, WAITED(FUTEX), FOR_IN(LOOP), END(LINK_RAN));
	assert_int_equal(chain->ns, 50);
	assert_int_equal(chain->nr, 1);
	chain = CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RAN));
	assert_int_equal(chain->ns, 20 + 10 + 380);
	assert_int_equal(chain->nr, 3);
	done_with(&fixture);
}

/* B wakes A, then sleeps before A's wakeup comes. */
static void test_wakeup_on_its_way(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_sleep(1100, 0, A, FUTEX);
	feed_waking_at(1200, 1, B, A);
	feed_sleep(1210, 1, B, PIPE);
	feed_wakeup_at(1250, 0, 0, A, 0);
	feed_switch_at(1260, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_wake(1900, 0, A, B);
	feed_switch_at(1900, 1, 0, B, TRACE_OUT_RUNNABLE);
	fixture = look_at(end_three(2000));
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RAN))->ns, 110);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_ON_ITS_WAY))->ns, 40);
	done_with(&fixture);
}

static uint32_t index_of(const struct model *model, int32_t tid)
{
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		if (model->threads[i].tid == tid)
			return i;
	}
	fail_msg("no thread %d", tid);
	return 0;
}

/*
 *	A sleeps (futex) 1100 ................ 1900, woken by B, which got the lock at 1600, and ran all the time
 *	C sleeps (disk)  1050 ....... 1500, woken by an interrupt; it held the lock from 1200 to 1600
 *
 * What is told of other times, and of other waits, is no part of this one.
 */
static void test_lock_got_in_passing(void **state)
{
	struct lock_contention_part parts[4];
	struct fixture fixture;
	struct model *model;
	uint32_t a, b, c;

	(void)state;
	begin_three();
	feed_sleep(1050, 2, C, DISK);
	feed_sleep(1100, 0, A, FUTEX);
	feed_wake(1500, 2, 0, C);
	feed_switch_at(1500, 2, 0, C, TRACE_OUT_RUNNABLE);
	feed_wake(1900, 1, B, A);
	feed_switch_at(1900, 0, 0, A, TRACE_OUT_RUNNABLE);
	model = end_three(2000);
	a = index_of(model, A);
	b = index_of(model, B);
	c = index_of(model, C);
	parts[0] = (struct lock_contention_part){ a, b, 20, 90 };
	parts[1] = (struct lock_contention_part){ a, c, 200, 600 };
	parts[2] = (struct lock_contention_part){ a, b, 600, 850 };
	parts[3] = (struct lock_contention_part){ a, c, 920, 990 };
	fixture = look_at_locks(model, parts, 4);
	assert_int_equal(
		CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), WAITED(DISK), END(LINK_INTERRUPT))->ns,
		300);
	/* C for 100 ns, B for 100 ns before that, and 300 ns after it. */
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RAN))->ns, 500);
	assert_int_equal(fixture.chains.blocked_ns, 800 + 450);
	done_with(&fixture);
}

/* The trace ends while A sleeps; B runs again without a wakeup. */
static void test_unknown_ender(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_sleep(1100, 0, A, FUTEX);
	feed_sleep(1200, 1, B, PIPE);
	feed_switch_at(1300, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 1, B, 0, TRACE_OUT_RUNNABLE);
	fixture = look_at(script_end());
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), END(LINK_UNKNOWN_ENDER))->ns, 900);
	assert_int_equal(CHAIN(&fixture, WAITED(PIPE), END(LINK_UNKNOWN_ENDER))->ns, 100);
	done_with(&fixture);
}

/* B is created while A sleeps, and a wait has no stack. */
static void test_unknown_state(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_sleep(1050, 2, C, FUTEX);
	feed_sleep(1100, 0, A, 0);
	feed_fork_at(1300, 1, B, B + 2, true);
	feed_wakeup_new_at(1300, 1, B, B + 2, 3);
	feed_switch_at(1310, 3, 0, B + 2, TRACE_OUT_RUNNABLE);
	feed_waking_at(1400, 3, B + 2, A);
	feed_wakeup_at(1400, 3, B + 2, A, 0);
	feed_switch_at(1400, 0, 0, A, TRACE_OUT_RUNNABLE);
	feed_switch_at(2000, 0, A, 0, TRACE_OUT_RUNNABLE);
	fixture = look_at(script_end());
	assert_int_equal(CHAIN(&fixture, WAITED(0), FOR_IN(0), END(LINK_UNKNOWN_STATE))->ns, 200);
	assert_int_equal(CHAIN(&fixture, WAITED(0), FOR_IN(0), END(LINK_RUNNABLE))->ns, 10);
	assert_int_equal(CHAIN(&fixture, WAITED(0), FOR_IN(0), END(LINK_RAN))->ns, 90);
	done_with(&fixture);
}

/* A wakes B and sleeps until B answers, before B's wakeup comes: a cycle. */
static void test_cycle(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_sleep(1050, 1, B, PIPE);
	feed_waking_at(1090, 0, A, B);
	feed_sleep(1100, 0, A, FUTEX);
	feed_wakeup_at(1300, 1, 0, B, 1);
	feed_switch_at(1300, 1, 0, B, TRACE_OUT_RUNNABLE);
	feed_wake(1400, 1, B, A);
	feed_switch_at(1400, 0, 0, A, TRACE_OUT_RUNNABLE);
	fixture = look_at(end_three(2000));
	assert_int_equal(
		CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), WAITED(PIPE), END(LINK_ON_ITS_WAY))->ns,
		200);
	assert_int_equal(CHAIN(&fixture, WAITED(FUTEX), FOR_IN(0), END(LINK_RAN))->ns, 100);
	/* B waited for A, which ran for 50 ns of that. */
	assert_int_equal(CHAIN(&fixture, WAITED(PIPE), FOR_IN(0), END(LINK_RAN))->ns, 50);
	assert_int_equal(CHAIN(&fixture, WAITED(PIPE), FOR_IN(0), END(LINK_ON_ITS_WAY))->ns, 200);
	done_with(&fixture);
}

/* Thread i wakes thread i + 1: as many causes as a chain may have, and one more. */
static void test_too_long(void **state)
{
	const int nr = WAIT_CHAINS_MOST_CAUSES + 2;
	struct fixture fixture;

	(void)state;
	script_begin();
	for (int i = 0; i < nr; i++) {
		feed_session_at(1000, i, A + i);
		feed_switch_at(1000, i, 0, A + i, TRACE_OUT_RUNNABLE);
	}
	for (int i = 1; i < nr; i++)
		feed_switch_at(1100, i, A + i, 0, TRACE_OUT_SLEEPING);
	feed_kernel_stack_at(1100, 1, A + 1, FUTEX, FRAMES);
	for (int i = 1; i < nr; i++) {
		uint64_t time_ns = 1100 + 100 * (uint64_t)i;

		feed_waking_at(time_ns, i - 1, A + i - 1, A + i);
		feed_wakeup_at(time_ns, i - 1, A + i - 1, A + i, i);
		feed_switch_at(time_ns, i, 0, A + i, TRACE_OUT_RUNNABLE);
	}
	feed_switch_at(3000, 0, A, 0, TRACE_OUT_RUNNABLE);
	fixture = look_at(script_end());
	/* The last thread waits for seven others that wait themselves, and for what the last of these waits for. */
	assert_int_equal(fixture.chains.end_ns[LINK_TOO_LONG], 200 + 100);
	assert_int_equal(fixture.chains.end_ns[LINK_NOT_FOLLOWED], 0);
	done_with(&fixture);
}

/* Whatever comes, sums are whole: look_at() compares them. */
static void test_any_events(void **state)
{
	(void)state;
	for (unsigned int seed = 1; seed <= 300; seed++) {
		struct fixture fixture;
		uint64_t time_ns = 1000;

		srand(seed);
		script_begin();
		for (int i = 0; i < 400; i++) {
			time_ns += (uint64_t)rand() % 3;
			feed_anything_at(time_ns, A, (unsigned int)rand());
		}
		fixture = look_at(script_end());
		done_with(&fixture);
	}
}

static void test_no_causes(void **state)
{
	struct fixture fixture;

	(void)state;
	begin_three();
	feed_sleep(1100, 0, A, 0);
	feed_wake(1200, 1, B, A);
	feed_switch_at(1200, 0, 0, A, TRACE_OUT_RUNNABLE);
	fixture = look_at(end_three(2000));
	assert_false(fixture.chains.has_causes);
	assert_int_equal(fixture.chains.nr, 0);
	done_with(&fixture);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_three_deep),
		cmocka_unit_test(test_part_of_a_wait),
		cmocka_unit_test(test_sums_and_spans),
		cmocka_unit_test(test_wakeup_on_its_way),
		cmocka_unit_test(test_unknown_ender),
		cmocka_unit_test(test_unknown_state),
		cmocka_unit_test(test_cycle),
		cmocka_unit_test(test_too_long),
		cmocka_unit_test(test_any_events),
		cmocka_unit_test(test_no_causes),
		cmocka_unit_test(test_lock_got_in_passing),
	};

	return cmocka_run_group_tests_name("wait_chains", tests, NULL, NULL);
}
