/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state shared by the writers of both versions.
 */
#ifndef ANNOT_DAT_DAT_FILE_H
#define ANNOT_DAT_DAT_FILE_H

#include "dat/compress.h"
#include "dat/plan.h"
#include "dat/head.h"
#include "dat/out.h"

struct dat_file {
	struct dat_plan plan;
	struct dat_out out;
	struct dat_compressor *compressor; /* NULL: none */
	uint32_t page_bytes;
	char *clocks; /* in the format of trace_clock, with the plan's in brackets */
	uint64_t part_places[DAT_NR_PARTS]; /* version 7: positions of their sections */
	uint64_t link_place; /* version 7: where the position of the options is written */
};

/* Adds the start of the file, which both versions share. */
void dat_add_magic(const struct dat_file *file, struct dat_bytes *bytes);

#endif /* ANNOT_DAT_DAT_FILE_H */
