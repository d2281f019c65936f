// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: journal
 *
 * Four threads serve requests: they compute, then append to a journal under a mutex. Each seventh append flushes it: the
 * thread keeps the mutex while a slow device (a thread behind a pipe, which sleeps) answers. The others wait for the
 * mutex meanwhile. Who waited for what, by the program's own clock, is printed at the end:
 *
 *	waited TID NS		for the mutex
 *	for TID TID NS		of that, while the second thread had it
 *	behind NS		of all waiting for the mutex, while the thread that had it waited for the device
 *	flushed NS		waited for the device
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "annot/annot.h"

#define NR_WORKERS 4
#define ROUNDS 16
#define FLUSH_EVERY 7
#define COMPUTE_NS 3000000
#define DEVICE_NS 10000000

struct stretch {
	uint64_t from_ns;
	uint64_t to_ns;
};

/* What was done in each round; a flush of no length: none. */
struct worker {
	pthread_t thread;
	pid_t tid;
	struct stretch waits[ROUNDS];
	struct stretch holds[ROUNDS];
	struct stretch flushes[ROUNDS];
};

static pthread_mutex_t journal = PTHREAD_MUTEX_INITIALIZER;
static unsigned int nr_appends; /* under journal */
static int to_device[2], from_device[2];
static int ended[2]; /* a pipe: main() waits for no futex while the workers do */
static struct worker workers[NR_WORKERS];

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void compute(uint64_t length_ns)
{
	uint64_t until_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + length_ns;

	while (now_ns(CLOCK_THREAD_CPUTIME_ID) < until_ns)
		;
}

static void *be_device(void *unused)
{
	const struct timespec length = { .tv_nsec = DEVICE_NS };
	char byte;

	(void)unused;
	annot_thread_name("device");
	while (read(to_device[0], &byte, 1) == 1 && byte) {
		annot_begin("write_block");
		nanosleep(&length, NULL);
		annot_end();
		if (write(from_device[1], "", 1) != 1)
			break;
	}
	return NULL;
}

__attribute__((noipa)) static void flush(void)
{
	char byte;

	if (write(to_device[1], "f", 1) != 1 || read(from_device[0], &byte, 1) != 1)
		perror("journal: device");
}

__attribute__((noipa)) static void append(struct worker *worker, int round)
{
	struct stretch *wait = &worker->waits[round], *hold = &worker->holds[round];
	struct stretch *flushed = &worker->flushes[round];

	wait->from_ns = now_ns(CLOCK_MONOTONIC);
	pthread_mutex_lock(&journal);
	wait->to_ns = hold->from_ns = now_ns(CLOCK_MONOTONIC);
	if (++nr_appends % FLUSH_EVERY == 0) {
		flushed->from_ns = now_ns(CLOCK_MONOTONIC);
		flush();
		flushed->to_ns = now_ns(CLOCK_MONOTONIC);
	}
	hold->to_ns = now_ns(CLOCK_MONOTONIC);
	pthread_mutex_unlock(&journal);
}

__attribute__((noipa)) static void serve(struct worker *worker, int round)
{
	annot_begin("request");
	compute(COMPUTE_NS);
	append(worker, round);
	annot_end();
}

static void *be_worker(void *argument)
{
	struct worker *worker = argument;
	char name[16];
	int round;

	worker->tid = gettid();
	snprintf(name, sizeof(name), "worker%d", (int)(worker - workers));
	annot_thread_name(name);
	for (round = 0; round < ROUNDS; round++)
		serve(worker, round);
	if (write(ended[1], "", 1) != 1)
		abort();
	return NULL;
}

/* The time that is in both lists, each of which is of one thread. */
static uint64_t common_ns(const struct stretch *a, const struct stretch *b)
{
	uint64_t sum_ns = 0;
	int i, j;

	for (i = 0; i < ROUNDS; i++) {
		for (j = 0; j < ROUNDS; j++) {
			uint64_t from_ns = a[i].from_ns > b[j].from_ns ? a[i].from_ns :
									 b[j].from_ns;
			uint64_t to_ns = a[i].to_ns < b[j].to_ns ? a[i].to_ns : b[j].to_ns;

			sum_ns += to_ns > from_ns ? to_ns - from_ns : 0;
		}
	}
	return sum_ns;
}

static void tell(void)
{
	uint64_t behind_ns = 0, flushed_ns = 0;
	struct worker *worker, *other;

	for (worker = workers; worker < workers + NR_WORKERS; worker++) {
		printf("waited %d %llu\n", worker->tid,
		       (unsigned long long)common_ns(worker->waits, worker->waits));
		flushed_ns += common_ns(worker->flushes, worker->flushes);
		for (other = workers; other < workers + NR_WORKERS; other++) {
			if (other == worker)
				continue;
			printf("for %d %d %llu\n", worker->tid, other->tid,
			       (unsigned long long)common_ns(worker->waits, other->holds));
			behind_ns += common_ns(worker->waits, other->flushes);
		}
	}
	printf("behind %llu\nflushed %llu\n", (unsigned long long)behind_ns,
	       (unsigned long long)flushed_ns);
}

int main(void)
{
	pthread_t device;
	char byte;
	int i;

	if (pipe(to_device) || pipe(from_device) || pipe(ended) ||
	    pthread_create(&device, NULL, be_device, NULL))
		return 2;
	for (i = 0; i < NR_WORKERS; i++)
		if (pthread_create(&workers[i].thread, NULL, be_worker, &workers[i]))
			return 2;
	for (i = 0; i < NR_WORKERS; i++)
		if (read(ended[0], &byte, 1) != 1)
			return 2;
	for (i = 0; i < NR_WORKERS; i++)
		pthread_join(workers[i].thread, NULL);
	if (write(to_device[1], "", 1) != 1)
		return 2;
	pthread_join(device, NULL);
	tell();
	return 0;
}
