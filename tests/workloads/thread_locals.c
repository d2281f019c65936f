// SPDX-License-Identifier: GPL-2.0
/*
 * A program that nobody annotated, and whose threads walk through thread-local variables: each through its own, and the
 * last also through those of the one before. It writes into the file that it is given
 *
 *	TID NAME START END STEP
 *
 * of each variable of each thread, in hexadecimal: STEP bytes lie between two that are accessed. In `table`, which is an array
 * of structures, the accessed field is `used`.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NR_THREADS 2 /* beside the first one */
#define NR_ROUNDS 12
#define NR_ELEMENTS 1024
#define BYTES (96 << 10)
#define LINE_BYTES 64

struct element {
	int64_t unused;
	int64_t used;
	char rest[112];
};

static __thread struct element table[NR_ELEMENTS];
/* Another file may know it, so that its symbol outlives strip(1). */
__thread char plain[BYTES];

static FILE *out;
static pthread_barrier_t barrier;
static struct element *tables[NR_THREADS + 1]; /* by thread */

static void walk_plain(char *bytes)
{
	for (size_t at = 0; at < BYTES; at += LINE_BYTES)
		((volatile char *)bytes)[at]++;
}

static void walk_table(struct element *elements)
{
	for (size_t i = 0; i < NR_ELEMENTS; i++)
		((volatile struct element *)elements)[i].used++;
}

static void say(const char *name, const void *start, size_t bytes, size_t step)
{
	fprintf(out, "%d %s %#jx %#jx %#zx\n", gettid(), name, (uintmax_t)(uintptr_t)start,
		(uintmax_t)((uintptr_t)start + bytes), step);
}

/* The first one's memory stays until the last one has walked through it. */
static void run_thread(size_t number)
{
	tables[number] = table;
	say("table", table, sizeof(table), sizeof(table[0]));
	say("plain", plain, sizeof(plain), LINE_BYTES);
	pthread_barrier_wait(&barrier);
	for (int round = 0; round < NR_ROUNDS; round++) {
		walk_table(table);
		walk_plain(plain);
		if (number == NR_THREADS)
			walk_table(tables[number - 1]);
	}
	pthread_barrier_wait(&barrier);
}

static void *start_thread(void *number)
{
	run_thread((size_t)(uintptr_t)number);
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[NR_THREADS];

	out = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (!out)
		return 1;
	pthread_barrier_init(&barrier, NULL, NR_THREADS + 1);
	for (size_t i = 0; i < NR_THREADS; i++) {
		if (pthread_create(&threads[i], NULL, start_thread, (void *)(uintptr_t)(i + 1)))
			return 1;
	}
	run_thread(0);
	for (size_t i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	return fclose(out) != 0;
}
