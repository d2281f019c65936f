// SPDX-License-Identifier: GPL-2.0
/*
 * Usage: pthread_runtime LIBRARY...
 *
 * As a library, something that waits in threads of its own. The program has each library wait once.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

void runtime_wait(void);

#ifdef AS_LIBRARY

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t barrier;

static void *runtime_thread(void *argument)
{
	pthread_barrier_wait(&barrier);
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return argument;
}

void runtime_wait(void)
{
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, runtime_thread, NULL);
	pthread_barrier_wait(&barrier);
	usleep(300000);
	pthread_mutex_unlock(&mutex);
	pthread_join(thread, NULL);
}

#else

int main(int argc, char *argv[])
{
	for (int i = 1; i < argc; i++) {
		void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
		void (*wait)(void);

		if (!library) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		*(void **)&wait = dlsym(library, "runtime_wait");
		wait();
	}
	return 0;
}

#endif
