/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel tells, while programs run, of the files they map to execute: perf events that
 * count nothing (PERF_COUNT_SW_DUMMY), one on each CPU, for the sake of the records beside them.
 */
#ifndef ANNOT_RECORD_LOG_PERF_MMAP_H
#define ANNOT_RECORD_LOG_PERF_MMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define BUILD_ID_MAX_BYTES 20

/* [start, start + length) of a process is a file from offset on. */
struct mapping {
	pid_t tgid;
	uint64_t start;
	uint64_t length;
	uint64_t offset_bytes;
	uint64_t time_ns; /* CLOCK_MONOTONIC */
	size_t build_id_bytes; /* 0: not known */
	unsigned char build_id[BUILD_ID_MAX_BYTES];
	const char *path; /* "[vdso]", "//anon", ...: no file */
};

enum perf_mmap_scope {
	PERF_MMAP_CHILDREN, /* of the calling thread, all theirs, and itself */
	PERF_MMAP_MACHINE, /* every process, from now on; needs CAP_PERFMON */
};

/* @mapping is only valid during the call. */
typedef void (*perf_mmap_handler)(void *context, const struct mapping *mapping);

struct perf_mmap;

/* Returns 0 and the events in @out, or the errno of what failed. Children must be forked later. */
int perf_mmap_open(struct perf_mmap **out, enum perf_mmap_scope scope);
void perf_mmap_close(struct perf_mmap *perf_mmap);

/* poll() it: readable when there is so much to read that it should not wait. */
int perf_mmap_fd(const struct perf_mmap *perf_mmap);

/* Hands over what has come so far; in order for each CPU, not among them. */
void perf_mmap_read(struct perf_mmap *perf_mmap, perf_mmap_handler take, void *context);

/* Records that the kernel had no room for. */
uint64_t perf_mmap_nr_lost(const struct perf_mmap *perf_mmap);

#endif /* ANNOT_RECORD_LOG_PERF_MMAP_H */
