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
static bool try_semaphore(sem_t *semaphore, bool is_tried)
{
	int saved_errno = errno;

	if (!is_tried || !attach_is_recording())
		return false;
	pthread_testcancel();
	if (!sem_trywait(semaphore))
		return true;
	errno = saved_errno;
	return false;
}

WRAPPER int sem_wait(sem_t *semaphore)
{
	if (try_semaphore(semaphore, true))
		return 0;
	return WAIT_CANCELLABLE("semaphore", semaphore, REAL(sem_wait)(semaphore));
}

WRAPPER int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline)
{
	if (try_semaphore(semaphore, deadline_is_valid(deadline)))
		return 0;
	return WAIT_CANCELLABLE("semaphore", semaphore, REAL(sem_timedwait)(semaphore, deadline));
}

WRAPPER int sem_clockwait(sem_t *restrict semaphore, clockid_t clock,
			  const struct timespec *restrict deadline)
{
	if (try_semaphore(semaphore, deadline_clock_is_valid(clock) && deadline_is_valid(deadline)))
		return 0;
	return WAIT_CANCELLABLE("semaphore", semaphore,
				REAL(sem_clockwait)(semaphore, clock, deadline));
}
