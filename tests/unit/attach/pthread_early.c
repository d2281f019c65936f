// SPDX-License-Identifier: GPL-2.0
/*
 * A library whose allocator locks, as many do, and whose dlsym() allocates, as that of older C libraries does. It
 * is preloaded, too: its constructor runs before what it stands behind. At its end it prints how often it locked.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);

static pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static unsigned int nr_locked, nr_failed, nr_looked_up;

static void lock_for_a_moment(void)
{
	if (pthread_mutex_lock(&mutex)) {
		nr_failed++;
		return;
	}
	nr_locked++;
	if (pthread_mutex_unlock(&mutex))
		nr_failed++;
}

void *malloc(size_t bytes)
{
	lock_for_a_moment();
	return __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	lock_for_a_moment();
	return __libc_calloc(count, bytes);
}

/* Its search begins behind this library, which is behind the one that asks. */
void *dlsym(void *restrict handle, const char *restrict name)
{
	static void *(*real)(void *handle, const char *name);

	nr_looked_up++;
	lock_for_a_moment();
	if (!real)
		*(void **)&real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.34");
	if (!real)
		*(void **)&real = dlvsym(RTLD_NEXT, "dlsym", "GLIBC_2.2.5");
	return real(handle, name);
}

/* The first annotation of the process: it decides whether any is recorded. */
__attribute__((constructor(101))) static void early(void)
{
	int (*recording)(void);

	*(void **)&recording = dlvsym(RTLD_DEFAULT, "annot_recording", "ANNOT_0.2");
	if (!recording)
		nr_failed++;
	else
		recording();
	lock_for_a_moment();
}

__attribute__((destructor)) static void tell(void)
{
	fprintf(stderr, "%s\n", nr_failed || !nr_locked || !nr_looked_up ? "wrong" : "right");
}
