// SPDX-License-Identifier: GPL-2.0
/* Speaks ITT in two threads, and writes down what it says. Exits with 7. */
#include <string.h>

#include "mini_itt.h"
#include "truth.h"

void runtime_speaks(void); /* itt_runtime.c */

static struct mini_itt_domain *domain, *other;
static struct mini_itt_string *solve, *inner, *flow, *shot, *named;
static void *counter, *typed;
static const mini_itt_id none;
static int object, unnamed;

static void function_of_task(void)
{
}

static void tasks(void)
{
	TRUTH_CALL(MINI_ITT_OF(domain, task_begin, none, none, solve));
	truth('B', "solve");
	truth_work_ns(200000);
	TRUTH_CALL(MINI_ITT_OF(other, task_begin, none, none, inner));
	truth('B', "inner");
	TRUTH_CALL(MINI_ITT_OF(other, task_end));
	truth('E', "");
	TRUTH_CALL(MINI_ITT_OF(domain, task_begin, none, none, NULL));
	truth('B', "task the domain");
	TRUTH_CALL(MINI_ITT_OF(domain, task_end));
	truth('E', "");
	TRUTH_CALL(MINI_ITT_OF(domain, task_begin_fn, none, none, (void *)function_of_task));
	truth('B', "task &/*");
	TRUTH_CALL(MINI_ITT_OF(domain, task_end));
	truth('E', "");
	TRUTH_CALL(MINI_ITT_OF(domain, task_end));
	truth('E', "");
	/* No task is open. */
	MINI_ITT_OF(domain, task_end);
	MINI_ITT_OF(other, task_end);
}

/* The outer task of one domain ends before the inner one of another: at the end of this. */
static void crossed(void)
{
	TRUTH_CALL(MINI_ITT_OF(domain, task_begin, none, none, solve));
	truth('B', "solve");
	TRUTH_CALL(MINI_ITT_OF(other, task_begin, none, none, inner));
	truth('B', "inner");
	MINI_ITT_OF(domain, task_end);
	truth_work_ns(50000);
	TRUTH_CALL(MINI_ITT_OF(other, task_end));
	truth('E', "");
	truth('E', "");
}

static void frames_and_regions(void)
{
	mini_itt_id a = { 1, 2, 3 }, b = { 1, 2, 4 };

	TRUTH_CALL(MINI_ITT_OF(domain, frame_begin_v3, NULL));
	truth('B', "frame the domain");
	TRUTH_CALL(MINI_ITT_OF(domain, region_begin, a, none, flow));
	truth('B', "flow");
	TRUTH_CALL(MINI_ITT_OF(domain, region_begin, b, none, flow));
	truth('B', "flow");
	MINI_ITT_OF(domain, region_end, a);
	TRUTH_CALL(MINI_ITT_OF(domain, region_end, b));
	truth('E', "");
	truth('E', "");
	TRUTH_CALL(MINI_ITT_OF(domain, frame_end_v3, NULL));
	truth('E', "");
}

static void marks_and_counters(void)
{
	double real = 1234.0;

	TRUTH_CALL(MINI_ITT_OF(domain, marker, none, shot, 1));
	truth('I', "shot");
	TRUTH_CALL(MINI_ITT_OF(domain, task_begin_overlapped, none, none, solve));
	truth('I', "solve");
	MINI_ITT_OF(domain, task_end_overlapped, none);
	TRUTH_CALL(MINI_ITT(thread_set_name, "the worker"));
	truth('I', "thread the worker");
	TRUTH_CALL(MINI_ITT(counter_inc, counter));
	truth_value('C', "queue", 1);
	TRUTH_CALL(MINI_ITT(counter_inc_delta, counter, 41));
	truth_value('C', "queue", 42);
	TRUTH_CALL(MINI_ITT(counter_dec_delta, counter, 50));
	truth_value('C', "queue", -8);
	TRUTH_CALL(MINI_ITT(counter_set_value, typed, &real));
	truth_value('C', "load", 1234);
	TRUTH_CALL(MINI_ITT_OF(domain, counter_inc_v3, named));
	truth_value('C', "named", 1);
	TRUTH_CALL(MINI_ITT_OF(domain, counter_inc_v3, named));
	truth_value('C', "named", 2);
}

static void waits(void)
{
	TRUTH_CALL(MINI_ITT(sync_prepare, &object));
	truth_text('W', TRUTH_ANY_VALUE, "wait the lock");
	truth_work_ns(100000);
	TRUTH_CALL(MINI_ITT(sync_acquired, &object));
	truth('E', "");
	MINI_ITT(sync_releasing, &object);
	TRUTH_CALL(MINI_ITT(sync_prepare, &unnamed));
	truth_text('W', TRUTH_ANY_VALUE, "wait");
	/* It does something else meanwhile: that is no waiting. */
	TRUTH_CALL(MINI_ITT_OF(domain, task_begin, none, none, solve));
	truth('E', "");
	truth('B', "solve");
	TRUTH_CALL(MINI_ITT_OF(domain, task_end));
	truth('E', "");
	truth_text('W', TRUTH_ANY_VALUE, "wait");
	TRUTH_CALL(MINI_ITT(sync_cancel, &unnamed));
	truth('E', "");
	/* A lock that was free. */
	MINI_ITT(sync_acquired, &object);
}

static void *speak(void *unused)
{
	for (int i = 0; i < 50; i++) {
		tasks();
		crossed();
		frames_and_regions();
		waits();
	}
	return unused;
}

static int says_nonsense(void)
{
	return domain != mini_itt.domain_create("the domain") || domain == other ||
	       !domain->flags || strcmp(domain->name, "the domain") ||
	       solve != mini_itt.string_handle_create("solve") || strcmp(solve->text, "solve");
}

int main(void)
{
	pthread_t thread;

	mini_itt_init();
	if (mini_itt.domain_create) {
		domain = mini_itt.domain_create("the domain");
		other = mini_itt.domain_create("another");
		solve = mini_itt.string_handle_create("solve");
		inner = mini_itt.string_handle_create("inner");
		flow = mini_itt.string_handle_create("flow");
		shot = mini_itt.string_handle_create("shot");
		named = mini_itt.string_handle_create("named");
		counter = mini_itt.counter_create("queue", "the domain");
		typed = mini_itt.counter_create_typed("load", "the domain", 8);
		if (says_nonsense())
			return 1;
	}
	MINI_ITT(sync_create, &object, "a lock", "the lock", 0);
	MINI_ITT(sync_create, &unnamed, "", "to be forgotten", 0);
	MINI_ITT(sync_destroy, &unnamed);
	MINI_ITT(pause);
	if (pthread_create(&thread, NULL, speak, NULL))
		return 1;
	speak(NULL);
	marks_and_counters();
	pthread_join(thread, NULL);
	runtime_speaks();
	puts("said all");
	return 7;
}
