/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What was recorded of one CPU, while it is moved into the trace: read from its beginning on, and
 * given back to the file system once it stands in the trace.
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
	uint64_t at; /* up to here it was read */
	uint64_t released; /* up to here it is gone */
};

/* Of bytes that make no whole page it warns: they stay where they are. */
struct dat_source dat_source_of(const struct dat_cpu *cpu, uint32_t page_bytes);

/* How many of its bytes are moved. */
uint64_t dat_source_bytes(const struct dat_cpu *cpu, uint32_t page_bytes);

/* Reads all of it, or returns -1 after one line on stderr. */
int dat_source_read(struct dat_source *source, void *to, size_t size);

/*
 * What was read until now stands in @out: gives the room that it takes back to the file system, if
 * that can take it. Returns 0, or -1 after one line on stderr, and all is still there.
 */
int dat_source_release(struct dat_source *source, struct dat_out *out);

#endif /* ANNOT_DAT_SOURCE_H */
