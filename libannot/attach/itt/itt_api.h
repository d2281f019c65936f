/* SPDX-License-Identifier: MIT */
/*
 * What is used of the ABI between a collector and ittnotify, Intel's library of instrumentation that is linked
 * into programs statically. Each object with a copy of it has a struct itt_global. The copy loads the
 * collector that INTEL_LIBITTNOTIFY64 names, and calls its __itt_api_init(). That fills in the pointers of
 * the copy's functions.
 */
#ifndef LIBANNOT_ATTACH_ITT_API_H
#define LIBANNOT_ATTACH_ITT_API_H

#include <pthread.h>

struct itt_function {
	const char *name; /* "__itt_task_begin"; NULL: the list's end */
	void **pointer; /* what the program calls, if it is not NULL */
	void *until_initialized;
	void *without_collector; /* may be NULL */
	int group;
};

struct itt_global {
	unsigned char magic[8];
	unsigned long version[3];
	volatile long is_initialized;
	volatile long is_mutex_initialized;
	volatile long atomic_counter;
	pthread_mutex_t mutex;
	void *collector; /* of dlopen() */
	void *error_handler;
	const char **collector_path;
	struct itt_function *functions;
	/* ... */
};

/* Passed by value. */
struct itt_id {
	unsigned long long words[3];
};

/* The program itself reads the flags, and calls nothing of a domain that is NULL or whose flags are 0. */
struct itt_domain {
	volatile int flags;
	const char *name;
	void *wide_name;
	int reserved1;
	void *reserved2;
	struct itt_domain *next;
};

struct itt_string {
	const char *text;
	void *wide_text;
	int reserved1;
	void *reserved2;
	struct itt_string *next;
};

/* Of the values of a counter. */
enum itt_type {
	itt_u64 = 1,
	itt_s64,
	itt_u32,
	itt_s32,
	itt_u16,
	itt_s16,
	itt_float,
	itt_double,
};

struct itt_clock_domain;

#endif /* LIBANNOT_ATTACH_ITT_API_H */
