// SPDX-License-Identifier: MIT
/*
 * Stacks of threads, which are memory of no file: named after the call that makes the thread. The C library puts
 * thread-local variables there, too, which are told as what they are.
 */
#include <errno.h>
#include <pthread.h>

#include "heap_real.h"
#include "heap_tell.h"
#include "heap_thread_locals.h"

/* What a thread begins with. */
struct start {
	void *(*run)(void *);
	void *argument;
	const void *caller; /* of pthread_create() */
};

/* What was told of a thread when it began. */
struct told {
	bool thread_locals;
	void *stack; /* NULL: it was not told */
};

static void *tell_stack(const void *caller)
{
	pthread_attr_t attributes;
	void *stack = NULL;
	size_t bytes = 0;

	if (pthread_getattr_np(pthread_self(), &attributes))
		return NULL;
	if (pthread_attr_getstack(&attributes, &stack, &bytes) || bytes < heap_told_bytes)
		stack = NULL;
	pthread_attr_destroy(&attributes);
	if (stack)
		heap_tell_block("@object stack", stack, bytes, caller);
	return stack;
}

static struct told tell_thread(const void *caller)
{
	if (!attach_is_recording())
		return (struct told){ .stack = NULL };
	heap_tell_thread_locals();
	return (struct told){ .thread_locals = true, .stack = tell_stack(caller) };
}

static void end_thread(void *context)
{
	const struct told *told = context;

	if (!attach_is_recording())
		return;
	if (told->thread_locals)
		heap_end_thread_locals();
	if (told->stack)
		heap_tell_end(told->stack);
}

static void *run_told(void *context)
{
	struct start start = *(struct start *)context;
	struct told told;
	void *result;

	heap_functions.free(context);
	told = tell_thread(start.caller);
	/* However it ends: by a return, pthread_exit(), or pthread_cancel(). */
	pthread_cleanup_push(end_thread, &told);
	result = start.run(start.argument);
	pthread_cleanup_pop(1);
	return result;
}

static int create_told(pthread_t *thread, const pthread_attr_t *attributes,
		       const struct start *start)
{
	struct start *own = heap_functions.malloc(sizeof(*own));
	int error;

	if (!own)
		return EAGAIN;
	*own = *start;
	error = heap_functions.pthread_create(thread, attributes, run_told, own);
	if (error)
		heap_functions.free(own);
	return error;
}

WRAPPER int pthread_create(pthread_t *thread, const pthread_attr_t *attributes,
			   void *(*run)(void *), void *argument)
{
	const struct start start = { run, argument, HEAP_CALLER };

	heap_has_real();
	/* Before glibc 2.34, a library may bring it that is loaded late. */
	if (!heap_functions.pthread_create)
		return EAGAIN;
	if (!attach_is_recording())
		return heap_functions.pthread_create(thread, attributes, run, argument);
	return create_told(thread, attributes, &start);
}
