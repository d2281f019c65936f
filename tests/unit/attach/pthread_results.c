// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: pthread_results
 *
 * Prints what calls return that are refused, interrupted or special: the same, whatever is preloaded.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* errno must be as it was where a call does not set it. */
#define SHOW(call)                                                              \
	do {                                                                    \
		int shown;                                                      \
		errno = 77;                                                     \
		shown = (call);                                                 \
		printf("%d %s: %d, errno %d\n", __LINE__, #call, shown, errno); \
		fflush(stdout);                                                 \
	} while (0)

static const struct timespec past = { 1, 0 };
static const struct timespec wrong = { 1, 1000000000 };
static const struct timespec negative = { 1, -1 };

static struct timespec in_ms(clockid_t clock, long ms)
{
	struct timespec time;

	clock_gettime(clock, &time);
	time.tv_nsec += ms * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static void *lock_and_die(void *mutex)
{
	SHOW(pthread_mutex_lock(mutex));
	return NULL;
}

static void *in_other_thread(void *mutex)
{
	struct timespec soon = in_ms(CLOCK_REALTIME, 10), soon_mono = in_ms(CLOCK_MONOTONIC, 10);

	SHOW(pthread_mutex_timedlock(mutex, &soon));
	SHOW(pthread_mutex_timedlock(mutex, &wrong));
	SHOW(pthread_mutex_timedlock(mutex, &negative));
	SHOW(pthread_mutex_timedlock(mutex, &past));
	SHOW(pthread_mutex_clocklock(mutex, CLOCK_MONOTONIC, &soon_mono));
	SHOW(pthread_mutex_clocklock(mutex, CLOCK_BOOTTIME, &soon_mono));
	return NULL;
}

static void run(void *(*function)(void *), void *argument)
{
	pthread_t thread;

	pthread_create(&thread, NULL, function, argument);
	SHOW(pthread_join(thread, NULL));
}

static void show_mutex(const char *name, int type, int protocol, int robust)
{
	pthread_mutexattr_t attributes;
	pthread_mutex_t mutex;

	printf("%s\n", name);
	pthread_mutexattr_init(&attributes);
	SHOW(pthread_mutexattr_settype(&attributes, type));
	SHOW(pthread_mutexattr_setprotocol(&attributes, protocol));
	SHOW(pthread_mutexattr_setrobust(&attributes, robust));
	SHOW(pthread_mutex_init(&mutex, &attributes));
	SHOW(pthread_mutex_lock(&mutex));
	if (type == PTHREAD_MUTEX_RECURSIVE || type == PTHREAD_MUTEX_ERRORCHECK) {
		SHOW(pthread_mutex_lock(&mutex));
		SHOW(pthread_mutex_timedlock(&mutex, &wrong));
		SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
		SHOW(pthread_mutex_clocklock(&mutex, CLOCK_BOOTTIME, &past));
	}
	run(in_other_thread, &mutex);
	while (!pthread_mutex_unlock(&mutex) && type == PTHREAD_MUTEX_RECURSIVE)
		;
	SHOW(pthread_mutex_timedlock(&mutex, &wrong));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_BOOTTIME, &past));
	if (robust != PTHREAD_MUTEX_ROBUST)
		return;
	run(lock_and_die, &mutex);
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_consistent(&mutex));
	SHOW(pthread_mutex_unlock(&mutex));
	run(lock_and_die, &mutex);
	SHOW(pthread_mutex_timedlock(&mutex, &past));
	SHOW(pthread_mutex_unlock(&mutex));
	SHOW(pthread_mutex_lock(&mutex));
	SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &past));
}

static pthread_mutex_t awaited;
static bool is_awaited_held;

static void *wait_for_robust(void *argument)
{
	(void)argument;
	SHOW(pthread_mutex_lock(&awaited));
	SHOW(pthread_mutex_consistent(&awaited));
	SHOW(pthread_mutex_unlock(&awaited));
	return NULL;
}

static void *die_while_awaited(void *argument)
{
	(void)argument;
	SHOW(pthread_mutex_lock(&awaited));
	__atomic_store_n(&is_awaited_held, true, __ATOMIC_RELEASE);
	usleep(50000);
	return NULL;
}

static void show_robust_wait(void)
{
	pthread_mutexattr_t attributes;
	pthread_t owner, waiter;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
	pthread_mutex_init(&awaited, &attributes);
	pthread_create(&owner, NULL, die_while_awaited, NULL);
	while (!__atomic_load_n(&is_awaited_held, __ATOMIC_ACQUIRE))
		usleep(1000);
	pthread_create(&waiter, NULL, wait_for_robust, NULL);
	pthread_join(owner, NULL);
	SHOW(pthread_join(waiter, NULL));
}

static void *read_in_other_thread(void *lock)
{
	struct timespec soon = in_ms(CLOCK_REALTIME, 10);

	SHOW(pthread_rwlock_timedrdlock(lock, &soon));
	SHOW(pthread_rwlock_timedwrlock(lock, &past));
	SHOW(pthread_rwlock_clockrdlock(lock, CLOCK_MONOTONIC, &past));
	SHOW(pthread_rwlock_clockwrlock(lock, CLOCK_BOOTTIME, &past));
	return NULL;
}

static void show_rwlock(void)
{
	pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

	SHOW(pthread_rwlock_timedrdlock(&lock, &wrong));
	SHOW(pthread_rwlock_timedwrlock(&lock, &negative));
	SHOW(pthread_rwlock_clockrdlock(&lock, CLOCK_BOOTTIME, &past));
	SHOW(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &wrong));
	SHOW(pthread_rwlock_wrlock(&lock));
	SHOW(pthread_rwlock_wrlock(&lock));
	SHOW(pthread_rwlock_rdlock(&lock));
	run(read_in_other_thread, &lock);
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_rdlock(&lock));
	SHOW(pthread_rwlock_rdlock(&lock));
	SHOW(pthread_rwlock_timedwrlock(&lock, &past));
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_unlock(&lock));
	SHOW(pthread_rwlock_clockwrlock(&lock, CLOCK_MONOTONIC, &past));
	SHOW(pthread_rwlock_unlock(&lock));
}

static void on_alarm(int signal)
{
	(void)signal;
}

static void alarm_in_ms(int ms)
{
	struct sigaction action = { .sa_handler = on_alarm };
	struct itimerval timer = { .it_value.tv_usec = ms * 1000 };

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void show_semaphore(void)
{
	struct timespec later = in_ms(CLOCK_REALTIME, 900);
	sem_t semaphore;

	sem_init(&semaphore, 0, 1);
	SHOW(sem_timedwait(&semaphore, &wrong));
	SHOW(sem_clockwait(&semaphore, CLOCK_BOOTTIME, &past));
	SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &negative));
	SHOW(sem_wait(&semaphore));
	alarm_in_ms(20);
	SHOW(sem_wait(&semaphore));
	alarm_in_ms(20);
	SHOW(sem_timedwait(&semaphore, &later));
	SHOW(sem_timedwait(&semaphore, &past));
	SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
	SHOW(sem_post(&semaphore));
	SHOW(sem_timedwait(&semaphore, &past));
	SHOW(sem_post(&semaphore));
	SHOW(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &past));
}

/* A semaphore that can be had, in a thread that is cancelled already: the thread must not get it. */
static sem_t unused_semaphore;

static void *wait_when_cancelled(void *argument)
{
	(void)argument;
	pthread_cancel(pthread_self());
	sem_wait(&unused_semaphore);
	puts("not cancelled");
	return NULL;
}

static void show_pending_cancellation(void)
{
	pthread_t thread;
	void *result;
	int value;

	sem_init(&unused_semaphore, 0, 1);
	pthread_create(&thread, NULL, wait_when_cancelled, NULL);
	SHOW(pthread_join(thread, &result));
	sem_getvalue(&unused_semaphore, &value);
	printf("cancelled: %d, semaphore: %d\n", result == PTHREAD_CANCELED, value);
}

static void *sleep_long(void *argument)
{
	sleep(100);
	return argument;
}

static void show_join(void)
{
	pthread_t thread;
	void *result = NULL;

	SHOW(pthread_join(pthread_self(), NULL));
	pthread_create(&thread, NULL, sleep_long, NULL);
	SHOW(pthread_timedjoin_np(thread, NULL, &past));
	SHOW(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past));
	SHOW(pthread_clockjoin_np(thread, NULL, CLOCK_BOOTTIME, &past));
	pthread_cancel(thread);
	SHOW(pthread_join(thread, &result));
	printf("cancelled: %d\n", result == PTHREAD_CANCELED);
	pthread_create(&thread, NULL, sleep_long, NULL);
	pthread_detach(thread);
	SHOW(pthread_join(thread, NULL));
}

static void show_condition(void)
{
	pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	pthread_mutex_lock(&mutex);
	SHOW(pthread_cond_timedwait(&condition, &mutex, &past));
	SHOW(pthread_cond_timedwait(&condition, &mutex, &wrong));
	SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_MONOTONIC, &past));
	SHOW(pthread_cond_clockwait(&condition, &mutex, CLOCK_BOOTTIME, &past));
	pthread_mutex_unlock(&mutex);
}

static int c11_in_other_thread(void *mutex)
{
	SHOW(mtx_timedlock(mutex, &past));
	SHOW(mtx_timedlock(mutex, &wrong));
	return 3;
}

static void show_c11(void)
{
	mtx_t mutex;
	cnd_t condition;
	thrd_t thread;
	int result = 0;

	mtx_init(&mutex, mtx_timed | mtx_recursive);
	cnd_init(&condition);
	SHOW(mtx_lock(&mutex));
	SHOW(mtx_timedlock(&mutex, &wrong));
	SHOW(mtx_unlock(&mutex));
	SHOW(cnd_timedwait(&condition, &mutex, &past));
	thrd_create(&thread, c11_in_other_thread, &mutex);
	SHOW(thrd_join(thread, &result));
	printf("result %d\n", result);
}

static void show_barrier(void)
{
	pthread_barrier_t barrier;

	pthread_barrier_init(&barrier, NULL, 1);
	SHOW(pthread_barrier_wait(&barrier));
}

static void *fork_in_thread(void *mutex)
{
	int status;
	pid_t child = fork();

	if (!child) {
		struct timespec soon = in_ms(CLOCK_REALTIME, 20);

		SHOW(pthread_mutex_lock(mutex));
		SHOW(pthread_mutex_unlock(mutex));
		/* As first_annotation.c, for this process: what another thread annotates beside it has no thread. */
		show_barrier();
		run(in_other_thread, mutex);
		SHOW(pthread_mutex_timedlock(mutex, &soon));
		fflush(stdout);
		_exit(5);
	}
	waitpid(child, &status, 0);
	printf("child: %d\n", WEXITSTATUS(status));
	return NULL;
}

int main(void)
{
	static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

	show_mutex("normal", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	show_mutex("recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	show_mutex("checked", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	show_mutex("adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_STALLED);
	show_mutex("robust", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, PTHREAD_MUTEX_ROBUST);
	show_mutex("robust recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE,
		   PTHREAD_MUTEX_ROBUST);
	show_mutex("inheriting", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, PTHREAD_MUTEX_STALLED);
	show_mutex("inheriting checked", PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_INHERIT,
		   PTHREAD_MUTEX_STALLED);
	show_mutex("inheriting robust", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT,
		   PTHREAD_MUTEX_ROBUST);
	show_mutex("protecting", PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_PROTECT, PTHREAD_MUTEX_STALLED);
	show_robust_wait();
	show_rwlock();
	show_semaphore();
	show_pending_cancellation();
	show_join();
	show_condition();
	show_c11();
	show_barrier();
	run(fork_in_thread, &mutex);
	return 0;
}
