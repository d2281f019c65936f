// SPDX-License-Identifier: GPL-2.0
/*
 * Waits on a condition variable of the C library before 2.3.2, which has another layout: what programs do that
 * were linked then. Exits with 0 when it has been woken.
 */
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

__asm__(".symver pthread_cond_wait, pthread_cond_wait@GLIBC_2.2.5");
__asm__(".symver pthread_cond_broadcast, pthread_cond_broadcast@GLIBC_2.2.5");

/* It is a pointer there: what stands behind it must not be touched. */
static struct {
	pthread_cond_t *condition;
	unsigned long after[8];
} old;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool waits, is_due;

static void *waiter(void *argument)
{
	pthread_mutex_lock(&mutex);
	waits = true;
	while (!is_due)
		pthread_cond_wait((pthread_cond_t *)&old, &mutex);
	pthread_mutex_unlock(&mutex);
	return argument;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, waiter, NULL);
	for (bool done = false; !done;) {
		usleep(10000);
		pthread_mutex_lock(&mutex);
		done = is_due = waits;
		pthread_cond_broadcast((pthread_cond_t *)&old);
		pthread_mutex_unlock(&mutex);
	}
	alarm(5);
	pthread_join(thread, NULL);
	for (unsigned int i = 0; i < 8; i++) {
		if (old.after[i])
			return 1;
	}
	return old.condition ? 0 : 1;
}
