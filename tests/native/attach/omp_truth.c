// SPDX-License-Identifier: GPL-2.0
#include "omp_truth.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FACTS_MAX 256
#define TIMES_MAX 4096

struct fact {
	const char *kind;
	int line;
	long number;
};

struct time {
	const char *kind;
	int line;
	long tid, ns;
};

static struct fact facts[FACTS_MAX];
static struct time times[TIMES_MAX];
static size_t nr_facts, nr_times;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void print_all(void)
{
	for (size_t i = 0; i < nr_facts; i++)
		printf("did %s %d %ld\n", facts[i].kind, facts[i].line, facts[i].number);
	for (size_t i = 0; i < nr_times; i++)
		printf("took %s %d %ld %ld\n", times[i].kind, times[i].line, times[i].tid,
		       times[i].ns);
}

/* A plugin may be unloaded, and its texts with it. */
static struct fact *fact_find(const char *kind, int line)
{
	for (size_t i = 0; i < nr_facts; i++) {
		if (facts[i].line == line && !strcmp(facts[i].kind, kind))
			return &facts[i];
	}
	if (nr_facts == FACTS_MAX)
		abort();
	if (!nr_facts)
		atexit(print_all);
	facts[nr_facts] = (struct fact){ .kind = strdup(kind), .line = line };
	return &facts[nr_facts++];
}

void did(const char *kind, int line, long number)
{
	pthread_mutex_lock(&lock);
	fact_find(kind, line)->number += number;
	pthread_mutex_unlock(&lock);
}

void took(const char *kind, int line, long ns)
{
	pthread_mutex_lock(&lock);
	if (nr_times == TIMES_MAX)
		abort();
	times[nr_times++] = (struct time){ kind, line, syscall(SYS_gettid), ns };
	pthread_mutex_unlock(&lock);
}

long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

void work_ns(long ns)
{
	long end_ns = now_ns() + ns;

	while (now_ns() < end_ns)
		;
}
