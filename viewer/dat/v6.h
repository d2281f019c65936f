/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Writes a trace.dat of version 6. Each function returns 0, or -1 after one line on stderr.
 */
#ifndef ANNOT_DAT_V6_H
#define ANNOT_DAT_V6_H

#include "dat/dat_file.h"

/* Writes what is known before the recording. */
int dat_begin_v6(struct dat_file *file, const struct dat_head *head);

/* Appends the rest. */
int dat_finish_v6(struct dat_file *file, const struct dat_cpu *cpus);

#endif /* ANNOT_DAT_V6_H */
