// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/anon_rings.c */
/*
 * Rings in a process that forks, without rseq, and with names of all sorts. Without a ring an
 * annotation goes nowhere here: main() sees to it.
 */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/rseq.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "annot/annot.h"
#include "anon_rings.h"

#define RING_BYTES 65536

/* This test's process stays on one CPU: its ring holds all. */
static struct annot_ring *ring;

static int install(void **state)
{
	(void)state;
	ring = anon_rings_record_here(RING_BYTES);
	return ring ? 0 : -1;
}

static const struct annot_record *last_record(void)
{
	return anon_ring_record(ring, ring->head - sizeof(struct annot_record));
}

static uint64_t nr_records(void)
{
	return ring->head / sizeof(struct annot_record);
}

static void assert_last(unsigned int op, const char *name)
{
	assert_int_equal(last_record()->op, op);
	assert_non_null(anon_ring_name(last_record()));
	assert_string_equal(anon_ring_name(last_record()), name);
}

static void each_kind(void **state)
{
	(void)state;
	annot_begin("b");
	assert_last(ANNOT_OP_BEGIN, "b");
	assert_int_equal(last_record()->flags, 0);
	annot_begin_value("bv", INT64_MIN);
	assert_last(ANNOT_OP_BEGIN, "bv");
	assert_int_equal(last_record()->flags, ANNOT_RECORD_HAS_VALUE);
	assert_true(last_record()->value == INT64_MIN);
	annot_wait_begin("w");
	assert_last(ANNOT_OP_WAIT_BEGIN, "w");
	annot_next("n");
	assert_last(ANNOT_OP_NEXT, "n");
	annot_mark_value("m", -1);
	assert_last(ANNOT_OP_MARK, "m");
	assert_int_equal(last_record()->value, -1);
	annot_counter("c", 1);
	assert_last(ANNOT_OP_COUNTER, "c");
	assert_int_equal(nr_records(), 6);
	annot_end();
	annot_end();
	assert_int_equal(last_record()->op, ANNOT_OP_END);
	assert_int_equal(last_record()->name, 0);
	assert_int_equal(nr_records(), 8);
	{
		ANNOT_WAIT_SCOPE("scope");
		assert_last(ANNOT_OP_WAIT_BEGIN, "scope");
	}
	assert_int_equal(last_record()->op, ANNOT_OP_END);
}

static void not_while_nobody_records(void **state)
{
	(void)state;
	__atomic_store_n(&annot_control_page.recording, 0, __ATOMIC_RELAXED);
	annot_begin("unheard");
	annot_end();
	assert_int_equal(nr_records(), 0);
}

/* Inlined twice, with what is then a literal: still two names. */
static inline __attribute__((always_inline)) void begin_named(const char *name)
{
	annot_begin(name);
}

static void names_of_a_shared_place(void **state)
{
	int i;

	(void)state;
	for (i = 0; i < 3; i++) {
		begin_named("one");
		assert_last(ANNOT_OP_BEGIN, "one");
		begin_named("two");
		assert_last(ANNOT_OP_BEGIN, "two");
	}
}

static void names_made_at_run_time(void **state)
{
	char name[16];
	int i;

	(void)state;
	/* more than the library remembers; and again, when it remembers some */
	for (i = 0; i < 2000; i++) {
		snprintf(name, sizeof(name), "name %d", i % 1000);
		annot_mark(name);
		assert_last(ANNOT_OP_MARK, name);
	}
	memset(name, 0, sizeof(name));
	annot_mark(name);
	assert_last(ANNOT_OP_MARK, "?");
	annot_mark("tab\t");
	assert_last(ANNOT_OP_MARK, "tab?");
}

static void full_ring_without_help(void **state)
{
	uint64_t i;

	(void)state;
	for (i = 0; i < RING_BYTES / sizeof(struct annot_record) + 10; i++)
		annot_mark("m");
	assert_int_equal(ring->head, RING_BYTES);
}

static void due_ring(void **state)
{
	uint64_t last;

	(void)state;
	annot_mark("taken");
	last = last_record()->ticks;
	ring->due = -(last + (UINT64_C(1) << 40));
	annot_mark("taken");
	assert_int_equal(nr_records(), 2);
	ring->due = -last;
	annot_mark("not taken");
	ring->due = UINT64_MAX;
	annot_mark("not taken");
	assert_int_equal(nr_records(), 2);
}

static const struct rseq *own_rseq(void)
{
	return (const void *)((const char *)__builtin_thread_pointer() + __rseq_offset);
}

/* It would be that of an object that dlclose() has taken away. */
static void no_descriptor_is_left(void **state)
{
	(void)state;
	annot_begin("stored");
	assert_int_equal(own_rseq()->rseq_cs, 0);
	ring->limit = ring->head;
	annot_begin("full");
	assert_int_equal(own_rseq()->rseq_cs, 0);
	ring->limit = RING_BYTES;
	ring->due = UINT64_MAX;
	annot_begin("due");
	assert_int_equal(own_rseq()->rseq_cs, 0);
}

static void check(bool condition)
{
	if (!condition)
		_exit(1);
}

static void mark_in_child(const char *made)
{
	annot_mark("of both");
	check(last_record()->name && !strcmp(anon_ring_name(last_record()), "of both"));
	annot_mark(made);
	check(last_record()->name && !strcmp(anon_ring_name(last_record()), "made"));
}

/* By the bare system call, which the C library does not notice. */
static pid_t bare_fork(void)
{
	return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static void assert_ends_well(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

static void child_starts_anew(void **state)
{
	char made[] = "made";
	uint32_t number;
	pid_t child;
	int i;

	/* The second time through, child and parent share places that have numbers. */
	for (i = 0; i < 2; i++) {
		annot_mark(made);
		child = bare_fork();
		if (!child) {
			annot_mark("nowhere");
			annot_end();
			check(!install(state));
			mark_in_child(made);
			check(nr_records() == 2);
			_exit(0);
		}
		assert_ends_well(child);
		number = last_record()->name;
		mark_in_child(made);
		assert_int_equal(last_record()->name, number);
		assert_int_equal(nr_records(), 3 * (i + 1));
	}
}

#define NR_CHILDREN 300

static volatile sig_atomic_t nr_children;
static volatile sig_atomic_t is_child;

/* Once, so that the program gets on between two signals. */
static void arm_timer(void)
{
	struct itimerval soon = { { 0, 0 }, { 0, 20 + nr_children % 50 } };

	setitimer(ITIMER_REAL, &soon, NULL);
}

static void fork_in_handler(int signal)
{
	pid_t child;
	int status;

	(void)signal;
	child = bare_fork();
	if (!child) {
		is_child = 1;
		return;
	}
	check(waitpid(child, &status, 0) == child && !status);
	if (++nr_children < NR_CHILDREN)
		arm_timer();
}

/* The child has no ring to look at; and it must not become one while this looks. */
static int drain_unless_child(void)
{
	sigset_t alarm, old;

	sigemptyset(&alarm);
	sigaddset(&alarm, SIGALRM);
	sigprocmask(SIG_BLOCK, &alarm, &old);
	if (!is_child)
		ring->limit = ring->head + RING_BYTES;
	sigprocmask(SIG_SETMASK, &old, NULL);
	return is_child ? -EIO : 0;
}

/* The child goes on wherever the parent was interrupted: in the middle of an annotation too. */
static void forks_between_any_two_instructions(void **state)
{
	struct sigaction action = { .sa_handler = fork_in_handler };
	int nr_after_fork = 0;

	(void)state;
	assert_int_equal(anon_rings_install(RING_BYTES, drain_unless_child), 0);
	ring = anon_ring((uint32_t)sched_getcpu());
	sigaction(SIGALRM, &action, NULL);
	arm_timer();
	while (nr_children < NR_CHILDREN) {
		annot_begin("span");
		annot_end();
		if (is_child && ++nr_after_fork == 100)
			_exit(0);
	}
}

static void *annotate_unregistered(void *argument)
{
	struct rseq *own = (struct rseq *)(uintptr_t)own_rseq();

	if (syscall(SYS_rseq, own, sizeof(*own), RSEQ_FLAG_UNREGISTER, RSEQ_SIG))
		return NULL;
	annot_begin("nowhere");
	annot_end();
	return argument;
}

static void thread_without_rseq(void **state)
{
	pthread_t thread;
	void *result;

	assert_int_equal(pthread_create(&thread, NULL, annotate_unregistered, state), 0);
	pthread_join(thread, &result);
	assert_ptr_equal(result, state);
	assert_int_equal(nr_records(), 0);
}

static void run_again(const char *what)
{
	char program[4096];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);

	check(length > 0);
	program[length] = 0;
	execl(program, program, what, NULL);
	_exit(1);
}

static void process_without_rseq(void **state)
{
	pid_t child = fork();

	(void)state;
	if (!child) {
		setenv("GLIBC_TUNABLES", "glibc.pthread.rseq=0", 1);
		run_again("without rseq");
	}
	assert_ends_well(child);
}

static int without_rseq(void)
{
	int error = anon_rings_install(RING_BYTES, NULL);

	annot_begin("nowhere");
	annot_end();
	return error != -ENOSYS;
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(each_kind, install),
		cmocka_unit_test_setup(not_while_nobody_records, install),
		cmocka_unit_test_setup(names_of_a_shared_place, install),
		cmocka_unit_test_setup(names_made_at_run_time, install),
		cmocka_unit_test_setup(full_ring_without_help, install),
		cmocka_unit_test_setup(due_ring, install),
		cmocka_unit_test_setup(no_descriptor_is_left, install),
		cmocka_unit_test_setup(child_starts_anew, install),
		cmocka_unit_test_setup(forks_between_any_two_instructions, install),
		cmocka_unit_test_setup(thread_without_rseq, install),
		cmocka_unit_test(process_without_rseq),
	};

	/* The library reads it before main(). */
	if (!getenv("ANNOT_BACKEND")) {
		setenv("ANNOT_BACKEND", "off", 1);
		run_again(NULL);
	}
	if (argc > 1)
		return !strcmp(argv[1], "without rseq") ? without_rseq() : 2;
	if (!__rseq_size) {
		printf("1..0 # SKIP no restartable sequences\n");
		return 0;
	}
	return cmocka_run_group_tests_name("rseq_process", tests, NULL, NULL);
}
