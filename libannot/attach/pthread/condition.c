// SPDX-License-Identifier: MIT
/*
 * Waits on condition variables, of POSIX threads and of C11. A wait lasts until the thread has the mutex again.
 *
 * On x86-64, the C library has two pthread_cond_wait(), for two layouts. pthread-x86_64.map says that those here
 * are of the newer version, so a program that was linked with the older one keeps that.
 */
#include <pthread.h>
#include <threads.h>

#include "real.h"
#include "wait.h"

WRAPPER int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	return WAIT_CANCELLABLE("condition", condition, REAL(pthread_cond_wait)(condition, mutex));
}

WRAPPER int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
				   const struct timespec *deadline)
{
	return WAIT_CANCELLABLE("condition", condition,
				REAL(pthread_cond_timedwait)(condition, mutex, deadline));
}

WRAPPER int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
				   clockid_t clock, const struct timespec *deadline)
{
	return WAIT_CANCELLABLE("condition", condition,
				REAL(pthread_cond_clockwait)(condition, mutex, clock, deadline));
}

WRAPPER int cnd_wait(cnd_t *condition, mtx_t *mutex)
{
	return WAIT_CANCELLABLE("condition", condition, REAL(cnd_wait)(condition, mutex));
}

WRAPPER int cnd_timedwait(cnd_t *restrict condition, mtx_t *restrict mutex,
			  const struct timespec *restrict deadline)
{
	return WAIT_CANCELLABLE("condition", condition,
				REAL(cnd_timedwait)(condition, mutex, deadline));
}
