// SPDX-License-Identifier: MIT
/* Waits for the end of a thread. */
#include <pthread.h>
#include <threads.h>

#include "real.h"
#include "wait.h"

WRAPPER int pthread_join(pthread_t thread, void **result)
{
	return WAIT_CANCELLABLE("join", NULL, REAL(pthread_join)(thread, result));
}

WRAPPER int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *deadline)
{
	return WAIT_CANCELLABLE("join", NULL, REAL(pthread_timedjoin_np)(thread, result, deadline));
}

WRAPPER int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
				 const struct timespec *deadline)
{
	return WAIT_CANCELLABLE("join", NULL,
				REAL(pthread_clockjoin_np)(thread, result, clock, deadline));
}

WRAPPER int thrd_join(thrd_t thread, int *result)
{
	return WAIT_CANCELLABLE("join", NULL, REAL(thrd_join)(thread, result));
}
