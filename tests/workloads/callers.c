// SPDX-License-Identifier: GPL-2.0
/*
 * callers FILE [ROUNDS [child]]: works at the end of chains of calls that it knows, in threads and in
 * a signal handler too: in functions of its own, in the C library's, below those, and in the PLT. No
 * function keeps a frame pointer, but where it must. With "child", a child does all that. FILE gets
 * the chains, and where main() is.
 */
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define APART __attribute__((noinline, noclone))

#define DEPTH 5
#define NR_NUMBERS 2000

typedef long place(void);

static volatile long cells[4096];
static char from[1 << 14], to[1 << 14];

/* Each function does something after its call: none is a jump. */
static APART long leaf(long n)
{
	long sum = 0;

	for (long i = 0; i < n; i++)
		sum += cells[(i * 64) & 4095] ^ i;
	return sum;
}

static APART int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static APART long in_leaf(void)
{
	return leaf(60000) + 1;
}

static APART long in_memcpy(void)
{
	for (int i = 0; i < 60; i++) {
		memcpy(to, from, sizeof(to));
		__asm__ volatile("" ::: "memory");
	}
	return to[7] + 1;
}

static APART long in_qsort(void)
{
	int numbers[NR_NUMBERS];

	for (int i = 0; i < NR_NUMBERS; i++)
		numbers[i] = i * 7919 % NR_NUMBERS;
	qsort(numbers, NR_NUMBERS, sizeof(*numbers), compare);
	return numbers[5] + 1;
}

static APART long in_malloc(void)
{
	long sum = 0;

	for (int i = 0; i < 1000; i++) {
		char *memory = malloc(24 + (size_t)i % 512);

		memory[0] = 1;
		sum += (long)(intptr_t)memory;
		free(memory);
	}
	return sum + 1;
}

/* Its frame is aligned, and has a size that only the running program knows. */
static APART long aligned(long n)
{
	char room[n % 64 + 64];
	volatile long words[8] __attribute__((aligned(64)));

	memset(room, 1, sizeof(room));
	__asm__ volatile("" ::"r"(room) : "memory");
	words[0] = leaf(30000);
	return words[0] + room[3];
}

static APART long in_aligned(void)
{
	return aligned((long)(cells[1] + 17)) + 1;
}

static void handle(int number)
{
	(void)number;
	cells[3] = leaf(30000) + 1;
}

static APART long in_handler(void)
{
	return raise(SIGUSR1) + 1;
}

/* The compiler may not make a loop of it. */
static APART long outer(place *do_it, int depth)
{
	cells[5] = depth ? outer(do_it, depth - 1) : do_it();
	return cells[5] + 1;
}

static place *const places[] = { in_leaf, in_memcpy, in_qsort, in_malloc, in_aligned, in_handler };

static APART long run(int rounds)
{
	long sum = 0;

	for (int i = 0; i < rounds; i++) {
		for (size_t k = 0; k < sizeof(places) / sizeof(places[0]); k++)
			sum += outer(places[k], DEPTH);
	}
	return sum;
}

static void *thread(void *rounds)
{
	cells[2] = run((int)(intptr_t)rounds);
	return NULL;
}

int main(int argc, char **argv)
{
	/* What each of the places calls; libraries between them are left out. */
	static const char *const ends[] = { "in_leaf leaf",	  "in_leaf",
					    "in_memcpy",	  "in_qsort compare",
					    "in_qsort",		  "in_malloc",
					    "in_aligned",	  "in_handler",
					    "in_aligned aligned", "in_aligned aligned leaf",
					    "in_handler handle",  "in_handler handle leaf" };
	int rounds = argc > 2 ? atoi(argv[2]) : 10;
	FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;
	pthread_t other;

	if (argc > 3 && fork())
		return wait(NULL) < 0;
	if (!out) {
		perror("callers");
		return 1;
	}
	signal(SIGUSR1, handle);
	if (pthread_create(&other, NULL, thread, (void *)(intptr_t)rounds))
		return 1;
	cells[2] = run(rounds);
	pthread_join(other, NULL);
	fprintf(out, "main %p depth %d\n", (void *)main, DEPTH + 1);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		fprintf(out, "%s\n", ends[i]);
	return fclose(out) ? 1 : 0;
}
