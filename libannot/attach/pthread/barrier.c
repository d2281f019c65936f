// SPDX-License-Identifier: MIT
/* Waits at barriers. That of the last thread to arrive is short. */
#include <pthread.h>

#include "real.h"
#include "wait.h"

WRAPPER int pthread_barrier_wait(pthread_barrier_t *barrier)
{
	return WAIT("barrier", barrier, REAL(pthread_barrier_wait)(barrier));
}
