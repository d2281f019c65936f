/* SPDX-License-Identifier: MIT */
/*
 * Some functions of the C library refuse a wrong time or clock before they look whether they need it. What is
 * to be refused must not be tried first.
 */
#ifndef LIBANNOT_ATTACH_PTHREAD_DEADLINE_H
#define LIBANNOT_ATTACH_PTHREAD_DEADLINE_H

#include <stdbool.h>
#include <time.h>

static inline bool deadline_is_valid(const struct timespec *deadline)
{
	return deadline->tv_nsec >= 0 && deadline->tv_nsec < 1000000000;
}

static inline bool deadline_clock_is_valid(clockid_t clock)
{
	return clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
}

#endif /* LIBANNOT_ATTACH_PTHREAD_DEADLINE_H */
