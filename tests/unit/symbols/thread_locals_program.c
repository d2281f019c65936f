// SPDX-License-Identifier: GPL-2.0
/*
 * Thread-local variables of all sorts, and where the fields of two threads' are. Beside what fields_tell.h has, it says
 *
 *	block BYTES ADDRESS
 *
 * for where the first thread has those of this program, and for another thread, which begins while they live, the
 * same with "other" before it.
 */
#define _GNU_SOURCE

#include <link.h>
#include <pthread.h>
#include <stdint.h>

#include "fields_tell.h"

struct counter {
	uint64_t hits;
	uint32_t misses;
	/* 4 bytes of padding */
};

struct point {
	char kind;
	/* 7 bytes of padding */
	double x, y;
	struct counter counters[2];
};

__thread struct counter counters[4] __attribute__((aligned(64)));
__thread struct point point = { .kind = 'p' };
static __thread uint64_t total = 5;
__thread char large[10000];
/* Global, at the same number as some offset: one is not taken for the other. */
struct counter globals[4];

static int tell_block(struct dl_phdr_info *info, size_t size, void *done)
{
	(void)size;
	for (int i = 0; i < info->dlpi_phnum && !*(int *)done; i++) {
		if (info->dlpi_phdr[i].p_type == PT_TLS)
			printf("block %lx 0x%016lx\n", (unsigned long)info->dlpi_phdr[i].p_memsz,
			       (unsigned long)info->dlpi_tls_data);
	}
	/* The first is the program. */
	return *(int *)done = 1;
}

static void tell_all(void)
{
	static __thread struct counter calls[2] __asm__("local_calls");
	int done = 0;

	calls[1].hits++;
	dl_iterate_phdr(tell_block, &done);
	FIELD(counters[0].hits);
	FIELD(counters[3].misses);
	WITHIN(counters[3].misses, 2);
	INSIDE("counters[3]+0xc", counters[3], 12);
	FIELD(point.kind);
	INSIDE("point+0x3", point, 3);
	FIELD(point.y);
	FIELD(point.counters[1].misses);
	FIELD(total);
	WITHIN(total, 7);
	FIELD(large[9999]);
	INSIDE("local_calls[1].hits", calls[1].hits, 0);
}

static void *run(void *unused)
{
	(void)unused;
	printf("other\n");
	tell_all();
	return NULL;
}

int main(void)
{
	pthread_t other;

	tell_maps();
	FIELD(globals[2].misses);
	tell_all();
	if (pthread_create(&other, NULL, run, NULL))
		return 1;
	pthread_join(other, NULL);
	return 0;
}
