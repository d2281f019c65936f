/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a trace.dat is made of: what is known before the recording, and what was recorded of each CPU.
 */
#ifndef ANNOT_DAT_PLAN_H
#define ANNOT_DAT_PLAN_H

#include <stdint.h>

/* Its strings must stay as long as the file. */
struct dat_plan {
	const char *path; /* of the file; one that is there is overwritten */
	const char *tracing_dir; /* of tracefs: formats, symbols, names of threads */
	const char *buffer_dir; /* the instance that is recorded, or the same */
	const char *clock; /* the one that it is recorded with */
	const char
		*compression; /* "none", "zstd", or "zlib", which trace-cmd of Debian cannot read */
	int version; /* 7, or 6, which cannot be compressed */
	int nr_cpus; /* at least 1; they are numbered from 0 */
};

/*
 * What was recorded of one CPU: pages as they are read from trace_pipe_raw, one after the other. The
 * file must be open for writing, too: what stands in the trace is taken out of it (it gets a hole),
 * so that a recording needs its room on the disk once; where files may share blocks, they do. A file
 * that was written in pieces of 1 MiB takes half as long to move as one of single pages, for the
 * kernel then keeps it in larger units (270 against 440 us/MiB on ext4 of 6.18).
 */
struct dat_cpu {
	int fd; /* not used if there are no bytes */
	const char *path; /* for messages */
	uint64_t bytes;
	const char *stats; /* per_cpu/cpuN/stats at the end, or NULL */
};

#endif /* ANNOT_DAT_PLAN_H */
