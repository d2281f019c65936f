/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the versions of a trace.dat share.
 */
#ifndef ANNOT_DAT_INTERNAL_H
#define ANNOT_DAT_INTERNAL_H

#include "dat/compress.h"
#include "dat/dat.h"
#include "dat/head.h"
#include "dat/out.h"

struct dat_file {
	struct dat_plan plan;
	struct dat_out out;
	struct dat_compressor *compressor; /* NULL: none */
	uint32_t page_bytes;
	char *clocks; /* as trace_clock has them, the plan's in brackets */
	uint64_t part_places[DAT_NR_PARTS]; /* of version 7: where their sections are */
	uint64_t link_place; /* of version 7: where the place of the options is to stand */
};

/* What it begins with, up to what only one version has. */
void dat_add_magic(const struct dat_file *file, struct dat_bytes *bytes);

/* Writes what is known before the recording. These return 0, or -1 after one line on stderr. */
int dat_begin_v6(struct dat_file *file, const struct dat_head *head);
int dat_begin_v7(struct dat_file *file, const struct dat_head *head);

/* Appends all else. */
int dat_finish_v6(struct dat_file *file, const struct dat_cpu *cpus);
int dat_finish_v7(struct dat_file *file, const struct dat_cpu *cpus);

#endif /* ANNOT_DAT_INTERNAL_H */
