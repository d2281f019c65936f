// SPDX-License-Identifier: GPL-2.0
/* LINK: tests/unit/libannot/libannot_scenario.c tests/unit/libannot/raw_file.c */
/* SLOW */
/*
 * The fall-back in batches under threads that come, go and sleep, and signal handlers that
 * annotate: each annotation is there once, in order, as its own thread's.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "annot/annot.h"
#include "libannot_scenario.h"
#include "raw_file.h"
#include "uapi/annot.h"

#define RAW "marker/trace_marker_raw"

#define NR_THREADS 12
#define NR_EACH 30000 /* at least, */
#define NR_IN_HANDLERS 400 /* and at least so many */
#define NR_OF_A_BUSY_HANDLER 300 /* more than a ring holds */

static void wait_ms(long ms)
{
	nanosleep(&(struct timespec){ 0, ms * 1000000 }, NULL);
}

static __thread volatile int64_t nr_in_handlers;
static __thread volatile bool is_writing;

static void annotate_in_handler(int signal)
{
	int64_t nr = nr_in_handlers % 397 == 20 ? NR_OF_A_BUSY_HANDLER : 1, i;

	(void)signal;
	if (!is_writing)
		return;
	for (i = 0; i < nr; i++) {
		annot_mark_value("in handler", nr_in_handlers);
		nr_in_handlers++;
	}
}

static struct writer {
	pthread_t thread;
	int32_t tid;
	int64_t nr;
	int64_t nr_in_handlers;
} writers[NR_THREADS];

static atomic_uint nr_finished;

static void *write_annotations(void *argument)
{
	struct writer *writer = argument;
	char name[8] = "made";
	int64_t i;

	writer->tid = gettid();
	is_writing = true;
	for (i = 0; i < NR_EACH || nr_in_handlers < NR_IN_HANDLERS; i++) {
		if (i % 3 == 2)
			annot_counter(name, i);
		else
			annot_begin_value("begin", i);
	}
	is_writing = false;
	writer->nr = i;
	writer->nr_in_handlers = nr_in_handlers;
	nr_finished++;
	return NULL;
}

static void send_signals_until_done(void)
{
	unsigned int i;

	for (i = 0; nr_finished < NR_THREADS; i++) {
		pthread_kill(writers[i % NR_THREADS].thread, SIGUSR1);
		if (i % NR_THREADS == 0)
			nanosleep(&(struct timespec){ 0, 200000 }, NULL);
	}
}

static int writer_of(int32_t tid)
{
	int i;

	for (i = 0; i < NR_THREADS; i++)
		if (writers[i].tid == tid)
			return i;
	check(false);
	return -1;
}

static void check_all_in_order(void)
{
	int64_t next[NR_THREADS] = { 0 }, next_in_handler[NR_THREADS] = { 0 };
	struct raw_file file = raw_file_read(RAW);
	size_t i;

	for (i = 0; i < file.nr; i++) {
		const struct raw_annotation *annotation = &file.annotations[i];
		int writer;

		if (annotation->tid == getpid())
			continue;
		writer = writer_of(annotation->tid);

		if (annotation->op == ANNOT_OP_MARK) {
			check(!strcmp(annotation->name, "in handler"));
			check(annotation->value == next_in_handler[writer]++);
			continue;
		}
		check(annotation->value == next[writer]++);
		check(!strcmp(annotation->name, annotation->value % 3 == 2 ? "made" : "begin"));
	}
	for (i = 0; i < NR_THREADS; i++) {
		check(next[i] == writers[i].nr);
		check(next_in_handler[i] == writers[i].nr_in_handlers);
	}
	check(file.nr_lost == 0);
	check_empty("marker/trace_marker");
	raw_file_free(&file);
}

static void threads_and_signals(void)
{
	struct sigaction action = { .sa_handler = annotate_in_handler };
	int i;

	annot_mark("first"); /* who comes while this makes the rings goes by text */
	sigaction(SIGUSR1, &action, NULL);
	for (i = 0; i < NR_THREADS; i++)
		check(!pthread_create(&writers[i].thread, NULL, write_annotations, &writers[i]));
	send_signals_until_done();
	for (i = 0; i < NR_THREADS; i++)
		pthread_join(writers[i].thread, NULL);
	check_all_in_order(); /* each thread has flushed as it ended */
}

#define NR_JUMPS 200

static sigjmp_buf back;
static volatile int nr_jumps;

static void jump_from_handler(int signal)
{
	(void)signal;
	annot_mark("jump");
	nr_jumps++;
	siglongjmp(back, 1);
}

static volatile int64_t nr_made;

static void annotate_until_jumped_enough(void)
{
	sigsetjmp(back, 1);
	while (nr_jumps < NR_JUMPS) {
		setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 100 + nr_jumps } },
			  NULL);
		for (;;)
			annot_counter("c", nr_made++);
	}
}

/* Some programs leave a handler so. What they interrupted is there or not, all else is. */
static void handlers_that_jump(void)
{
	struct sigaction action = { .sa_handler = jump_from_handler };
	int64_t last = -1, nr = 0, nr_marks = 0;
	struct raw_file file;
	size_t i;

	sigaction(SIGALRM, &action, NULL);
	annotate_until_jumped_enough();
	annot_flush();
	file = raw_file_read(RAW);
	for (i = 0; i < file.nr; i++) {
		if (file.annotations[i].op == ANNOT_OP_MARK) {
			nr_marks++;
			continue;
		}
		check(file.annotations[i].value > last);
		last = file.annotations[i].value;
		nr++;
	}
	check(nr_marks == NR_JUMPS);
	check(nr + NR_JUMPS >= nr_made);
	raw_file_free(&file);
}

static void *annotate_and_end(void *value)
{
	annot_mark_value("ending", (int64_t)(intptr_t)value);
	return NULL;
}

static void await_count(size_t nr)
{
	int i;

	for (i = 0; i < 2000 && raw_file_count(RAW) < nr; i++)
		wait_ms(5);
	check(raw_file_count(RAW) == nr);
}

/* Joined, detached, cancelled, and by pthread_exit(). */
static void threads_flush_as_they_end(void)
{
	pthread_attr_t detached;
	pthread_t thread;

	pthread_attr_init(&detached);
	pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
	check(!pthread_create(&thread, NULL, annotate_and_end, NULL));
	pthread_join(thread, NULL);
	check(raw_file_count(RAW) == 1);
	check(!pthread_create(&thread, &detached, annotate_and_end, NULL));
	await_count(2);
}

static atomic_bool has_annotated;

static void *annotate_and_sleep(void *unused)
{
	annot_mark("asleep");
	has_annotated = true;
	for (;;)
		pause();
	return unused;
}

static void cancelled_threads_flush(void)
{
	pthread_t thread;

	check(!pthread_create(&thread, NULL, annotate_and_sleep, NULL));
	while (!has_annotated)
		wait_ms(1);
	pthread_cancel(thread);
	pthread_join(thread, NULL);
	check(raw_file_count(RAW) == 1);
}

#define NR_ONE_BY_ONE 3000

/* Their rings are given back: there are fewer of them. */
static void thousands_of_threads(void)
{
	struct raw_file file;
	pthread_t thread;
	intptr_t i;

	for (i = 0; i < NR_ONE_BY_ONE; i++) {
		check(!pthread_create(&thread, NULL, annotate_and_end, (void *)i));
		pthread_join(thread, NULL);
	}
	file = raw_file_read(RAW);
	check(file.nr == NR_ONE_BY_ONE && file.nr_hellos == NR_ONE_BY_ONE);
	for (i = 0; i < NR_ONE_BY_ONE; i++)
		check(file.annotations[i].value == i);
	check_empty("marker/trace_marker");
	raw_file_free(&file);
}

#define NR_RINGS 1024
#define NR_AT_ONCE 1030

static pthread_barrier_t together;

static void *annotate_together(void *unused)
{
	annot_begin("b");
	pthread_barrier_wait(&together);
	annot_end();
	return unused;
}

static size_t nr_lines_of_text(void)
{
	const char *text = get_text("marker/trace_marker");
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == 'B' || *text == 'E';
	return nr;
}

/* Those that find none write one by one. */
static void more_threads_than_rings(void)
{
	static pthread_t threads[NR_AT_ONCE];
	pthread_attr_t small;
	int i;

	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&together, NULL, NR_AT_ONCE);
	annot_mark("first"); /* and with a ring */
	for (i = 0; i < NR_AT_ONCE; i++)
		check(!pthread_create(&threads[i], &small, annotate_together, NULL));
	for (i = 0; i < NR_AT_ONCE; i++)
		pthread_join(threads[i], NULL);
	check(nr_lines_of_text() == 2 * (NR_AT_ONCE + 1 - NR_RINGS));
	annot_flush();
	check(raw_file_count(RAW) == 1 + 2 * (NR_RINGS - 1));
}

static pthread_key_t late_key;

static void annotate_in_destructor(void *rounds)
{
	annot_mark("late");
	if (rounds != (void *)1)
		pthread_setspecific(late_key, (char *)rounds - 1);
}

static void *end_with_destructor(void *unused)
{
	annot_mark("early");
	pthread_setspecific(late_key, (void *)3);
	return unused;
}

/* Of other libraries, after ours: what they annotate is written at once. */
static void destructors_that_annotate(void)
{
	pthread_t thread;

	check(!pthread_key_create(&late_key, annotate_in_destructor));
	check(!pthread_create(&thread, NULL, end_with_destructor, NULL));
	pthread_join(thread, NULL);
	check(raw_file_count(RAW) == 4);
}

/* A thread that sleeps: its annotations are written by another one that annotates. */
static void others_write_for_a_sleeper(void)
{
	struct raw_annotation of_sleeper[2];
	struct raw_file file;
	pthread_t thread;
	size_t nr = 0;
	int i;

	check(!pthread_create(&thread, NULL, annotate_and_sleep, NULL));
	for (i = 0; i < 500 && !nr; i++) {
		wait_ms(12);
		annot_begin("awake");
		file = raw_file_read(RAW);
		for (size_t at = 0; at < file.nr; at++)
			if (file.annotations[at].tid != getpid())
				nr = raw_file_of_thread(&file, file.annotations[at].tid, of_sleeper,
							2);
		raw_file_free(&file);
	}
	check(nr == 1);
	check(!strcmp(of_sleeper[0].name, "asleep"));
	check(of_sleeper[0].tgid == getpid());
}

static void *annotate_cancelled(void *reached)
{
	int i;

	pthread_cancel(pthread_self());
	for (i = 0; i < 1000; i++)
		annotate_each_kind();
	annot_flush();
	*(bool *)reached = true;
	pthread_testcancel();
	return NULL;
}

static void not_a_cancellation_point(void)
{
	bool reached = false;
	pthread_t thread;
	void *result;

	check(!pthread_create(&thread, NULL, annotate_cancelled, &reached));
	pthread_join(thread, &result);
	check(reached && result == PTHREAD_CANCELED);
	check(raw_file_count(RAW) == 6000);
}

static const struct scenario scenarios[] = {
	{ SCENARIO(threads_and_signals, .batches = true) },
	{ SCENARIO(handlers_that_jump, .batches = true) },
	{ SCENARIO(threads_flush_as_they_end, .batches = true) },
	{ SCENARIO(cancelled_threads_flush, .batches = true) },
	{ SCENARIO(thousands_of_threads, .batches = true) },
	{ SCENARIO(more_threads_than_rings, .batches = true) },
	{ SCENARIO(destructors_that_annotate, .batches = true) },
	{ SCENARIO(others_write_for_a_sleeper, .batches = true) },
	{ SCENARIO(not_a_cancellation_point, .batches = true) },
};

int main(int argc, char **argv)
{
	return scenarios_main(argc, argv, scenarios, sizeof(scenarios) / sizeof(scenarios[0]));
}
