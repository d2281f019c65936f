// SPDX-License-Identifier: GPL-2.0
/*
 * Fine tasks: where each block of a picture was in the one before, as mpeg2enc estimates motion. A
 * task is one block of 16 x 16: a search in steps of 8, 4, 2, 1 and a half, towards where the
 * difference is least. A thread has every n-th row of blocks.
 */
#include <stdlib.h>

#include "annot/annot.h"
#include "kernel.h"

#define BLOCK 16
#define BLOCKS_ACROSS 40
#define BLOCKS_DOWN 30
#define MARGIN 16 /* blocks move by 8 + 4 + 2 + 1 and a half at most */
#define WIDTH (BLOCKS_ACROSS * BLOCK + 2 * MARGIN)
#define HEIGHT (BLOCKS_DOWN * BLOCK + 2 * MARGIN)
#define NR_PICTURES 4
#define PATCH 8

struct vector {
	int x, y;
};

static uint8_t (*pictures)[HEIGHT][WIDTH];
static uint64_t vectors[BLOCKS_DOWN][BLOCKS_ACROSS]; /* of all pictures */

/* Patches of grey, which move from picture to picture, and some noise, which does not. */
static void prepare(void)
{
	uint8_t patches[HEIGHT / PATCH + NR_PICTURES][WIDTH / PATCH + NR_PICTURES];
	unsigned int picture, y, x;

	for (y = 0; y < HEIGHT / PATCH + NR_PICTURES; y++)
		for (x = 0; x < WIDTH / PATCH + NR_PICTURES; x++)
			patches[y][x] = kernel_random() % 240;
	pictures = kernel_allocate(NR_PICTURES, sizeof(*pictures));
	for (picture = 0; picture < NR_PICTURES; picture++)
		for (y = 0; y < HEIGHT; y++)
			for (x = 0; x < WIDTH; x++)
				pictures[picture][y][x] =
					(uint8_t)(patches[(y + 2 * picture) / PATCH]
							 [(x + 5 * picture) / PATCH] +
						  kernel_random() % 16);
}

/* The sum of the differences, or some number above @least. */
static unsigned int difference(const uint8_t *a, const uint8_t *b, unsigned int least)
{
	unsigned int sum = 0;
	int y, x;

	for (y = 0; y < BLOCK && sum <= least; y++, a += WIDTH, b += WIDTH)
		for (x = 0; x < BLOCK; x++)
			sum += (unsigned int)abs(a[x] - b[x]);
	return sum;
}

/* As above, to a place half a pixel further on: @b and its neighbour there, averaged. */
static unsigned int half_difference(const uint8_t *a, const uint8_t *b, int neighbour,
				    unsigned int least)
{
	unsigned int sum = 0;
	int y, x;

	for (y = 0; y < BLOCK && sum <= least; y++, a += WIDTH, b += WIDTH)
		for (x = 0; x < BLOCK; x++)
			sum += (unsigned int)abs(a[x] - (b[x] + b[x + neighbour] + 1) / 2);
	return sum;
}

static unsigned int search_whole(const uint8_t *block, const uint8_t *before, struct vector *best)
{
	unsigned int least = difference(block, before, UINT32_MAX), sum;
	struct vector center;
	int step, x, y;

	for (step = 8; step; step /= 2) {
		center = *best;
		for (y = center.y - step; y <= center.y + step; y += step) {
			for (x = center.x - step; x <= center.x + step; x += step) {
				sum = difference(block, before + y * WIDTH + x, least);
				if (sum < least) {
					least = sum;
					*best = (struct vector){ x, y };
				}
			}
		}
	}
	return least;
}

/* Where the block was, in halves of a pixel. */
static KERNEL_WORK struct vector search(const uint8_t *block, const uint8_t *before)
{
	struct vector whole = { 0, 0 }, best;
	unsigned int least = search_whole(block, before, &whole), sum;
	int x, y;

	best = (struct vector){ 2 * whole.x, 2 * whole.y };
	before += whole.y * WIDTH + whole.x;
	for (y = -1; y <= 1; y++) {
		for (x = -1; x <= 1; x++) {
			sum = half_difference(block, before, y * WIDTH + x, least);
			if (sum < least) {
				least = sum;
				best = (struct vector){ 2 * whole.x + x, 2 * whole.y + y };
			}
		}
	}
	return best;
}

static void estimate(struct kernel_thread *thread, unsigned int picture, unsigned int row,
		     unsigned int column)
{
	unsigned int y = MARGIN + row * BLOCK, x = MARGIN + column * BLOCK;
	struct vector vector;

	annot_begin_value("estimate", column);
	vector = search(&pictures[(picture + 1) % NR_PICTURES][y][x],
			&pictures[picture % NR_PICTURES][y][x]);
	vectors[row][column] = kernel_mix(vectors[row][column],
					  (uint64_t)(vector.y * 256 + vector.x));
	annot_end();
	thread->nr_tasks++;
}

static void run(struct kernel_thread *thread, unsigned int nr_rounds)
{
	unsigned int picture, row, column;

	for (picture = 0; picture < nr_rounds; picture++) {
		for (row = thread->index; row < BLOCKS_DOWN; row += thread->nr_threads)
			for (column = 0; column < BLOCKS_ACROSS; column++)
				estimate(thread, picture, row, column);
		kernel_wait(thread);
	}
}

static uint64_t checksum(void)
{
	uint64_t sum = 0;
	unsigned int row, column;

	for (row = 0; row < BLOCKS_DOWN; row++)
		for (column = 0; column < BLOCKS_ACROSS; column++)
			sum = kernel_mix(sum, vectors[row][column]);
	return sum;
}

const struct kernel kernel = { "motion", 150, prepare, run, checksum };
