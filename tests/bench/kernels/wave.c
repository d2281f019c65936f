// SPDX-License-Identifier: GPL-2.0
/*
 * Coarse tasks: a wave in an irregular solid, as equake computes it. Each time step multiplies the
 * displacements with a sparse matrix; a task is a thread's share of the rows. How many entries a
 * row has depends on the data.
 */
#include <string.h>

#include "annot/annot.h"
#include "kernel.h"

#define SIDE 48
#define NR_ROWS (SIDE * SIDE * SIDE)
#define MAX_ENTRIES_PER_ROW 18

static uint32_t *first_entry; /* of each row, and one more */
static uint32_t *column;
static double *stiffness;
static double *displacement[3]; /* of the steps t, t + 1, t + 2, in turn */

/* A node's neighbours beside, before and behind it in three layers; a quarter is missing. */
static uint32_t add_row(int32_t row, uint32_t nr_entries)
{
	int32_t i, neighbour;
	uint32_t random;

	for (i = 0; i < MAX_ENTRIES_PER_ROW; i++) {
		random = kernel_random();
		neighbour = row + (i / 6 - 1) * SIDE * SIDE + (i / 2 % 3 - 1) * SIDE +
			    (i % 2 ? 1 : -1);
		if (neighbour < 0 || neighbour >= NR_ROWS || random % 4 == 0)
			continue;
		column[nr_entries] = (uint32_t)neighbour;
		stiffness[nr_entries++] = 1e-3 * (1 + random / 4 % 8);
	}
	return nr_entries;
}

static void prepare(void)
{
	uint32_t nr_entries = 0;
	int32_t row;
	int i;

	first_entry = kernel_allocate(NR_ROWS + 1, sizeof(*first_entry));
	column = kernel_allocate(NR_ROWS * MAX_ENTRIES_PER_ROW, sizeof(*column));
	stiffness = kernel_allocate(NR_ROWS * MAX_ENTRIES_PER_ROW, sizeof(*stiffness));
	for (i = 0; i < 3; i++)
		displacement[i] = kernel_allocate(NR_ROWS, sizeof(double));
	for (row = 0; row < NR_ROWS; row++) {
		first_entry[row] = nr_entries;
		nr_entries = add_row(row, nr_entries);
	}
	first_entry[NR_ROWS] = nr_entries;
	displacement[1][NR_ROWS / 2] = 1; /* the blow */
}

static double force_on(uint32_t row, const double *now)
{
	uint32_t entry = first_entry[row], end = first_entry[row + 1];
	double force = 0;

	while (entry < end) {
		force += stiffness[entry] * (now[column[entry]] - now[row]);
		entry++;
	}
	return force;
}

static KERNEL_WORK void move(uint32_t row, uint32_t end, unsigned int step)
{
	const double *before = displacement[step % 3], *now = displacement[(step + 1) % 3];
	double *next = displacement[(step + 2) % 3];

	for (; row < end; row++)
		next[row] = 2 * now[row] - before[row] + force_on(row, now);
}

static void smvp(struct kernel_thread *thread, unsigned int step)
{
	uint32_t row = (uint32_t)((uint64_t)NR_ROWS * thread->index / thread->nr_threads);
	uint32_t end = (uint32_t)((uint64_t)NR_ROWS * (thread->index + 1) / thread->nr_threads);

	annot_begin_value("smvp", step);
	move(row, end, step);
	annot_end();
	thread->nr_tasks++;
}

static void run(struct kernel_thread *thread, unsigned int nr_rounds)
{
	unsigned int step;

	for (step = 0; step < nr_rounds; step++) {
		smvp(thread, step);
		kernel_wait(thread);
	}
}

static uint64_t checksum(void)
{
	uint64_t sum = 0, bits;
	uint32_t row;
	int i;

	for (i = 0; i < 3; i++) {
		for (row = 0; row < NR_ROWS; row++) {
			memcpy(&bits, &displacement[i][row], sizeof(bits));
			sum = kernel_mix(sum, bits);
		}
	}
	return sum;
}

const struct kernel kernel = { "wave", 150, prepare, run, checksum };
