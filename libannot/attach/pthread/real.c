// SPDX-License-Identifier: MIT
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

#define REAL_NAME(name) #name,
static const char *const names[REAL_FUNCTIONS] = { REAL_EACH(REAL_NAME) };

void *real_addresses[REAL_FUNCTIONS];

static __thread bool is_looking_up;

/*
 * dlsym() may allocate, and an allocator of the program's may lock. The mutex is seldom contended then. What
 * only tries is not wrapped, and is linked to the C library's.
 */
static int lock_by_trying(pthread_mutex_t *mutex)
{
	int result;

	while ((result = pthread_mutex_trylock(mutex)) == EBUSY)
		sched_yield();
	return result;
}

static void *find(enum real_index index)
{
#ifdef __x86_64__
	/* Of these, there are two, for two layouts; dlsym() may find the older one (glibc before 2.36). */
	if (index == REAL_pthread_cond_wait || index == REAL_pthread_cond_timedwait)
		return dlvsym(RTLD_NEXT, names[index], "GLIBC_2.3.2");
#endif
	return dlsym(RTLD_NEXT, names[index]);
}

void *real_look_up(enum real_index index)
{
	void *address;

	if (is_looking_up && index == REAL_pthread_mutex_lock)
		return (void *)lock_by_trying;
	is_looking_up = true;
	address = find(index);
	is_looking_up = false;
	__atomic_store_n(&real_addresses[index], address, __ATOMIC_RELAXED);
	return address;
}

/* All at once, while there is one thread: dlsym() waits for a dlopen(), whose constructors may wait for others. */
__attribute__((constructor(101))) static void look_up_all(void)
{
	for (enum real_index index = 0; index < REAL_FUNCTIONS; index++) {
		if (!real_addresses[index])
			real_look_up(index);
	}
	/* An older C library lacks some. That is no error of the program's. */
	dlerror();
}
