// SPDX-License-Identifier: MIT
/* Waits for mutexes, of POSIX threads and of C11. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdbool.h>
#include <threads.h>
#include <unistd.h>

#include "deadline.h"
#include "real.h"
#include "wait.h"

/*
 * A robust mutex is looked at, not tried: pthread_mutex_trylock() leaves it locked if it is not recoverable
 * (glibc 2.36).
 */
static bool is_robust(const pthread_mutex_t *mutex)
{
#ifdef __GLIBC__
	const int robust = 16; /* in the kind of each robust mutex; a part of the ABI */

	return mutex->__data.__kind & robust;
#else
	(void)mutex;
	return false;
#endif
}

static bool is_held_by_other(const pthread_mutex_t *mutex)
{
#ifdef __GLIBC__
	unsigned int word = (unsigned int)__atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED);
	unsigned int owner = word & FUTEX_TID_MASK;

	return owner && !(word & FUTEX_OWNER_DIED) && owner != (unsigned int)gettid();
#else
	(void)mutex;
	return true;
#endif
}

/* EBUSY: it is not to be had yet, or was not tried. */
static int try_mutex(pthread_mutex_t *mutex)
{
	return is_robust(mutex) ? EBUSY : pthread_mutex_trylock(mutex);
}

static bool is_contended(const pthread_mutex_t *mutex)
{
	return !is_robust(mutex) || is_held_by_other(mutex);
}

/* Apart, so that the way without a wait is short. */
static __attribute__((noinline)) int wait_for_mutex(pthread_mutex_t *mutex, const void *caller)
{
	if (!is_contended(mutex))
		return REAL(pthread_mutex_lock)(mutex);
	return WAIT_OF(caller, "mutex", mutex, REAL(pthread_mutex_lock)(mutex));
}

WRAPPER int pthread_mutex_lock(pthread_mutex_t *mutex)
{
	int result;

	if (!attach_is_recording())
		return REAL(pthread_mutex_lock)(mutex);
	result = try_mutex(mutex);
	if (__builtin_expect(result != EBUSY, 1))
		return result;
	return wait_for_mutex(mutex, __builtin_return_address(0));
}

WRAPPER int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *deadline)
{
	int result = attach_is_recording() ? try_mutex(mutex) : EBUSY;

	if (result != EBUSY)
		return result;
	if (!is_contended(mutex))
		return REAL(pthread_mutex_timedlock)(mutex, deadline);
	return WAIT("mutex", mutex, REAL(pthread_mutex_timedlock)(mutex, deadline));
}

WRAPPER int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
				    const struct timespec *deadline)
{
	bool is_tried = attach_is_recording() && deadline_clock_is_valid(clock);
	int result = is_tried ? try_mutex(mutex) : EBUSY;

	if (result != EBUSY)
		return result;
	if (!is_contended(mutex))
		return REAL(pthread_mutex_clocklock)(mutex, clock, deadline);
	return WAIT("mutex", mutex, REAL(pthread_mutex_clocklock)(mutex, clock, deadline));
}

WRAPPER int mtx_lock(mtx_t *mutex)
{
	int result = attach_is_recording() ? mtx_trylock(mutex) : thrd_busy;

	if (result != thrd_busy)
		return result;
	return WAIT("mutex", mutex, REAL(mtx_lock)(mutex));
}

WRAPPER int mtx_timedlock(mtx_t *restrict mutex, const struct timespec *restrict deadline)
{
	int result = attach_is_recording() ? mtx_trylock(mutex) : thrd_busy;

	if (result != thrd_busy)
		return result;
	return WAIT("mutex", mutex, REAL(mtx_timedlock)(mutex, deadline));
}
