/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The contents of a trace.dat: the parameters before the recording, and the data of each CPU.
 */
#ifndef ANNOT_DAT_PLAN_H
#define ANNOT_DAT_PLAN_H

#include <stdint.h>

/* The strings must outlive the file. */
struct dat_plan {
	const char *path; /* of the file; overwrites an existing one */
	const char *tracing_dir; /* of tracefs: formats, symbols, names of threads */
	const char *buffer_dir; /* directory of the recorded instance, or tracing_dir */
	const char *clock; /* the clock of the recording */
	const char
		*compression; /* "none", "zstd", or "zlib", which trace-cmd of Debian cannot read */
	int version; /* 7, or 6, which cannot be compressed */
	int nr_cpus; /* at least 1; they are numbered from 0 */
};

/*
 * The data of one CPU: consecutive pages read from trace_pipe_raw. The file must be writable: data
 * that are in the trace are removed from it (as a hole), so that a recording needs its room on the
 * disk only once. Files share blocks if the file system supports it. A file that was written in
 * pieces of 1 MiB can be moved twice as fast as one of single pages, because the kernel keeps it in
 * larger units (270 against 440 us/MiB on ext4 of 6.18).
 */
struct dat_cpu {
	int fd; /* not used if there are no bytes */
	const char *path; /* for messages */
	uint64_t bytes;
	const char *stats; /* per_cpu/cpuN/stats at the end, or NULL */
};

#endif /* ANNOT_DAT_PLAN_H */
