/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A file that a command writes: beside its place, and then renamed, so that what stands there is
 * always whole: the old one or the new one. An interrupt leaves nothing behind.
 */
#ifndef ANNOT_UTIL_OUTPUT_H
#define ANNOT_UTIL_OUTPUT_H

#include <limits.h>
#include <stdio.h>

struct output {
	char path[PATH_MAX]; /* where it shall stand; symbolic links resolved */
	char temporary[PATH_MAX]; /* "" when it is written in place: a pipe or a device */
	FILE *file;
};

/* The path's last component. Not allocated. */
const char *output_base_name(const char *path);

/*
 * The name of what is made of the trace @trace_path: its own, with @ending in place of ".dat".
 * Returns 0, or -1 after one line on stderr.
 */
int output_default_path(const char *trace_path, const char *ending, char path[PATH_MAX]);

/*
 * Opens @path ("-": standard output) for writing. Returns 0, or -1 after one line on stderr. Only
 * one output at a time is removed by an interrupt.
 */
int output_open(const char *path, struct output *output);

/* Leaves what stood there before. */
void output_discard(struct output *output);

/* Puts the file in its place and tells its size; -1 after one line on stderr. */
int output_finish(struct output *output, long *nr_bytes);

/*
 * Tells in one line what was written (@nr_bytes below 0: nothing) from which trace; on stderr when
 * stdout may be where it went. @path is what the user called it.
 */
void output_tell(const struct output *output, const char *path, long nr_bytes,
		 unsigned long long nr_events, const char *trace_path);

#endif /* ANNOT_UTIL_OUTPUT_H */
