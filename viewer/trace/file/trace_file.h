/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An open trace.dat: the contents of its head, and where the pages of the ring buffers are. See
 * trace-cmd.dat(5), versions 6 and 7.
 */
#ifndef ANNOT_TRACE_FILE_TRACE_FILE_H
#define ANNOT_TRACE_FILE_TRACE_FILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/file/decompress.h"

#define TRACE_FILE_MAX_CPUS 16384
#define TRACE_FILE_MAX_BUFFERS 64

/* The buffer of a tracing instance. The top one has no name. */
struct trace_buffer {
	char name[256];
	char clock[32]; /* "" if the file does not say */
	uint32_t page_bytes; /* size of a page of the ring buffer */
};

/* One CPU's part of a buffer: consecutive pages. */
struct cpu_data {
	int cpu;
	int buffer; /* index in trace_file.buffers */
	uint32_t page_bytes;
	uint64_t offset;
	uint64_t size;
	bool compressed; /* in chunks, after their number */
};

/* Texts of the kernel that are read when they are asked for. */
enum trace_file_text {
	TRACE_FILE_KALLSYMS, /* symbols, as in /proc/kallsyms */
	TRACE_FILE_PRINTK_FORMATS, /* formats of trace_printk(), as in tracefs printk_formats */
	TRACE_FILE_COMMS, /* names of threads, as in tracefs saved_cmdlines */
	NR_TRACE_FILE_TEXTS,
};

struct trace_file {
	const char *path;
	int fd;
	uint64_t size;
	bool swap; /* the file has the other byte order */
	uint32_t page_bytes; /* of the machine; of ring buffers that do not say theirs */
	uint32_t commit_bytes; /* size of the page's length field: a long of the kernel */
	uint32_t page_header_bytes;
	struct decompressor *decompressor;
	uint64_t pages_bytes; /* size of the pages in memory, of all CPUs */
	char clock[32];
	char machine[32]; /* from uname -m; "" if the file does not say */
	bool has_sections; /* version 7 */
	uint64_t text_offsets[NR_TRACE_FILE_TEXTS]; /* of sections, or of sizes; 0: not there */
	uint32_t tsc_mult; /* ns = ticks * mult >> shift; 0: times are ns already */
	uint32_t tsc_shift;
	int nr_buffers; /* without nr_buffers_left_out: buffers with another clock */
	struct trace_buffer *buffers;
	int nr_buffers_left_out;
	int nr_cpus; /* number of cpus, summed over all buffers */
	struct cpu_data *cpus; /* grouped by buffer */
	bool truncated; /* the file ends before a CPU's data */
	bool cpus_guessed; /* the file ends before it says which data belong to which CPU */
	uint64_t end; /* end of the last part that was found */
	uint64_t next_recording; /* offset of a further recording in the file; 0: there is none */
	/*
	 * Streams of the file share the place at which it is read. Of this file only: a process that is forked meanwhile,
	 * which opens it for itself, would wait for ever for a lock of all files.
	 */
	pthread_mutex_t text_lock;
};

/* Called with each event's format. The text is valid during the call. */
typedef void (*event_format_fn)(void *context, const char *system, const char *text);

#endif /* ANNOT_TRACE_FILE_TRACE_FILE_H */
