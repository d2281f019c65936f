// SPDX-License-Identifier: MIT
#include "heap_sample.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define DEFAULT_ONE_OF 64

struct heap_sample heap_sample;

/* The C library takes its canaries from the same bytes. They are not kept here. */
static uint64_t mixed(uint64_t bits)
{
	bits = (bits ^ bits >> 31) * UINT64_C(0xbf58476d1ce4e5b9);
	bits = (bits ^ bits >> 29) * UINT64_C(0x94d049bb133111eb);
	return bits ^ bits >> 32;
}

/* The kernel gives each program that it starts 16 random bytes. No system call is needed, which may be forbidden. */
static void take_seed(void)
{
	const void *random = (const void *)getauxval(AT_RANDOM);
	uint64_t seed[2] = { 0 };

	if (random)
		memcpy(seed, random, sizeof(seed));
	heap_sample.factor = mixed(seed[0]) | 1;
	heap_sample.offset = mixed(seed[1]);
}

/* With 0, none of them is told, and so with what is no number; with 1 all, which are no sample. */
__attribute__((constructor(101))) static void read_environment(void)
{
	const char *text = getenv("ANNOT_HEAP_SAMPLE");
	uint64_t one_of = text ? strtoull(text, NULL, 10) : DEFAULT_ONE_OF;

	take_seed();
	if (one_of == 1) {
		snprintf(heap_sample.word, sizeof(heap_sample.word), "@object heap");
		heap_sample.factor = heap_sample.offset = 0;
	} else {
		snprintf(heap_sample.word, sizeof(heap_sample.word), "@object heap~%" PRIu64,
			 one_of);
	}
	heap_sample.limit = one_of ? UINT64_MAX / one_of : 0;
}
