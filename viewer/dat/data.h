/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of all CPUs, one after the other, each at the start of a page of the file.
 */
#ifndef ANNOT_DAT_DATA_H
#define ANNOT_DAT_DATA_H

#include "dat/dat_file.h"

/* The position of a CPU's data in the file. */
struct dat_extent {
	uint64_t at;
	uint64_t bytes;
};

/* Computes the positions of uncompressed data that begin at @at. */
void dat_plan_extents(const struct dat_file *file, const struct dat_cpu *cpus, uint64_t at,
		      struct dat_extent *extents);

/*
 * Moves all data to the file's position, compressed if the file is, and returns their positions.
 * Returns 0, or -1 after one line on stderr.
 */
int dat_move_all(struct dat_file *file, const struct dat_cpu *cpus, struct dat_extent *extents);

#endif /* ANNOT_DAT_DATA_H */
