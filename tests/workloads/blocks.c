// SPDX-License-Identifier: GPL-2.0
/*
 * A program that nobody annotated, and whose two threads walk through memory that they allocate in all ways. One block
 * is freed, and another call gets the same memory for the other thread. It writes into the file that it is given
 *
 *	TID START END OBJECT
 *
 * for each thread that touches memory: what that is called by annot record --attach=heap. Then it goes through an array of structures, of
 * which it uses one field. Last it goes through a list of small nodes, and writes "node START END" for each of these.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define GRID_BYTES (256 << 10) /* the allocator maps it */
#define TABLE_BYTES (100 << 10)
#define NR_PIECES 100
#define PIECE_BYTES 1024
#define NR_ROUNDS 12
#define NR_CELLS 2048
#define NR_CELL_ROUNDS 24
#define NR_NODES 4096
#define NR_NODE_ROUNDS 24
#define STRIDE 64

struct memory {
	char *bytes;
	size_t nr;
	int line; /* of the call that allocates it */
	const char *name; /* what allocates it, and where */
};

static pthread_barrier_t barrier;
static FILE *out;
static char *freed;

/* The call is on the line of the macro. */
#define MADE(word, call, size)                                                \
	(struct memory)                                                       \
	{                                                                     \
		.bytes = (call), .nr = (size), .line = __LINE__, .name = word \
	}

static __attribute__((noinline)) struct memory make_grid(void)
{
	return MADE("heap make_grid", malloc(GRID_BYTES), GRID_BYTES);
}

static __attribute__((noinline)) struct memory make_table(void)
{
	return MADE("heap make_table", calloc(TABLE_BYTES, 1), TABLE_BYTES);
}

static __attribute__((noinline)) struct memory map_pool(void)
{
	return MADE("mmap map_pool",
		    mmap(NULL, GRID_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			 0),
		    GRID_BYTES);
}

static __attribute__((noinline)) struct memory make_piece(void)
{
	return MADE("heap make_piece", malloc(PIECE_BYTES), PIECE_BYTES);
}

static __attribute__((noinline)) struct memory make_anew(void)
{
	return MADE("heap make_anew", malloc(TABLE_BYTES), TABLE_BYTES);
}

static __attribute__((noinline)) void touch(const struct memory *memory)
{
	for (size_t at = 0; at < memory->nr; at += STRIDE)
		((volatile char *)memory->bytes)[at]++;
}

struct cell {
	int64_t unused;
	int64_t hits;
	char rest[112];
};

static __attribute__((noinline)) void use_cells(struct cell *cells)
{
	for (int round = 0; round < NR_CELL_ROUNDS; round++) {
		for (int i = 0; i < NR_CELLS; i++)
			((volatile int64_t *)&cells[i].hits)[0]++;
	}
}

static __attribute__((noinline)) void make_cells(void)
{
	struct cell *cells = malloc(NR_CELLS * sizeof(*cells));

	fprintf(out, "# heap make_cells blocks.c:%d\n", __LINE__ - 2);
	use_cells(cells);
	free(cells);
}

struct node {
	struct node *next;
	int64_t hits;
	char rest[40];
};

/* Such a block is too small to be told always. */
static __attribute__((noinline)) struct node *make_node(struct node *next)
{
	struct node *node = malloc(sizeof(*node));

	node->next = next;
	return node;
}

static __attribute__((noinline)) void use_nodes(struct node *first)
{
	for (int round = 0; round < NR_NODE_ROUNDS; round++) {
		for (struct node *node = first; node; node = node->next)
			((volatile int64_t *)&node->hits)[0]++;
	}
}

static void walk_list(void)
{
	struct node *first = NULL, *next;

	for (int i = 0; i < NR_NODES; i++)
		first = make_node(first);
	use_nodes(first);
	for (; first; first = next) {
		fprintf(out, "node %#jx %#jx\n", (uintmax_t)(uintptr_t)first,
			(uintmax_t)(uintptr_t)(first + 1));
		next = first->next;
		free(first);
	}
}

static void say(const struct memory *memory)
{
	fprintf(out, "%d %#jx %#jx %s blocks.c:%d\n", gettid(), (uintmax_t)(uintptr_t)memory->bytes,
		(uintmax_t)(uintptr_t)(memory->bytes + memory->nr), memory->name, memory->line);
}

/* By the thread that calls it. */
static void walk(const struct memory *all, int nr)
{
	for (int round = 0; round < NR_ROUNDS; round++) {
		for (int i = 0; i < nr; i++)
			touch(&all[i]);
	}
	for (int i = 0; i < nr; i++)
		say(&all[i]);
}

static void walk_pieces(void)
{
	struct memory pieces[NR_PIECES];

	for (int i = 0; i < NR_PIECES; i++)
		pieces[i] = make_piece();
	walk(pieces, NR_PIECES);
	for (int i = 0; i < NR_PIECES; i++)
		free(pieces[i].bytes);
}

static void *run(void *unused)
{
	struct memory again;

	(void)unused;
	/* What a thread's first allocation takes for itself, it takes now. */
	free(malloc(1));
	pthread_barrier_wait(&barrier);
	pthread_barrier_wait(&barrier);
	again = make_anew();
	fprintf(out, "# %s\n", again.bytes == freed ? "the same memory" : "other memory");
	walk(&again, 1);
	walk_pieces();
	free(again.bytes);
	return NULL;
}

int main(int argc, char **argv)
{
	struct memory grid, table, pool;
	pthread_t other;

	out = argc > 1 ? fopen(argv[1], "w") : NULL;
	if (!out)
		return 1;
	/* One arena: the other thread gets what this one has freed. */
	mallopt(M_ARENA_MAX, 1);
	pthread_barrier_init(&barrier, NULL, 2);
	if (pthread_create(&other, NULL, run, NULL))
		return 1;
	pthread_barrier_wait(&barrier);
	grid = make_grid();
	pool = map_pool();
	table = make_table();
	walk(&grid, 1);
	walk(&pool, 1);
	walk(&table, 1);
	freed = table.bytes;
	free(table.bytes);
	pthread_barrier_wait(&barrier);
	pthread_join(other, NULL);
	munmap(pool.bytes, pool.nr);
	free(grid.bytes);
	make_cells();
	walk_list();
	return fclose(out) != 0;
}
