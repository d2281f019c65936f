/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace.dat: the kernel's formats and symbols before the recording, the data after it. Not
 * thread-safe.
 *
 * A file that was created but not finished is marked as such for readers. If finishing was
 * interrupted, the file has the data that were moved so far, and shows that the rest is missing.
 */
#ifndef ANNOT_DAT_DAT_H
#define ANNOT_DAT_DAT_H

#include <stdint.h>

#include "dat/plan.h"

struct dat_file;

/*
 * Creates the file, with mode 0644 minus the umask. Writes all that is known before a recording,
 * and reserves room for what dat_finish() needs besides the data. Takes about 0.1 s. Returns NULL
 * after one line on stderr; an existing file is then unchanged, unless the disk is full.
 */
struct dat_file *dat_create(const struct dat_plan *plan);

/* The page size of the ring buffer. */
uint32_t dat_page_bytes(const struct dat_file *file);

/*
 * Moves the data of each of plan.nr_cpus CPUs into the file, adds the current names of threads, and
 * closes it. Returns 0; or -1 after one line on stderr: moved data are then in the file, the others
 * still in the CPUs' files. Frees @file in both cases.
 */
int dat_finish(struct dat_file *file, const struct dat_cpu *cpus);

/* Removes the file, and frees @file. */
void dat_abandon(struct dat_file *file);

/* Frees @file. Another process of the same fork() finishes it. */
void dat_leave(struct dat_file *file);

#endif /* ANNOT_DAT_DAT_H */
