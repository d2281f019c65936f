/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that work for the main thread.
 */
#ifndef ANNOT_UTIL_WORKER_H
#define ANNOT_UTIL_WORKER_H

#include <pthread.h>

/* The cores that this process may use: at least one. */
int worker_nr_cores(void);

/* Starts a thread that calls @run with @context. It takes no signals: these are for the main thread. Returns 0, or an errno. */
int worker_start(pthread_t *thread, void *(*run)(void *context), void *context);

#endif /* ANNOT_UTIL_WORKER_H */
