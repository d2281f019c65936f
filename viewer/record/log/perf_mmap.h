/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reports what programs map while they run: executable files, or else data. It uses the mmap records of perf
 * events that count nothing (PERF_COUNT_SW_DUMMY), one on each CPU.
 */
#ifndef ANNOT_RECORD_LOG_PERF_MMAP_H
#define ANNOT_RECORD_LOG_PERF_MMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define BUILD_ID_MAX_BYTES 20

/* [start, start + length) of a process maps the file from offset on. */
struct mapping {
	pid_t tgid;
	uint64_t start;
	uint64_t length;
	uint64_t offset_bytes;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	size_t build_id_bytes; /* 0: not known */
	unsigned char build_id[BUILD_ID_MAX_BYTES];
	bool is_data; /* it has no code */
	const char *path; /* "[vdso]", "//anon", ...: no file */
};

enum perf_mmap_scope {
	PERF_MMAP_CHILDREN, /* the calling thread and all its descendants */
	PERF_MMAP_MACHINE, /* every process, from now on; needs CAP_PERFMON */
};

enum perf_mmap_what {
	PERF_MMAP_CODE,
	PERF_MMAP_DATA
};

/* @mapping is only valid during the call. */
typedef void (*perf_mmap_handler)(void *context, const struct mapping *mapping);

struct perf_mmap;

/*
 * Returns 0 and the events in @out, or an errno. Fork children after this call. @promptly: to be
 * readable at each record.
 */
int perf_mmap_open(struct perf_mmap **out, enum perf_mmap_scope scope, enum perf_mmap_what what,
		   bool promptly);
void perf_mmap_close(struct perf_mmap *perf_mmap);

/* Poll this: readable when enough records wait that they should be read soon. */
int perf_mmap_fd(const struct perf_mmap *perf_mmap);

/* Calls @take for each record so far, in order for each CPU. */
void perf_mmap_read(struct perf_mmap *perf_mmap, perf_mmap_handler take, void *context);

/* The number of records that the kernel had no room for. */
uint64_t perf_mmap_nr_lost(const struct perf_mmap *perf_mmap);

#endif /* ANNOT_RECORD_LOG_PERF_MMAP_H */
