/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of all CPUs, one after the other, each from a whole page of the file on.
 */
#ifndef ANNOT_DAT_DATA_H
#define ANNOT_DAT_DATA_H

#include "dat/dat_file.h"

/* Where a CPU's data are in the file. */
struct dat_extent {
	uint64_t at;
	uint64_t bytes;
};

/* Where they will be if they are written as they are, from @at on. */
void dat_plan_extents(const struct dat_file *file, const struct dat_cpu *cpus, uint64_t at,
		      struct dat_extent *extents);

/*
 * Moves all data to the file's position, compressed if the file is, and tells where they are.
 * Returns 0, or -1 after one line on stderr.
 */
int dat_move_all(struct dat_file *file, const struct dat_cpu *cpus, struct dat_extent *extents);

#endif /* ANNOT_DAT_DATA_H */
