// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: convoy HOLD-US THINK-US
 *
 * Four threads take one mutex 60 times each, hold it asleep for HOLD-US, and come back THINK-US later. Prints what each
 * waited for the mutex: TID NS.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NR_THREADS 4
#define NR_TURNS 60

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t start;
static useconds_t hold_us, think_us;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void *run(void *argument)
{
	uint64_t waited_ns = 0;

	pthread_barrier_wait(&start);
	for (int turn = 0; turn < NR_TURNS; turn++) {
		uint64_t from_ns = now_ns();

		pthread_mutex_lock(&mutex);
		waited_ns += now_ns() - from_ns;
		usleep(hold_us);
		pthread_mutex_unlock(&mutex);
		usleep(think_us);
	}
	printf("%d %llu\n", gettid(), (unsigned long long)waited_ns);
	return argument;
}

int main(int argc, char **argv)
{
	pthread_t threads[NR_THREADS];

	if (argc != 3)
		return 2;
	hold_us = (useconds_t)atoi(argv[1]);
	think_us = (useconds_t)atoi(argv[2]);
	pthread_barrier_init(&start, NULL, NR_THREADS);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
