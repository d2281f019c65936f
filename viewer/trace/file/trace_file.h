/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An open trace.dat: what its head says of the pages of the ring buffers, and where they are. See
 * trace-cmd.dat(5), versions 6 and 7.
 */
#ifndef ANNOT_TRACE_FILE_TRACE_FILE_H
#define ANNOT_TRACE_FILE_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/file/decompress.h"

#define TRACE_FILE_MAX_CPUS 16384
#define TRACE_FILE_MAX_BUFFERS 64

/* What a tracing instance recorded; the top one has no name. */
struct trace_buffer {
	char name[256];
	char clock[32]; /* "" if the file does not say */
	uint32_t page_bytes; /* of a page of the ring buffer */
};

/* One CPU's part of a buffer: what was recorded of it, pages one after the other. */
struct cpu_data {
	int cpu;
	int buffer; /* place in trace_file.buffers */
	uint32_t page_bytes;
	uint64_t offset;
	uint64_t size;
	bool compressed; /* in chunks, behind their count */
};

struct trace_file {
	const char *path;
	int fd;
	uint64_t size;
	bool swap; /* its byte order is not ours */
	uint32_t page_bytes; /* of the machine: of the ring buffers' pages, if they do not say */
	uint32_t commit_bytes; /* of the page's length field: the kernel's long */
	uint32_t page_header_bytes;
	struct decompressor *decompressor;
	uint64_t pages_bytes; /* of pages in memory, of all CPUs */
	char clock[32];
	char machine[32]; /* as uname -m had it; "" if the file does not say */
	bool has_sections; /* it is of version 7 */
	uint64_t kallsyms_offset; /* of their section, or of their size; 0: there are none */
	uint32_t tsc_mult; /* ns = ticks * mult >> shift; 0: times are ns already */
	uint32_t tsc_shift;
	int nr_buffers; /* those whose clock is not that of the others left out */
	struct trace_buffer *buffers;
	int nr_buffers_left_out;
	int nr_cpus; /* of all buffers together */
	struct cpu_data *cpus; /* those of one buffer stand together */
	bool truncated; /* a CPU's data would end after the file does */
	bool cpus_guessed; /* the file ends before it says which CPU's data are where */
	uint64_t end; /* of the last part of it that was found */
	uint64_t next_recording; /* where one begins behind this; 0: there is none */
};

/* Is handed each event's format in turn; the text is the caller's. */
typedef void (*event_format_fn)(void *context, const char *system, const char *text);

#endif /* ANNOT_TRACE_FILE_TRACE_FILE_H */
