// SPDX-License-Identifier: GPL-2.0
/*
 * Medium tasks: finds learned patterns in an image, as art does with its neural net. A task is the
 * match of one window: how strongly each neuron answers, and whether the strongest is vigilant
 * enough, or the next. Threads take the windows from a common counter.
 */
#include <stdatomic.h>
#include <string.h>

#include "annot/annot.h"
#include "kernel.h"

#define IMAGE_SIDE 128
#define WINDOW_SIDE 16
#define NR_INPUTS (WINDOW_SIDE * WINDOW_SIDE)
#define WINDOW_STRIDE 8
#define WINDOWS_PER_ROW ((IMAGE_SIDE - WINDOW_SIDE) / WINDOW_STRIDE + 1)
#define NR_WINDOWS (WINDOWS_PER_ROW * WINDOWS_PER_ROW)
#define NR_NEURONS 128
#define VIGILANCE 0.72
#define NO_MATCH NR_NEURONS

static double image[IMAGE_SIDE][IMAGE_SIDE];
static double weights[NR_NEURONS][NR_INPUTS];
static atomic_uint next_window;
static uint64_t matches[NR_WINDOWS]; /* of all rounds */

static void prepare(void)
{
	unsigned int i, j;

	for (i = 0; i < IMAGE_SIDE; i++)
		for (j = 0; j < IMAGE_SIDE; j++)
			image[i][j] = (double)(kernel_random() % 256) / 256;
	for (i = 0; i < NR_NEURONS; i++)
		for (j = 0; j < NR_INPUTS; j++)
			weights[i][j] = (double)(kernel_random() % 256) / 256;
}

/* The window's brightness taken out: what remains is its pattern. */
static void look(double *inputs, unsigned int window, unsigned int turn)
{
	unsigned int top = window / WINDOWS_PER_ROW * WINDOW_STRIDE + turn;
	unsigned int left = window % WINDOWS_PER_ROW * WINDOW_STRIDE + turn;
	double sum = 0;
	unsigned int i;

	for (i = 0; i < NR_INPUTS; i++) {
		inputs[i] = image[(top + i / WINDOW_SIDE) % IMAGE_SIDE]
				 [(left + i % WINDOW_SIDE) % IMAGE_SIDE];
		sum += inputs[i];
	}
	for (i = 0; i < NR_INPUTS; i++)
		inputs[i] /= sum;
}

static double answer(const double *inputs, const double *neuron)
{
	double sum = 0;
	unsigned int i;

	for (i = 0; i < NR_INPUTS; i++)
		sum += inputs[i] * neuron[i];
	return sum;
}

/* How much of the window the neuron knows. */
static double likeness(const double *inputs, const double *neuron)
{
	double common = 0, value;
	unsigned int i;

	for (i = 0; i < NR_INPUTS; i++) {
		value = neuron[i] * (2.0 / NR_INPUTS);
		common += inputs[i] < value ? inputs[i] : value;
	}
	return common;
}

static unsigned int strongest(const double *answers)
{
	unsigned int best = 0, i;

	for (i = 1; i < NR_NEURONS; i++)
		if (answers[i] > answers[best])
			best = i;
	return best;
}

static unsigned int find(const double *inputs)
{
	double answers[NR_NEURONS];
	unsigned int i, winner;

	for (i = 0; i < NR_NEURONS; i++)
		answers[i] = answer(inputs, weights[i]);
	for (i = 0; i < NR_NEURONS / 4; i++) {
		winner = strongest(answers);
		if (likeness(inputs, weights[winner]) > VIGILANCE)
			return winner;
		answers[winner] = 0;
	}
	return NO_MATCH;
}

static KERNEL_WORK unsigned int look_and_find(unsigned int window, unsigned int turn)
{
	double inputs[NR_INPUTS];

	look(inputs, window, turn);
	return find(inputs);
}

static void match(struct kernel_thread *thread, unsigned int window, unsigned int round)
{
	annot_begin_value("match", window);
	matches[window] = kernel_mix(matches[window], look_and_find(window, round));
	annot_end();
	thread->nr_tasks++;
}

static void run(struct kernel_thread *thread, unsigned int nr_rounds)
{
	unsigned int round, window;

	for (round = 0; round < nr_rounds; round++) {
		while ((window = atomic_fetch_add(&next_window, 1)) < NR_WINDOWS)
			match(thread, window, round);
		kernel_wait(thread);
		if (!thread->index)
			next_window = 0;
		kernel_wait(thread);
	}
}

static uint64_t checksum(void)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < NR_WINDOWS; i++)
		sum = kernel_mix(sum, matches[i]);
	return sum;
}

const struct kernel kernel = { "match", 60, prepare, run, checksum };
