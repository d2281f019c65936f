/* SPDX-License-Identifier: MIT */
/*
 * Functions of a library that a preloaded front stands before. The program may have that library, or may not; it
 * may come by dlopen(), so that it is not there is not remembered.
 */
#ifndef LIBANNOT_ATTACH_FORWARD_H
#define LIBANNOT_ATTACH_FORWARD_H

#include <dlfcn.h>

#define FORWARD_WRAPPER __attribute__((visibility("default")))

/* The library's, or NULL. */
#define FORWARD_NEXT(name)                                                           \
	({                                                                           \
		static __typeof__(&(name)) kept;                                     \
		__typeof__(&(name)) next = __atomic_load_n(&kept, __ATOMIC_RELAXED); \
		if (!next) {                                                         \
			*(void **)&next = dlsym(RTLD_NEXT, #name);                   \
			__atomic_store_n(&kept, next, __ATOMIC_RELAXED);             \
		}                                                                    \
		next;                                                                \
	})

/* What the library's function returns; without it, 0. */
#define FORWARD(name, ...)                                     \
	({                                                     \
		__typeof__(&(name)) real = FORWARD_NEXT(name); \
		real ? real(__VA_ARGS__) : 0;                  \
	})

/* Of a function that returns nothing. */
#define FORWARD_VOID(name, ...)                                \
	do {                                                   \
		__typeof__(&(name)) real = FORWARD_NEXT(name); \
		if (real)                                      \
			real(__VA_ARGS__);                     \
	} while (0)

#endif /* LIBANNOT_ATTACH_FORWARD_H */
