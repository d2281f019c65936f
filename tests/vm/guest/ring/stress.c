// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: stress TRUTH SLOWDOWN
 *
 * Annotates through the inline code of the public header, into the module's rings, while all that
 * can come between its instructions does: threads bound to one CPU after another, by far more of
 * them than CPUs; a signal a thousand times a second to each, whose handler annotates; threads that
 * annotate a little and end. Writes into the file TRUTH who annotated how much; check_stress.c holds
 * a recording against it. There are four CPUs at least in the guest. On a kernel that is slower by
 * SLOWDOWN, threads annotate by that less, and signals are as much rarer.
 */
#if defined(__x86_64__)
#define ANNOT_RSEQ_ABORT_HOOK "lock incq nr_aborts(%%rip)\n\t"
#elif defined(__aarch64__)
#define ANNOT_RSEQ_ABORT_HOOK             \
	"adrp x9, nr_aborts\n\t"          \
	"add x9, x9, :lo12:nr_aborts\n\t" \
	"6:\tldxr x10, [x9]\n\t"          \
	"add x10, x10, #1\n\t"            \
	"stxr w11, x10, [x9]\n\t"         \
	"cbnz w11, 6b\n\t"
#elif defined(__riscv)
#define ANNOT_RSEQ_ABORT_HOOK   \
	"lla t0, nr_aborts\n\t" \
	"li t2, 1\n\t"          \
	"amoadd.d zero, t2, (t0)\n\t"
#endif

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "stress.h"

#define SIGNAL_PERIOD_NS 1000000
#define NR_BETWEEN_MOVES_MAX 600 /* records */
#define NR_OF_SHORT_MAX 600
#define NR_PARENTS 2 /* of short threads, which each has one at a time */

__attribute__((used)) uint64_t nr_aborts;
static unsigned int slowdown;

/*
 * @nr:		records but for those of the handler
 * @nr_handled:	of the handler
 */
struct thread {
	unsigned int number;
	uint32_t nr;
	pid_t tid;
	uint32_t nr_handled;
};

static struct thread threads[STRESS_NR_THREADS_MAX];
static atomic_uint nr_threads;
static atomic_bool long_ones_are_done;

static __attribute__((noreturn)) void die(const char *what, int error)
{
	fprintf(stderr, "stress: %s: %s\n", what, strerror(error));
	exit(1);
}

/* --- one record */

static __thread struct stress_value own;
static __thread struct thread *volatile self;

static void annotate_in_handler(int signal)
{
	struct thread *thread = self;
	struct stress_value value = { .cpu = STRESS_ANY_CPU, .in_handler = true };

	(void)signal;
	if (!thread)
		return;
	value.thread = thread->number;
	value.sequence = thread->nr_handled++;
	annot_mark_value(STRESS_HANDLER_NAME, stress_pack(&value));
}

static void annotate(void)
{
	const char *made = stress_kind(3).name;
	int64_t value = stress_pack(&own);

	switch (own.sequence % 8) {
	case 0:
		annot_begin_value("work", value);
		break;
	case 1:
		annot_mark_value("mark", value);
		break;
	case 2:
		annot_next_value("phase", value);
		break;
	case 3:
		annot_wait_begin_value(made, value);
		break;
	case 5:
		annot_counter("counter", value);
		break;
	case 7:
		annot_mark_value("another mark", value);
		break;
	default:
		annot_end();
	}
	own.sequence++;
}

/* --- one thread */

/* To another CPU than this: the thread is switched away, for certain. */
static void move(unsigned int *random)
{
	static unsigned int nr_cpus;
	cpu_set_t set;

	if (!nr_cpus)
		nr_cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	own.cpu = (own.cpu + 1 + (unsigned int)rand_r(random) % (nr_cpus - 1)) % nr_cpus;
	CPU_ZERO(&set);
	CPU_SET(own.cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		die("sched_setaffinity", errno);
}

static timer_t start_signals(void)
{
	const long period_ns = (long)slowdown * SIGNAL_PERIOD_NS;
	const struct itimerspec period = { { 0, period_ns }, { 0, period_ns } };
	struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGUSR1 };
	timer_t timer;

	event._sigev_un._tid = gettid();
	if (timer_create(CLOCK_MONOTONIC, &event, &timer) || timer_settime(timer, 0, &period, NULL))
		die("timer", errno);
	return timer;
}

static void write_records(struct thread *thread)
{
	unsigned int random = thread->number;
	uint32_t i, next_move = 0;

	thread->tid = gettid();
	own = (struct stress_value){ .thread = thread->number };
	for (i = 0; i < thread->nr; i++) {
		if (i == next_move) {
			move(&random);
			next_move += 1 + (uint32_t)rand_r(&random) % NR_BETWEEN_MOVES_MAX;
		}
		annotate();
	}
}

static void *live_long(void *argument)
{
	timer_t timer;

	self = argument;
	timer = start_signals();
	write_records(argument);
	timer_delete(timer);
	self = NULL;
	return NULL;
}

static void *live_shortly(void *argument)
{
	write_records(argument);
	return NULL;
}

static struct thread *new_thread(uint32_t nr)
{
	unsigned int number = nr_threads;

	do {
		if (number == STRESS_NR_THREADS_MAX)
			return NULL;
	} while (!atomic_compare_exchange_weak(&nr_threads, &number, number + 1));
	threads[number] = (struct thread){ .number = number, .nr = nr };
	return &threads[number];
}

static pthread_t start(void *(*life)(void *argument), void *argument)
{
	pthread_t id;
	int error = pthread_create(&id, NULL, life, argument);

	if (error)
		die("pthread_create", error);
	return id;
}

/* --- all of them */

static void *come_and_go(void *number)
{
	unsigned int random = (unsigned int)(uintptr_t)number;

	while (!long_ones_are_done || nr_threads < STRESS_NR_LONG + STRESS_NR_SHORT_MIN) {
		struct thread *thread = new_thread((uint32_t)rand_r(&random) % NR_OF_SHORT_MAX);

		if (!thread)
			break;
		pthread_join(start(live_shortly, thread), NULL);
	}
	return NULL;
}

static void run(void)
{
	pthread_t long_ones[STRESS_NR_LONG], parents[NR_PARENTS];
	unsigned int i;

	for (i = 0; i < STRESS_NR_LONG; i++)
		long_ones[i] = start(live_long, new_thread(STRESS_NR_EACH / slowdown));
	for (i = 0; i < NR_PARENTS; i++)
		parents[i] = start(come_and_go, (void *)(uintptr_t)i);
	for (i = 0; i < STRESS_NR_LONG; i++)
		pthread_join(long_ones[i], NULL);
	long_ones_are_done = true;
	for (i = 0; i < NR_PARENTS; i++)
		pthread_join(parents[i], NULL);
}

static void write_truth(const char *path)
{
	FILE *file = fopen(path, "w");
	unsigned int i;

	if (!file)
		die(path, errno);
	fprintf(file, "process %d aborts %llu slowdown %u\n", getpid(),
		(unsigned long long)nr_aborts, slowdown);
	for (i = 0; i < nr_threads; i++)
		fprintf(file, "thread %u tid %d records %u handled %u\n", threads[i].number,
			threads[i].tid, threads[i].nr, threads[i].nr_handled);
	if (fclose(file))
		die(path, errno);
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = annotate_in_handler, .sa_flags = SA_RESTART };

	slowdown = argc == 3 ? (unsigned int)atoi(argv[2]) : 0;
	if (slowdown < 1 || slowdown > STRESS_SLOWDOWN_MAX) {
		fprintf(stderr, "usage: stress TRUTH SLOWDOWN\n");
		return 2;
	}
	sigaction(SIGUSR1, &action, NULL);
	run();
	write_truth(argv[1]);
	fprintf(stderr, "stress: %s\n", annot_status());
	return strstr(annot_status(), "by rings") ? 0 : 1;
}
