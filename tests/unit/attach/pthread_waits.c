// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: pthread_waits SCENARIO
 *
 * Waits of threads that measure them with their own clocks. Prints a line for each: what waits in the trace are
 * called, the thread, the line of the call, and how long it took.
 */
#include <errno.h>
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

#define WAITERS 3
#define HELD_US 60000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t c11_mutex;
static cnd_t c11_condition;
static sem_t semaphore;
static pthread_barrier_t barrier;

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static struct timespec deadline(clockid_t clock, long ms)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_sec += (time.tv_nsec + ms * 1000000) / 1000000000;
	time.tv_nsec = (time.tv_nsec + ms * 1000000) % 1000000000;
	return time;
}

static void must(bool is_right, int line)
{
	if (!is_right) {
		fprintf(stderr, "line %d: wrong result\n", line);
		exit(1);
	}
}

/* The call stands in one line with this. */
#define MEASURE(word, wanted, call)                                                      \
	do {                                                                             \
		uint64_t begin_ns = now_ns();                                            \
		must((call) == (wanted), __LINE__);                                      \
		printf("%s %d %d %lu\n", word, gettid(), __LINE__, now_ns() - begin_ns); \
	} while (0)

/* How to lock and unlock, and how others wait. Clang-format would break lines of calls. */
/* clang-format off */
static void lock_mutex(void) { must(!pthread_mutex_lock(&mutex), __LINE__); }
static void unlock_mutex(void) { must(!pthread_mutex_unlock(&mutex), __LINE__); }
static void write_rwlock(void) { must(!pthread_rwlock_wrlock(&rwlock), __LINE__); }
static void read_rwlock(void) { must(!pthread_rwlock_rdlock(&rwlock), __LINE__); }
static void unlock_rwlock(void) { must(!pthread_rwlock_unlock(&rwlock), __LINE__); }
static void lock_c11(void) { must(mtx_lock(&c11_mutex) == thrd_success, __LINE__); }
static void unlock_c11(void) { must(mtx_unlock(&c11_mutex) == thrd_success, __LINE__); }
static void take_semaphore(void) { must(!sem_wait(&semaphore), __LINE__); }
static void give_semaphore(void) { must(!sem_post(&semaphore), __LINE__); }

static struct timespec in_30_s, in_30_s_mono;

static void wait_lock(void) { MEASURE("mutex", 0, pthread_mutex_lock(&mutex)); }
static void wait_timedlock(void) { MEASURE("mutex", 0, pthread_mutex_timedlock(&mutex, &in_30_s)); }
static void wait_clocklock(void) { MEASURE("mutex", 0, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &in_30_s_mono)); }
static void wait_c11_lock(void) { MEASURE("mutex", thrd_success, mtx_lock(&c11_mutex)); }
static void wait_c11_timedlock(void) { MEASURE("mutex", thrd_success, mtx_timedlock(&c11_mutex, &in_30_s)); }
static void wait_rdlock(void) { MEASURE("rwlock", 0, pthread_rwlock_rdlock(&rwlock)); }
static void wait_wrlock(void) { MEASURE("rwlock", 0, pthread_rwlock_wrlock(&rwlock)); }
static void wait_timedrdlock(void) { MEASURE("rwlock", 0, pthread_rwlock_timedrdlock(&rwlock, &in_30_s)); }
static void wait_timedwrlock(void) { MEASURE("rwlock", 0, pthread_rwlock_timedwrlock(&rwlock, &in_30_s)); }
static void wait_clockrdlock(void) { MEASURE("rwlock", 0, pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &in_30_s_mono)); }
static void wait_clockwrlock(void) { MEASURE("rwlock", 0, pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &in_30_s_mono)); }
static void wait_sem(void) { MEASURE("semaphore", 0, sem_wait(&semaphore)); }
static void wait_timedsem(void) { MEASURE("semaphore", 0, sem_timedwait(&semaphore, &in_30_s)); }
static void wait_clocksem(void) { MEASURE("semaphore", 0, sem_clockwait(&semaphore, CLOCK_MONOTONIC, &in_30_s_mono)); }
/* clang-format on */

static const struct {
	void (*lock)(void);
	void (*unlock)(void);
	void (*wait)(void);
} held[] = {
	{ lock_mutex, unlock_mutex, wait_lock },
	{ lock_mutex, unlock_mutex, wait_timedlock },
	{ lock_mutex, unlock_mutex, wait_clocklock },
	{ lock_c11, unlock_c11, wait_c11_lock },
	{ lock_c11, unlock_c11, wait_c11_timedlock },
	{ write_rwlock, unlock_rwlock, wait_rdlock },
	{ read_rwlock, unlock_rwlock, wait_wrlock },
	{ write_rwlock, unlock_rwlock, wait_timedrdlock },
	{ read_rwlock, unlock_rwlock, wait_timedwrlock },
	{ write_rwlock, unlock_rwlock, wait_clockrdlock },
	{ read_rwlock, unlock_rwlock, wait_clockwrlock },
	{ take_semaphore, give_semaphore, wait_sem },
	{ take_semaphore, give_semaphore, wait_timedsem },
	{ take_semaphore, give_semaphore, wait_clocksem },
};

static void set_deadlines(void)
{
	in_30_s = deadline(CLOCK_REALTIME, 30000);
	in_30_s_mono = deadline(CLOCK_MONOTONIC, 30000);
}

struct waiter {
	pthread_t thread;
	size_t index;
	int tid; /* 0: it has not come as far as its wait */
};

static void *waiter(void *argument)
{
	struct waiter *waiter = argument;

	__atomic_store_n(&waiter->tid, gettid(), __ATOMIC_RELAXED);
	held[waiter->index].wait();
	held[waiter->index].unlock();
	return NULL;
}

static bool is_asleep(const struct waiter *waiter)
{
	int tid = __atomic_load_n(&waiter->tid, __ATOMIC_RELAXED);

	return tid && thread_is_asleep(tid);
}

/* What is held while others wait for it; joins of threads are waits, too. */
static void scenario_held(void)
{
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
		struct waiter waiters[WAITERS] = { { 0 } };

		set_deadlines();
		held[i].lock();
		for (int t = 0; t < WAITERS; t++) {
			waiters[t].index = i;
			pthread_create(&waiters[t].thread, NULL, waiter, &waiters[t]);
		}
		for (int t = 0; t < WAITERS; t++) {
			while (!is_asleep(&waiters[t]))
				usleep(100);
		}
		usleep(HELD_US);
		held[i].unlock();
		for (int t = 0; t < WAITERS; t++)
			MEASURE("join", 0, pthread_join(waiters[t].thread, NULL));
	}
}

/* What is always to be had. */
static void scenario_uncontended(void)
{
	set_deadlines();
	for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++) {
		freopen("/dev/null", "w", stdout);
		for (int n = 0; n < 1000; n++) {
			held[i].wait();
			held[i].unlock();
		}
	}
}

#define ROUNDS 10

static void *at_barrier(void *argument)
{
	for (int round = 0; round < ROUNDS; round++) {
		uint64_t begin_ns;
		int result;

		usleep((useconds_t)(1000 + 20000 * (uintptr_t)argument));
		begin_ns = now_ns();
		result = pthread_barrier_wait(&barrier);
		must(!result || result == PTHREAD_BARRIER_SERIAL_THREAD, __LINE__);
		printf("barrier %d %d %lu\n", gettid(), __LINE__ - 2, now_ns() - begin_ns);
	}
	return NULL;
}

/* A thread is late by so much that the order of the others does not matter. */
static void scenario_barrier(void)
{
	pthread_t threads[WAITERS];

	pthread_barrier_init(&barrier, NULL, WAITERS);
	for (int t = 0; t < WAITERS; t++)
		pthread_create(&threads[t], NULL, at_barrier, (void *)(uintptr_t)t);
	for (int t = 0; t < WAITERS; t++)
		MEASURE("join", 0, pthread_join(threads[t], NULL));
}

static int turn;

/* Where another thread may have the lock, and this one is to make no wait of it. */
static void lock_mutex_by_trying(void)
{
	while (pthread_mutex_trylock(&mutex))
		usleep(1000);
}

static void lock_c11_by_trying(void)
{
	while (mtx_trylock(&c11_mutex) != thrd_success)
		usleep(1000);
}

static void *ping_pong(void *argument)
{
	int mine = (int)(uintptr_t)argument;

	lock_mutex_by_trying();
	for (int round = 0; round < 200; round++) {
		while (turn != mine)
			MEASURE("condition", 0, pthread_cond_wait(&condition, &mutex));
		turn = !mine;
		pthread_cond_broadcast(&condition);
	}
	unlock_mutex();
	return NULL;
}

/* clang-format off */
static void condition_timeouts(void)
{
	struct timespec soon = deadline(CLOCK_REALTIME, 20), soon_mono = deadline(CLOCK_MONOTONIC, 40);

	lock_mutex();
	MEASURE("condition", ETIMEDOUT, pthread_cond_timedwait(&condition, &mutex, &soon));
	MEASURE("condition", ETIMEDOUT, pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &soon_mono));
	unlock_mutex();
	soon = deadline(CLOCK_REALTIME, 20);
	lock_c11();
	MEASURE("condition", thrd_timedout, cnd_timedwait(&c11_condition, &c11_mutex, &soon));
	unlock_c11();
}
/* clang-format on */

static int c11_waiter(void *argument)
{
	lock_c11_by_trying();
	*(bool *)argument = true;
	MEASURE("condition", thrd_success, cnd_wait(&c11_condition, &c11_mutex));
	unlock_c11();
	return 7;
}

static void c11_wait(void)
{
	bool waits = false, is_awake = false;
	int result = 0;
	thrd_t thread;

	thrd_create(&thread, c11_waiter, &waits);
	while (!is_awake) {
		usleep(20000);
		if (mtx_trylock(&c11_mutex) != thrd_success)
			continue;
		is_awake = waits;
		cnd_signal(&c11_condition);
		unlock_c11();
	}
	MEASURE("join", thrd_success, thrd_join(thread, &result));
	must(result == 7, __LINE__);
}

static void scenario_condition(void)
{
	pthread_t threads[2];

	for (int t = 0; t < 2; t++)
		pthread_create(&threads[t], NULL, ping_pong, (void *)(uintptr_t)t);
	for (int t = 0; t < 2; t++)
		MEASURE("join", 0, pthread_join(threads[t], NULL));
	condition_timeouts();
	c11_wait();
}

static void *sleeper(void *argument)
{
	usleep(300000);
	return argument;
}

/* clang-format off */
static void scenario_join(void)
{
	struct timespec soon = deadline(CLOCK_REALTIME, 10);
	void *result = NULL;
	pthread_t thread;

	set_deadlines();
	pthread_create(&thread, NULL, sleeper, &result);
	MEASURE("join", ETIMEDOUT, pthread_timedjoin_np(thread, NULL, &soon));
	MEASURE("join", 0, pthread_timedjoin_np(thread, &result, &in_30_s));
	must(result == &result, __LINE__);
	pthread_create(&thread, NULL, sleeper, NULL);
	MEASURE("join", 0, pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &in_30_s_mono));
	must(!result, __LINE__);
}
/* clang-format on */

static const struct {
	const char *name;
	void (*run)(void);
} scenarios[] = {
	{ "held", scenario_held },	 { "uncontended", scenario_uncontended },
	{ "barrier", scenario_barrier }, { "condition", scenario_condition },
	{ "join", scenario_join },
};

int main(int argc, char *argv[])
{
	if (argc != 2)
		return 2;
	mtx_init(&c11_mutex, mtx_timed);
	cnd_init(&c11_condition);
	sem_init(&semaphore, 0, 1);
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (!strcmp(argv[1], scenarios[i].name)) {
			scenarios[i].run();
			return 0;
		}
	}
	return 2;
}
