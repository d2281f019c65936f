// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: pthread_ends cancel | exit | loader
 *
 * Threads that wait, and whose wait has another end than its return. Prints for each what waits in the trace are
 * called, the thread, the line of the call, and until when it took, in ns.
 */
#include <dirent.h>
#include <link.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#include "asleep.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static sem_t semaphore;
static pthread_t main_thread;
static struct timespec later;

struct wait {
	const char *word;
	int line;
};

static void tell(void *argument)
{
	struct wait *wait = argument;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	printf("%s %d %d %lu\n", wait->word, gettid(), wait->line,
	       (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec);
	fflush(stdout);
}

static void unlock(void *locked)
{
	pthread_mutex_unlock(locked);
}

static void unlock_c11(void *locked)
{
	mtx_unlock(locked);
}

/* In one line, as the call is. */
#define CANCELLED(name, call)                                                 \
	do {                                                                  \
		static struct wait wait = { .word = name, .line = __LINE__ }; \
		pthread_cleanup_push(tell, &wait);                            \
		call;                                                         \
		pthread_cleanup_pop(0);                                       \
	} while (0)

/* Nobody signals any condition. */
#define WITH_MUTEX(locked, lock, unlock, name, call)  \
	do {                                          \
		lock(locked);                         \
		pthread_cleanup_push(unlock, locked); \
		CANCELLED(name, call);                \
		pthread_cleanup_pop(1);               \
	} while (0)

#define THREAD(function, ...)                 \
	static void *function(void *argument) \
	{                                     \
		__VA_ARGS__;                  \
		return argument;              \
	}

/* clang-format off */
THREAD(in_wait, WITH_MUTEX(&mutex, pthread_mutex_lock, unlock, "condition", pthread_cond_wait(&condition, &mutex)))
THREAD(in_timedwait, WITH_MUTEX(&mutex, pthread_mutex_lock, unlock, "condition", pthread_cond_timedwait(&condition, &mutex, &later)))
THREAD(in_clockwait, WITH_MUTEX(&mutex, pthread_mutex_lock, unlock, "condition", pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &later)))
THREAD(in_c11_wait, WITH_MUTEX(&c11_mutex, mtx_lock, unlock_c11, "condition", cnd_wait(&c11_condition, &c11_mutex)))
THREAD(in_c11_timedwait, WITH_MUTEX(&c11_mutex, mtx_lock, unlock_c11, "condition", cnd_timedwait(&c11_condition, &c11_mutex, &later)))
THREAD(in_sem_wait, CANCELLED("semaphore", sem_wait(&semaphore)))
THREAD(in_sem_timedwait, CANCELLED("semaphore", sem_timedwait(&semaphore, &later)))
THREAD(in_sem_clockwait, CANCELLED("semaphore", sem_clockwait(&semaphore, CLOCK_REALTIME, &later)))
THREAD(in_join, CANCELLED("join", pthread_join(main_thread, NULL)))
THREAD(in_timedjoin, CANCELLED("join", pthread_timedjoin_np(main_thread, NULL, &later)))
THREAD(in_clockjoin, CANCELLED("join", pthread_clockjoin_np(main_thread, NULL, CLOCK_REALTIME, &later)))
THREAD(in_c11_join, CANCELLED("join", thrd_join(main_thread, NULL)))
/* clang-format on */

static void *(*const waits[])(void *) = {
	in_wait,	  in_timedwait, in_clockwait,	  in_c11_wait,
	in_c11_timedwait, in_sem_wait,	in_sem_timedwait, in_sem_clockwait,
	in_join,	  in_timedjoin, in_clockjoin,	  in_c11_join,
};

#define WAITS (sizeof(waits) / sizeof(waits[0]))

static bool all_others_sleep(void)
{
	DIR *tasks = opendir("/proc/self/task");
	const struct dirent *entry;
	bool all = true;

	while (tasks && (entry = readdir(tasks))) {
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != gettid())
			all &= thread_is_asleep(atoi(entry->d_name));
	}
	if (tasks)
		closedir(tasks);
	return all;
}

/* On a busy machine they may come to their waits late. Looked at twice: before, they may have slept elsewhere. */
static void await_waits(void)
{
	for (int nr = 0; nr < 2;) {
		usleep(30000);
		nr = all_others_sleep() ? nr + 1 : 0;
	}
}

static int cancel_each(void)
{
	for (size_t i = 0; i < WAITS; i++) {
		pthread_t thread;
		void *result;

		pthread_create(&thread, NULL, waits[i], NULL);
		await_waits();
		pthread_cancel(thread);
		pthread_join(thread, &result);
		if (result != PTHREAD_CANCELED)
			return 1;
	}
	return 0;
}

static int exit_beside_waits(void)
{
	pthread_t thread;

	for (size_t i = 0; i < WAITS; i++)
		pthread_create(&thread, NULL, waits[i], NULL);
	await_waits();
	return 3;
}

static bool is_in_loader, is_contended;

static int wait_in_loader(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)info;
	(void)size;
	(void)context;
	__atomic_store_n(&is_in_loader, true, __ATOMIC_RELEASE);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return 1;
}

static void *in_loader(void *argument)
{
	dl_iterate_phdr(wait_in_loader, NULL);
	return argument;
}

/* Waits for the first time, while it has what the other thread waits for. */
static void *beside_loader(void *argument)
{
	pthread_t thread;

	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, in_loader, NULL);
	while (!__atomic_load_n(&is_in_loader, __ATOMIC_ACQUIRE))
		usleep(1000);
	__atomic_store_n(&is_contended, true, __ATOMIC_RELEASE);
	sem_wait(&semaphore);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
	return argument;
}

/* The loader has a lock, which the program holds in a callback. */
static int wait_beside_loader(void)
{
	pthread_t thread;

	alarm(20);
	pthread_create(&thread, NULL, beside_loader, NULL);
	while (!__atomic_load_n(&is_contended, __ATOMIC_ACQUIRE))
		usleep(1000);
	usleep(300000);
	sem_post(&semaphore);
	return pthread_join(thread, NULL);
}

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	main_thread = pthread_self();
	clock_gettime(CLOCK_REALTIME, &later);
	later.tv_sec += 100;
	sem_init(&semaphore, 0, 0);
	mtx_init(&c11_mutex, mtx_timed);
	cnd_init(&c11_condition);
	if (!strcmp(argv[1], "loader"))
		return wait_beside_loader();
	return strcmp(argv[1], "exit") ? cancel_each() : exit_beside_waits();
}
