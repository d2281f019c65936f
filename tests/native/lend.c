// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: lend TURNS PRIORITY
 *
 * A thread of no realtime priority holds a lock that hands priorities on, each time a thread of that realtime PRIORITY comes
 * to wait for it: it is lent the priority, and gives it back. For each of these, in a line: the thread, and the priorities
 * before and after, as the kernel counts them.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NORMAL 120 /* nice 0 */
#define LOWEST_REALTIME 99

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

/* As proc(5) has it, counted from another end. */
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
	return value + LOWEST_REALTIME + 1;
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
