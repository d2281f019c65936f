/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The data of one CPU while they are moved into the trace: read from the start, and released in the
 * file system once they are in the trace.
 */
#ifndef ANNOT_DAT_SOURCE_H
#define ANNOT_DAT_SOURCE_H

#include <stddef.h>
#include <stdint.h>

#include "dat/plan.h"
#include "dat/out.h"

struct dat_source {
	const struct dat_cpu *cpu;
	uint64_t end; /* whole pages */
	uint64_t at; /* read up to here */
	uint64_t released; /* released up to here */
};

/* Warns of bytes after the last whole page: they stay where they are. */
struct dat_source dat_source_of(const struct dat_cpu *cpu, uint32_t page_bytes);

/* The number of bytes that will be moved. */
uint64_t dat_source_bytes(const struct dat_cpu *cpu, uint32_t page_bytes);

/* Reads @size bytes, or returns -1 after one line on stderr. */
int dat_source_read(struct dat_source *source, void *to, size_t size);

/*
 * All bytes read so far are in @out: releases their room in the file system, if it supports that.
 * Returns 0, or -1 after one line on stderr, with nothing released.
 */
int dat_source_release(struct dat_source *source, struct dat_out *out);

#endif /* ANNOT_DAT_SOURCE_H */
