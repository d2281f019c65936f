// SPDX-License-Identifier: GPL-2.0
// Allocates, changes and frees small blocks by the hundred thousand, and says what it does: "heap ADDRESS BYTES" and "end ADDRESS".
// No block has room for 1024 bytes that was asked for fewer. Its child has its blocks, and frees them, too: so each of the two says
// what it did since it "forked".
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <malloc.h>
#include <new>
#include <sys/wait.h>
#include <unistd.h>

#define NR_BLOCKS 100000
#define NR_CHURNED 400000
#define MOST_EVENTS 3000000

struct node {
	char bytes[72];
};

static struct {
	uintptr_t address;
	size_t bytes; /* 0: its end */
} events[MOST_EVENTS];
static size_t nr_events;
static void *blocks[NR_BLOCKS];

static void *made(void *block, size_t bytes)
{
	events[nr_events].address = (uintptr_t)block;
	events[nr_events++].bytes = bytes;
	return block;
}

static void *ends(void *block)
{
	return made(block, 0);
}

static void say_all()
{
	for (size_t i = 0; i < nr_events; i++) {
		if (events[i].bytes)
			printf("heap %#jx %zu\n", (uintmax_t)events[i].address, events[i].bytes);
		else
			printf("end %#jx\n", (uintmax_t)events[i].address);
	}
	fflush(stdout);
}

static void *make(size_t i, size_t bytes)
{
	void *block = nullptr;

	switch (i % 5) {
	case 0:
		return made(malloc(bytes), bytes);
	case 1:
		return made(calloc(1, bytes), bytes);
	case 2:
		return made(memalign(64, bytes), bytes);
	case 3:
		return posix_memalign(&block, 32, bytes) ? nullptr : made(block, bytes);
	default:
		return made(aligned_alloc(16, bytes & ~15), bytes & ~15);
	}
}

/* In place and to another one, below the threshold and above it. */
static void *change(size_t i, void *block)
{
	size_t bytes = 24 + i * 7919 % 900;

	ends(block);
	if (i % 100 == 0)
		bytes += 2000;
	return made(realloc(block, bytes), bytes);
}

static void churn()
{
	for (size_t i = 0; i < NR_CHURNED; i++) {
		size_t at = i * 7919 % 1024;

		free(ends(blocks[at]));
		blocks[at] = make(i, 16 + i % 300);
	}
}

static void with_new()
{
	for (size_t i = 0; i < NR_BLOCKS; i++)
		blocks[i] = made(new node, sizeof(node));
	for (size_t i = 0; i < NR_BLOCKS; i++)
		delete (node *)ends(blocks[i]);
	for (size_t i = 0; i < NR_BLOCKS; i++)
		blocks[i] = made(operator new[](64, std::align_val_t(64)), 64);
	for (size_t i = 0; i < NR_BLOCKS; i++)
		operator delete[](ends(blocks[i]), std::align_val_t(64));
}

static void free_all()
{
	for (size_t i = 0; i < NR_BLOCKS; i++)
		free(ends(blocks[i]));
}

int main()
{
	pid_t child;

	for (size_t i = 0; i < NR_BLOCKS; i++)
		blocks[i] = make(i, 16 + i % 200);
	for (size_t i = 0; i < NR_BLOCKS; i += 3)
		blocks[i] = change(i, blocks[i]);
	churn();
	say_all();
	nr_events = 0;
	child = fork();
	free_all();
	if (child)
		waitpid(child, nullptr, 0);
	with_new();
	printf("forked\n");
	say_all();
	return 0;
}
