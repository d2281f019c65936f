// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: lend TURNS PRIORITY
 *
 * Priority inheritance, TURNS times. A thread of nice 0 holds a mutex; a thread of realtime PRIORITY waits for it. The holder
 * inherits that priority until it unlocks. Prints a line for each change: the thread, and its priority before and after, as
 * the kernel counts priorities.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NORMAL 120 /* nice 0 */
#define NR_REALTIME 100 /* priorities; proc(5) counts from the first behind them */

static pthread_mutex_t lock;
static pthread_barrier_t is_held, is_over;
static int nr_turns, priority;

static void *wait_for_lock(void *unused)
{
	const struct sched_param realtime = { .sched_priority = priority };

	(void)unused;
	if (pthread_setschedparam(pthread_self(), SCHED_FIFO, &realtime))
		exit(2);
	for (int i = 0; i < nr_turns; i++) {
		pthread_barrier_wait(&is_held);
		pthread_mutex_lock(&lock);
		pthread_mutex_unlock(&lock);
		pthread_barrier_wait(&is_over);
	}
	return NULL;
}

static int kernel_priority(void)
{
	char path[64], text[1024];
	int value = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/self/task/%ld/stat", syscall(SYS_gettid));
	file = fopen(path, "r");
	if (!file || !fgets(text, sizeof(text), file) ||
	    sscanf(text,
		   "%*d (lend) %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %d",
		   &value) != 1)
		exit(3);
	fclose(file);
	return value + NR_REALTIME;
}

int main(int argc, char **argv)
{
	pthread_mutexattr_t kind;
	pthread_t waiter;

	if (argc != 3)
		return 1;
	nr_turns = atoi(argv[1]);
	priority = atoi(argv[2]);
	pthread_mutexattr_init(&kind);
	pthread_mutexattr_setprotocol(&kind, PTHREAD_PRIO_INHERIT);
	pthread_mutex_init(&lock, &kind);
	pthread_barrier_init(&is_held, NULL, 2);
	pthread_barrier_init(&is_over, NULL, 2);
	if (pthread_create(&waiter, NULL, wait_for_lock, NULL))
		return 1;
	for (int i = 0; i < nr_turns; i++) {
		int lent;

		pthread_mutex_lock(&lock);
		pthread_barrier_wait(&is_held);
		do
			lent = kernel_priority();
		while (lent == NORMAL);
		printf("%ld %d %d\n", syscall(SYS_gettid), NORMAL, lent);
		pthread_mutex_unlock(&lock);
		printf("%ld %d %d\n", syscall(SYS_gettid), lent, kernel_priority());
		pthread_barrier_wait(&is_over);
	}
	return pthread_join(waiter, NULL);
}
