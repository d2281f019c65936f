/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which rows of a model have been handed out in windows, where they stay in the model: of each table those before a row,
 * but for some that were not complete. Where rows leave the model, all of it is 0.
 */
#ifndef ANNOT_MODEL_WINDOW_HANDED_ROWS_H
#define ANNOT_MODEL_WINDOW_HANDED_ROWS_H

#include <stddef.h>

/* Rows that were not complete, ascending. */
struct waiting_rows {
	size_t nr;
	size_t capacity;
	size_t *rows;
};

struct handed_thread {
	size_t spans;
	struct waiting_rows waiting_spans;
	size_t kernel_slices;
	struct waiting_rows waiting_kernel_slices;
	size_t marks;
	size_t causes;
	size_t stack_points;
	size_t waker_stacks;
};

struct handed_cpu {
	size_t slices;
	size_t interrupts;
	struct waiting_rows waiting_interrupts;
	size_t idle;
	size_t frequencies;
};

/* Zero-initialise. */
struct handed_rows {
	size_t nr_threads;
	struct handed_thread *threads;
	size_t nr_cpus;
	struct handed_cpu *cpus;
	size_t migrations;
	size_t wakeups;
	size_t block_io;
	size_t uncore_readings;
	size_t timed_sleeps;
	size_t notes;
	size_t samples;
	size_t slice_counts;
};

#endif /* ANNOT_MODEL_WINDOW_HANDED_ROWS_H */
