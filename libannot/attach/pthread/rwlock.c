// SPDX-License-Identifier: MIT
/* Waits for read-write locks. */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>

#include "deadline.h"
#include "real.h"
#include "wait.h"

static int try_read(pthread_rwlock_t *lock, bool is_tried)
{
	return is_tried && attach_is_recording() ? pthread_rwlock_tryrdlock(lock) : EBUSY;
}

static int try_write(pthread_rwlock_t *lock, bool is_tried)
{
	return is_tried && attach_is_recording() ? pthread_rwlock_trywrlock(lock) : EBUSY;
}

/* Apart, so that the way without a wait is short. */
static __attribute__((noinline)) int wait_to_read(pthread_rwlock_t *lock, const void *caller)
{
	return WAIT_OF(caller, "rwlock", lock, REAL(pthread_rwlock_rdlock)(lock));
}

static __attribute__((noinline)) int wait_to_write(pthread_rwlock_t *lock, const void *caller)
{
	return WAIT_OF(caller, "rwlock", lock, REAL(pthread_rwlock_wrlock)(lock));
}

WRAPPER int pthread_rwlock_rdlock(pthread_rwlock_t *lock)
{
	int result;

	if (!attach_is_recording())
		return REAL(pthread_rwlock_rdlock)(lock);
	result = pthread_rwlock_tryrdlock(lock);
	return result == EBUSY ? wait_to_read(lock, __builtin_return_address(0)) : result;
}

WRAPPER int pthread_rwlock_wrlock(pthread_rwlock_t *lock)
{
	int result;

	if (!attach_is_recording())
		return REAL(pthread_rwlock_wrlock)(lock);
	result = pthread_rwlock_trywrlock(lock);
	return result == EBUSY ? wait_to_write(lock, __builtin_return_address(0)) : result;
}

WRAPPER int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *deadline)
{
	int result = try_read(lock, deadline_is_valid(deadline));

	if (result != EBUSY)
		return result;
	return WAIT("rwlock", lock, REAL(pthread_rwlock_timedrdlock)(lock, deadline));
}

WRAPPER int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *deadline)
{
	int result = try_write(lock, deadline_is_valid(deadline));

	if (result != EBUSY)
		return result;
	return WAIT("rwlock", lock, REAL(pthread_rwlock_timedwrlock)(lock, deadline));
}

WRAPPER int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock,
				       const struct timespec *deadline)
{
	int result = try_read(lock, deadline_clock_is_valid(clock) && deadline_is_valid(deadline));

	if (result != EBUSY)
		return result;
	return WAIT("rwlock", lock, REAL(pthread_rwlock_clockrdlock)(lock, clock, deadline));
}

WRAPPER int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock,
				       const struct timespec *deadline)
{
	int result = try_write(lock, deadline_clock_is_valid(clock) && deadline_is_valid(deadline));

	if (result != EBUSY)
		return result;
	return WAIT("rwlock", lock, REAL(pthread_rwlock_clockwrlock)(lock, clock, deadline));
}
