// SPDX-License-Identifier: MIT
/* Waits for semaphores. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>

#include "deadline.h"
#include "real.h"
#include "wait.h"

/* A thread that was cancelled ends here, even if it need not wait. errno stays. */
static bool try_semaphore(sem_t *semaphore)
{
	int saved_errno = errno;

	pthread_testcancel();
	if (!sem_trywait(semaphore))
		return true;
	errno = saved_errno;
	return false;
}

/* Apart, so that the way without a wait is short. */
static __attribute__((noinline)) int wait_for_semaphore(sem_t *semaphore, const void *caller)
{
	return WAIT_CANCELLABLE_OF(caller, "semaphore", semaphore, REAL(sem_wait)(semaphore));
}

WRAPPER int sem_wait(sem_t *semaphore)
{
	if (!attach_is_recording())
		return REAL(sem_wait)(semaphore);
	if (try_semaphore(semaphore))
		return 0;
	return wait_for_semaphore(semaphore, __builtin_return_address(0));
}

WRAPPER int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline)
{
	if (attach_is_recording() && deadline_is_valid(deadline) && try_semaphore(semaphore))
		return 0;
	return WAIT_CANCELLABLE("semaphore", semaphore, REAL(sem_timedwait)(semaphore, deadline));
}

WRAPPER int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
			  const struct timespec *restrict deadline)
{
	if (attach_is_recording() && deadline_clock_is_valid(clock) &&
	    deadline_is_valid(deadline) && try_semaphore(semaphore))
		return 0;
	return WAIT_CANCELLABLE("semaphore", semaphore,
				REAL(sem_clockwait)(semaphore, clock, deadline));
}
