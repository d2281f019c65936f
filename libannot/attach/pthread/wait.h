/* SPDX-License-Identifier: MIT */
/*
 * What all wrappers here share. A wrapper asks for the place of its wait. If there is none, because
 * nothing records or because another front tells it, it does nothing but call the function that it
 * wraps. Where the function can be tried, it is tried first, and only what is not to be had is a wait.
 */
#ifndef LIBANNOT_ATTACH_PTHREAD_WAIT_H
#define LIBANNOT_ATTACH_PTHREAD_WAIT_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>

#include "../sink.h"
#include "caller.h"

#define WRAPPER __attribute__((visibility("default")))

/* NULL: nothing is to be told. */
static inline struct place *wait_place_of(const char *word, const void *return_address)
{
	return attach_is_recording() ? caller_place(word, return_address) : NULL;
}

static inline void wait_begin(struct place *place, const void *object)
{
	attach_wait_begin_value(place, (int64_t)(uintptr_t)object);
}

static inline void wait_end(void *unused)
{
	(void)unused;
	attach_wait_end();
}

/* The value of @call, as a wait for @object, whose place is @word and @caller, an address. */
#define WAIT_OF(caller, word, object, call)                             \
	({                                                              \
		struct place *wait_place = wait_place_of(word, caller); \
		__typeof__(call) wait_result;                           \
		if (wait_place)                                         \
			wait_begin(wait_place, object);                 \
		wait_result = (call);                                   \
		if (wait_place)                                         \
			attach_wait_end();                              \
		wait_result;                                            \
	})

/* In a wrapper itself. */
#define WAIT(word, object, call) WAIT_OF(__builtin_return_address(0), word, object, call)

/* Of a call in which the thread may be cancelled: its wait then ends before what the program cleans up. */
#define WAIT_CANCELLABLE_OF(caller, word, object, call)                 \
	({                                                              \
		struct place *wait_place = wait_place_of(word, caller); \
		__typeof__(call) wait_result;                           \
		if (wait_place) {                                       \
			wait_begin(wait_place, object);                 \
			pthread_cleanup_push(wait_end, NULL);           \
			wait_result = (call);                           \
			pthread_cleanup_pop(1);                         \
		} else {                                                \
			wait_result = (call);                           \
		}                                                       \
		wait_result;                                            \
	})

#define WAIT_CANCELLABLE(word, object, call) \
	WAIT_CANCELLABLE_OF(__builtin_return_address(0), word, object, call)

#endif /* LIBANNOT_ATTACH_PTHREAD_WAIT_H */
