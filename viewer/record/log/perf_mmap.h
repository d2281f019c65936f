/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the kernel tells, while programs run, of the files they map to execute: perf events that
 * count nothing (PERF_COUNT_SW_DUMMY), one on each CPU, for the sake of the records beside them.
 */
#ifndef ANNOT_RECORD_SIDEBAND_H
#define ANNOT_RECORD_SIDEBAND_H

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

enum sideband_scope {
	SIDEBAND_CHILDREN, /* of the calling thread, all theirs, and itself */
	SIDEBAND_MACHINE, /* every process, from now on; needs CAP_PERFMON */
};

/* @mapping is only valid during the call. */
typedef void (*sideband_taker)(void *context, const struct mapping *mapping);

struct sideband;

/* Returns 0 and the events in @out, or the errno of what failed. Children must be forked later. */
int sideband_open(struct sideband **out, enum sideband_scope scope);
void sideband_close(struct sideband *sideband);

/* poll() it: readable when there is so much to read that it should not wait. */
int sideband_fd(const struct sideband *sideband);

/* Hands over what has come so far; in order for each CPU, not among them. */
void sideband_read(struct sideband *sideband, sideband_taker take, void *context);

/* Records that the kernel had no room for. */
uint64_t sideband_nr_lost(const struct sideband *sideband);

/* Of @path, an ELF file: fills in the build id, if it has one. */
void mapping_read_build_id(struct mapping *mapping, const char *path);

#endif /* ANNOT_RECORD_SIDEBAND_H */
