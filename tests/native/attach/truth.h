/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a program does, as it knows itself: for each annotation that must be in the trace, a line
 *
 *	TID OPERATION BEFORE_NS AFTER_NS OFF_CPU_NS VALUE NAME
 *
 * OPERATION is B, W (of waiting), E, I (a mark) or C (a counter). The annotation was made between two
 * readings of CLOCK_MONOTONIC; for OFF_CPU_NS of that time the thread was on no CPU, by its own clock. VALUE is - if there is none, ? if any will do; =LABEL stands for a number
 * that is the same wherever it stands, and another one for each label. Of a NAME that ends in *, only what is
 * before that is compared.
 */
#ifndef ATTACH_TRUTH_H
#define ATTACH_TRUTH_H

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define TRUTH_NO_VALUE "-"
#define TRUTH_ANY_VALUE "?"

static inline uint64_t truth_clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t truth_now_ns(void)
{
	return truth_clock_ns(CLOCK_MONOTONIC);
}

static __thread uint64_t truth_before_ns;
static __thread uint64_t truth_after_ns;
static __thread uint64_t truth_on_cpu_ns;

/* Does something, between two readings of the clock. */
#define TRUTH_CALL(...)                                                                   \
	do {                                                                              \
		uint64_t truth_cpu_ns = truth_clock_ns(CLOCK_THREAD_CPUTIME_ID);          \
		truth_before_ns = truth_now_ns();                                         \
		__VA_ARGS__;                                                              \
		truth_after_ns = truth_now_ns();                                          \
		truth_on_cpu_ns = truth_clock_ns(CLOCK_THREAD_CPUTIME_ID) - truth_cpu_ns; \
	} while (0)

static inline FILE *truth_file(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static FILE *file;

	pthread_mutex_lock(&lock);
	if (!file && getenv("TRUTH"))
		file = fopen(getenv("TRUTH"), "a");
	if (!file)
		file = fopen("/dev/null", "w");
	if (file)
		setvbuf(file, NULL, _IOLBF, 0);
	pthread_mutex_unlock(&lock);
	return file;
}

/* What the last TRUTH_CALL() of the thread must have made. */
static inline void truth_text(char operation, const char *value, const char *name)
{
	uint64_t took_ns = truth_after_ns - truth_before_ns;
	uint64_t off_cpu_ns = took_ns > truth_on_cpu_ns ? took_ns - truth_on_cpu_ns : 0;

	fprintf(truth_file(), "%ld %c %llu %llu %llu %s %s\n", (long)syscall(SYS_gettid), operation,
		(unsigned long long)truth_before_ns, (unsigned long long)truth_after_ns,
		(unsigned long long)off_cpu_ns, value, name);
}

static inline void truth(char operation, const char *name)
{
	truth_text(operation, TRUTH_NO_VALUE, name);
}

static inline void truth_value(char operation, const char *name, long long value)
{
	char text[32];

	snprintf(text, sizeof(text), "%lld", value);
	truth_text(operation, text, name);
}

static inline void truth_work_ns(uint64_t ns)
{
	uint64_t end_ns = truth_now_ns() + ns;

	while (truth_now_ns() < end_ns)
		;
}

#endif /* ATTACH_TRUTH_H */
