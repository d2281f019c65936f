// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "load.h"
#include "walk.h"

#define MAX_BUFFERS 10
#define HUGE_BYTES ((size_t)2 << 20)

#if defined(__x86_64__)
#define LOAD "mov (%0), %0"
#elif defined(__aarch64__)
#define LOAD "ldr %0, [%0]"
#elif defined(__riscv)
#define LOAD "ld %0, 0(%0)"
#else
#error "what is a load of this machine?"
#endif

/* Around the load of walk(), which there must be only once. */
extern const char walk_load[];
extern const char walk_load_end[];

static struct {
	const char *name;
	const char *start;
	const char *end;
} buffers[MAX_BUFFERS];
static unsigned int nr_buffers;

static char *map(size_t nr_bytes)
{
	char *start = mmap(NULL, nr_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			   0);

	if (start == MAP_FAILED)
		die("no memory for %zu bytes: %s", nr_bytes, strerror(errno));
	return start;
}

static void note_buffer(const char *name, char *start, size_t nr_bytes)
{
	if (nr_buffers == MAX_BUFFERS)
		die("more than %d buffers", MAX_BUFFERS);
	buffers[nr_buffers].name = name;
	buffers[nr_buffers].start = start;
	buffers[nr_buffers++].end = start + nr_bytes;
}

/* A kernel without huge pages says EINVAL to any advice about them, and gives small ones. */
char *walk_map(const char *name, size_t nr_bytes)
{
	char *start = map(nr_bytes);

	madvise(start, nr_bytes, MADV_NOHUGEPAGE);
	memset(start, 0, nr_bytes);
	note_buffer(name, start, nr_bytes);
	return start;
}

char *walk_map_huge(const char *name, size_t nr_bytes)
{
	size_t nr_mapped = (nr_bytes + 2 * HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
	uintptr_t from = (uintptr_t)map(nr_mapped);
	char *start = (char *)((from + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES);

	madvise((void *)from, nr_mapped, MADV_HUGEPAGE);
	memset(start, 0, nr_bytes);
	note_buffer(name, start, nr_bytes);
	return start;
}

void walk_link_in_order(char *start, size_t nr, size_t stride_bytes)
{
	size_t i;

	for (i = 0; i < nr; i++)
		*(void **)(start + i * stride_bytes) = start + (i + 1) % nr * stride_bytes;
}

uint64_t walk_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Sattolo's algorithm: each permutation it makes is a single cycle. */
static void make_cycle(uint32_t *next, size_t nr)
{
	uint64_t state = WALK_SEED;
	size_t i, j;

	for (i = 0; i < nr; i++)
		next[i] = (uint32_t)i;
	for (i = nr - 1; i > 0; i--) {
		uint32_t place = next[i];

		j = walk_random(&state) % i;
		next[i] = next[j];
		next[j] = place;
	}
}

void walk_link_at_random(char *start, size_t nr, size_t stride_bytes)
{
	uint32_t *next = calloc(nr, sizeof(*next));
	size_t i;

	if (!next)
		die("no memory");
	make_cycle(next, nr);
	for (i = 0; i < nr; i++)
		*(void **)(start + i * stride_bytes) = start + next[i] * stride_bytes;
	free(next);
}

__attribute__((noipa)) void *walk(void *at, uint64_t nr_steps)
{
	while (nr_steps--)
		__asm__ volatile("walk_load: " LOAD "\nwalk_load_end:" : "+r"(at) : : "memory");
	return at;
}

static void write_range(FILE *out, const char *start, const char *end)
{
	fprintf(out, "\"start\": %" PRIuPTR ", \"end\": %" PRIuPTR "}", (uintptr_t)start,
		(uintptr_t)end);
}

void walk_write_details(FILE *out)
{
	unsigned int i;

	fputs("\"load\": {", out);
	write_range(out, walk_load, walk_load_end);
	fputs(",\n\"buffers\": [", out);
	for (i = 0; i < nr_buffers; i++) {
		fprintf(out, "%s\n\t{\"name\": \"%s\", ", i ? "," : "", buffers[i].name);
		write_range(out, buffers[i].start, buffers[i].end);
	}
	fputs("\n]", out);
}
