// SPDX-License-Identifier: GPL-2.0
/*
 * Threads, one after the other, that end in all ways, with stacks of the C library's and of the program's own: where these
 * are, and the line of the call that makes the thread, as raw_objects.py prints it.
 */
#include "heap_blocks.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <unistd.h>

#define OWN_BYTES (256 << 10)

static sem_t is_noted;
static _Alignas(4096) char own_stack[OWN_BYTES];

/* Of the thread that calls it, which @line has made. */
static void note_stack(int line)
{
	pthread_attr_t attributes;
	void *stack;
	size_t bytes;

	pthread_getattr_np(pthread_self(), &attributes);
	pthread_attr_getstack(&attributes, &stack, &bytes);
	pthread_attr_destroy(&attributes);
	remember("stack", line, stack, bytes);
	ENDS(stack);
}

static void *returns(void *line)
{
	note_stack(*(int *)line);
	return line;
}

static void *exits(void *line)
{
	note_stack(*(int *)line);
	pthread_exit(line);
}

static void *is_cancelled(void *line)
{
	note_stack(*(int *)line);
	sem_post(&is_noted);
	while (pause())
		continue;
	return NULL;
}

static void expect_result(pthread_t thread, void *wanted)
{
	void *result;

	if (pthread_join(thread, &result) || result != wanted)
		printf("not so: a thread ends with its result\n");
}

int main(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	int line;

	sem_init(&is_noted, 0, 0);
	for (int i = 0; i < 3; i++) {
		line = __LINE__ + 1;
		pthread_create(&thread, NULL, returns, &line);
		expect_result(thread, &line);
	}
	line = __LINE__ + 1;
	pthread_create(&thread, NULL, exits, &line);
	expect_result(thread, &line);
	line = __LINE__ + 1;
	pthread_create(&thread, NULL, is_cancelled, &line);
	sem_wait(&is_noted);
	pthread_cancel(thread);
	expect_result(thread, PTHREAD_CANCELED);
	pthread_attr_init(&attributes);
	pthread_attr_setstack(&attributes, own_stack, OWN_BYTES);
	line = __LINE__ + 1;
	pthread_create(&thread, &attributes, returns, &line);
	expect_result(thread, &line);
	pthread_attr_setstacksize(&attributes, (size_t)1 << 60);
	if (!pthread_create(&thread, &attributes, returns, &line))
		printf("not so: a stack that is too large\n");
	pthread_attr_destroy(&attributes);
	say_all();
	return 0;
}
