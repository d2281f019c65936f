/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the versions of a trace.dat share.
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
	char *clocks; /* as trace_clock has them, the plan's in brackets */
	uint64_t part_places[DAT_NR_PARTS]; /* of version 7: where their sections are */
	uint64_t link_place; /* of version 7: where the place of the options is to stand */
};

/* What it begins with, up to what only one version has. */
void dat_add_magic(const struct dat_file *file, struct dat_bytes *bytes);

#endif /* ANNOT_DAT_DAT_FILE_H */
