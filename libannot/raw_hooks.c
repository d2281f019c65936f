// SPDX-License-Identifier: MIT
/*
 * Hooks for the end of threads and of the process. They are set when the program starts, because
 * the functions that set them are not async-signal-safe, and only if the environment permits
 * batches.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "raw_hooks.h"
#include "annot/annot.h"
#include "environment.h"
#include "raw.h"
#include "raw_write.h"
#include "rings.h"

/*
 * The C library keeps the values of the first keys in the thread's own memory. It allocates memory for
 * those of other keys when they are set. That is forbidden here: it may be in a signal handler.
 */
#define NR_KEYS_WITHOUT_ALLOCATION 32

static pthread_key_t thread_end;
static atomic_int are_set;
static struct annot_raw_moment start;

static void on_thread_end(void *unused)
{
	(void)unused;
	annot_raw_end_thread();
}

static int make_key(void)
{
	if (pthread_key_create(&thread_end, on_thread_end))
		return -1;
	if (thread_end < NR_KEYS_WITHOUT_ALLOCATION)
		return 0;
	pthread_key_delete(thread_end);
	return -1;
}

/* The child inherits memory except the rings, so the parent writes out their contents first. */
static void before_fork(void)
{
	annot_flush();
}

/* After the environment has been read: its constructor has 101. */
__attribute__((constructor(102))) static void set_hooks(void)
{
	if (!annot_environment_may_be_raw() || !annot_rings_may_read_clock() || make_key())
		return;
	start = annot_raw_now();
	pthread_atfork(before_fork, NULL, NULL);
	at_quick_exit(annot_raw_end_process);
	atomic_store(&are_set, 1);
}

/* exit() has come this far, or dlclose(), which takes the destructor of threads away. */
__attribute__((destructor(101))) static void remove_hooks(void)
{
	if (!atomic_exchange(&are_set, 0))
		return;
	annot_raw_end_process();
	pthread_key_delete(thread_end);
}

bool annot_raw_hooks_are_set(void)
{
	return atomic_load(&are_set);
}

bool annot_raw_hook_thread(void)
{
	/* Any value but NULL will do. */
	return annot_raw_hooks_are_set() && !pthread_setspecific(thread_end, &thread_end);
}

struct annot_raw_moment annot_raw_start(void)
{
	return start;
}
