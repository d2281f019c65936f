// SPDX-License-Identifier: GPL-2.0
/*
 * Four threads allocate, and hand each other what they free. Each writes into its block all of it: a block that two
 * have at once shows.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NR_THREADS 4
#define NR_BLOCKS 10000
#define BYTES 2000

static char *shelf[64];

static void free_checked(char *block)
{
	if (block && (block[0] != block[BYTES - 1] || memcmp(block, block + 1, BYTES - 1) != 0))
		printf("not so: a block is one thread's\n");
	free(block);
}

static void *run(void *number)
{
	for (int i = 0; i < NR_BLOCKS; i++) {
		char *block = malloc(BYTES);

		memset(block, *(char *)number + i, BYTES);
		free_checked(__atomic_exchange_n(&shelf[i % 64], block, __ATOMIC_ACQ_REL));
	}
	return NULL;
}

int main(void)
{
	char numbers[NR_THREADS] = { 1, 2, 3, 4 };
	pthread_t threads[NR_THREADS];

	for (int i = 0; i < NR_THREADS; i++)
		pthread_create(&threads[i], NULL, run, &numbers[i]);
	for (int i = 0; i < NR_THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < 64; i++)
		free_checked(shelf[i]);
	return 0;
}
