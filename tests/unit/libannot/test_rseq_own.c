// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/lib/anon_rings.c */
/*
 * Rings where the C library registers no restartable sequences, and the library does. Without a
 * ring an annotation goes nowhere here: main() sees to it.
 */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <cmocka.h>

#include "anon_rings.h"
#include "rseq_own.h"

#define RING_BYTES (UINT32_C(1) << 20)
#define NR_THREADS 300
#define SIGNAL_PERIOD_NS 20000

static struct annot_ring *ring; /* this process stays on one CPU */

static int install(void **state)
{
	(void)state;
	ring = anon_rings_record_here(RING_BYTES);
	return ring ? 0 : -1;
}

static uint64_t nr_records(void)
{
	return ring->head / sizeof(struct annot_record);
}

static void check(bool condition)
{
	if (!condition)
		_exit(1);
}

static void the_first_annotation_registers(void **state)
{
	assert_int_equal(__rseq_size, 0);
	assert_int_equal(own.cpu_id, UNTRIED);
	assert_int_equal(install(state), 0);
	annot_mark("first");
	annot_mark("second");
	assert_true(own.cpu_id >= 0);
	assert_int_equal(nr_records(), 2);
	assert_int_equal(own.rseq_cs, 0);
}

static sigset_t of_handler;

/* Signals come from here on. */
static void *annotate(void *was_new)
{
	*(bool *)was_new = own.cpu_id == UNTRIED;
	pthread_sigmask(SIG_UNBLOCK, &of_handler, NULL);
	annot_begin("of a thread");
	annot_end();
	return NULL;
}

/* The storage of one is that of an earlier one. */
static void run_threads(void)
{
	pthread_t thread;
	int i;

	for (i = 0; i < NR_THREADS; i++) {
		bool was_new = false;

		assert_int_equal(pthread_create(&thread, NULL, annotate, &was_new), 0);
		pthread_join(thread, NULL);
		assert_true(was_new);
	}
}

static void each_thread_registers(void **state)
{
	(void)state;
	run_threads();
	assert_int_equal(nr_records(), 2 * NR_THREADS);
}

static atomic_uint nr_handled;

static void annotate_in_handler(int signal)
{
	(void)signal;
	annot_mark("in handler");
	nr_handled++;
}

/* Wherever in a thread's first annotation the signal comes. */
static void handlers_register_too(void **state)
{
	const struct itimerspec period = { { 0, SIGNAL_PERIOD_NS }, { 0, SIGNAL_PERIOD_NS } };
	struct sigaction action = { .sa_handler = annotate_in_handler, .sa_flags = SA_RESTART };
	struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1 };
	timer_t timer;

	(void)state;
	sigaction(SIGUSR1, &action, NULL);
	sigaddset(&of_handler, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &of_handler, NULL);
	assert_int_equal(timer_create(CLOCK_MONOTONIC, &event, &timer), 0);
	assert_int_equal(timer_settime(timer, 0, &period, NULL), 0);
	run_threads();
	timer_delete(timer);
	print_message("# %u handlers\n", nr_handled);
	assert_true(nr_handled > 0);
	assert_int_equal(nr_records(), 2 * NR_THREADS + nr_handled);
}

static void a_child_has_it(void **state)
{
	int status;
	pid_t child;

	annot_mark("of the parent");
	child = fork();
	if (!child) {
		check(own.cpu_id >= 0);
		annot_mark("nowhere");
		check(!install(state));
		annot_mark("of the child");
		check(nr_records() == 1);
		_exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	annot_mark("of the parent");
	assert_int_equal(nr_records(), 2);
}

static void *register_another(void *argument)
{
	static __thread struct area others;

	if (syscall(SYS_rseq, &others, sizeof(others), 0, OTHERS_SIGNATURE))
		return NULL;
	annot_mark("nowhere");
	annot_mark("nowhere");
	check(annot_rseq_have() == -EEXIST && own.cpu_id == REFUSED && others.cpu_id >= 0);
	return argument;
}

static void another_library_was_first(void **state)
{
	pthread_t thread;
	void *result;

	assert_int_equal(pthread_create(&thread, NULL, register_another, state), 0);
	pthread_join(thread, &result);
	assert_ptr_equal(result, state);
	assert_int_equal(nr_records(), 0);
	/* What had no ring has turned it off. */
	__atomic_store_n(&annot_control_page.recording, 1, __ATOMIC_RELAXED);
	annot_mark("of a thread that has it");
	assert_int_equal(nr_records(), 1);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_annotation_registers),
		cmocka_unit_test_setup(each_thread_registers, install),
		cmocka_unit_test_setup(handlers_register_too, install),
		cmocka_unit_test_setup(a_child_has_it, install),
		cmocka_unit_test_setup(another_library_was_first, install),
	};

	(void)argc;
	/* The libraries read it before main(). */
	if (!getenv("GLIBC_TUNABLES")) {
		setenv("GLIBC_TUNABLES", OWN_RSEQ_TUNABLE, 1);
		setenv("ANNOT_BACKEND", "off", 1);
		execv("/proc/self/exe", argv);
		return 1;
	}
	if (syscall(SYS_rseq, NULL, 0, 0, 0) && errno == ENOSYS) {
		printf("1..0 # SKIP no restartable sequences\n");
		return 0;
	}
	return cmocka_run_group_tests_name("rseq_own", tests, NULL, NULL);
}
