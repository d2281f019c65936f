/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a trace.dat that come from the kernel: formats of pages and events, symbols,
 * strings, names of threads. Their contents are the same in both versions.
 */
#ifndef ANNOT_DAT_HEAD_H
#define ANNOT_DAT_HEAD_H

#include <stdint.h>

#include "dat/bytes.h"

/* In the order of version 6. */
enum dat_part {
	DAT_HEADER_INFO,
	DAT_FTRACE_EVENTS,
	DAT_EVENT_FORMATS,
	DAT_KALLSYMS,
	DAT_PRINTK_FORMATS,
	DAT_NR_PARTS,
};

struct dat_head {
	struct dat_bytes parts[DAT_NR_PARTS];
	uint32_t page_bytes; /* page size of the recorded ring buffer */
};

/*
 * Reads all parts. Symbols and strings that may not be read are left empty; formats are required.
 * @buffer_dir is that of the recorded instance, or @tracing_dir. Returns 0, or -1 after one line on
 * stderr; call dat_head_free() in both cases.
 */
int dat_head_read(struct dat_head *head, const char *tracing_dir, const char *buffer_dir);
void dat_head_free(struct dat_head *head);

/* Adds the names of threads that the kernel knows now; none if they cannot be read. */
void dat_add_cmdlines(struct dat_bytes *bytes, const char *tracing_dir);

/* The most bytes that dat_add_cmdlines() may add later. */
uint64_t dat_cmdlines_max_bytes(const char *tracing_dir);

#endif /* ANNOT_DAT_HEAD_H */
