/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace.dat: before the recording what the kernel tells of itself, behind it what was
 * recorded. Not for several threads at once.
 *
 * A file that was created and not finished says so to whoever reads it. One that was being finished
 * holds what was moved into it, and says that the rest is missing.
 */
#ifndef ANNOT_DAT_DAT_H
#define ANNOT_DAT_DAT_H

#include <stdint.h>

#include "dat/plan.h"

struct dat_file;

/*
 * Creates the file, mode 0666 without group's and others' writing and the umask, writes all that is
 * known before a recording, and reserves what dat_finish() needs besides what was recorded. Takes
 * about 0.1 s. NULL after one line on stderr; then a file that was there is untouched, unless it is
 * the disk that is full.
 */
struct dat_file *dat_create(const struct dat_plan *plan);

/* The size of the ring buffer's pages, of which what was recorded is made. */
uint32_t dat_page_bytes(const struct dat_file *file);

/*
 * Moves what was recorded of each of plan.nr_cpus CPUs into the file, with the names of threads as
 * the kernel has them now, and closes it. Returns 0; or -1 after one line on stderr: what was moved
 * then stands in the file, all else still in the CPUs' files. @file is freed in both cases.
 */
int dat_finish(struct dat_file *file, const struct dat_cpu *cpus);

/* Removes the file, and frees @file. */
void dat_abandon(struct dat_file *file);

/* Frees @file, which another process of the same fork() finishes. */
void dat_leave(struct dat_file *file);

#endif /* ANNOT_DAT_DAT_H */
