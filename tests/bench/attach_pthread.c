// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: LD_PRELOAD=pthread.so attach_pthread
 *
 * What the front of POSIX threads costs: each function as the program calls it, beside the C library's own.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

#include "rounds.h"

#define NR_FAST 20000
#define NR_SLOW 500

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;
static pthread_barrier_t barrier;

/* The C library's own. */
static struct {
	__typeof__(&pthread_mutex_lock) mutex_lock;
	__typeof__(&sem_wait) sem_wait;
	__typeof__(&pthread_barrier_wait) barrier_wait;
} bare;

static void mutex_bare(long nr_times)
{
	for (long i = 0; i < nr_times; i++) {
		bare.mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void mutex_attached(long nr_times)
{
	for (long i = 0; i < nr_times; i++) {
		pthread_mutex_lock(&mutex);
		pthread_mutex_unlock(&mutex);
	}
}

static void semaphore_bare(long nr_times)
{
	for (long i = 0; i < nr_times; i++) {
		bare.sem_wait(&semaphore);
		sem_post(&semaphore);
	}
}

static void semaphore_attached(long nr_times)
{
	for (long i = 0; i < nr_times; i++) {
		sem_wait(&semaphore);
		sem_post(&semaphore);
	}
}

static void barrier_bare(long nr_times)
{
	for (long i = 0; i < nr_times; i++)
		bare.barrier_wait(&barrier);
}

static void barrier_attached(long nr_times)
{
	for (long i = 0; i < nr_times; i++)
		pthread_barrier_wait(&barrier);
}

static const struct way uncontended[] = {
	{ "mutex_bare", mutex_bare, NR_FAST, 1 },
	{ "mutex_attached", mutex_attached, NR_FAST, 1 },
	{ "semaphore_bare", semaphore_bare, NR_FAST, 1 },
	{ "semaphore_attached", semaphore_attached, NR_FAST, 1 },
};

static const struct way contended[] = {
	{ "contended_mutex_bare", mutex_bare, NR_FAST, 1 },
	{ "contended_mutex_attached", mutex_attached, NR_FAST, 1 },
	{ "barrier_bare", barrier_bare, NR_SLOW, 1 },
	{ "barrier_attached", barrier_attached, NR_SLOW, 1 },
};

int main(void)
{
	void *libc = dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD);

	if (!libc)
		return 1;
	*(void **)&bare.mutex_lock = dlsym(libc, "pthread_mutex_lock");
	*(void **)&bare.sem_wait = dlsym(libc, "sem_wait");
	*(void **)&bare.barrier_wait = dlsym(libc, "pthread_barrier_wait");
	sem_init(&semaphore, 0, 1);
	pthread_barrier_init(&barrier, NULL, 2);
	if (measure_ways(uncontended, sizeof(uncontended) / sizeof(uncontended[0]), 1))
		return 1;
	return measure_ways(contended, sizeof(contended) / sizeof(contended[0]), 2) ? 1 : 0;
}
