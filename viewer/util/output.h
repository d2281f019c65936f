/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An output file. It is written under a temporary name and then renamed, so that the file is always
 * complete: the old one or the new one. Neither an interrupt nor the end of memory leaves a temporary file.
 */
#ifndef ANNOT_UTIL_OUTPUT_H
#define ANNOT_UTIL_OUTPUT_H

#include <limits.h>
#include <stdio.h>

struct output {
	char path[PATH_MAX]; /* final path; symbolic links resolved */
	char temporary[PATH_MAX]; /* "" when it is written in place: a pipe or a device */
	FILE *file;
};

/*
 * The default output for the trace @trace_path: its name with @ending in place of ".dat". Returns
 * 0, or -1 after one line on stderr.
 */
int output_default_path(const char *trace_path, const char *ending, char path[PATH_MAX]);

/*
 * Opens @path ("-": standard output) for writing. A trace is not overwritten: that is refused.
 * Returns 0, or -1 after one line on stderr. Only one output at a time is removed by an interrupt.
 */
int output_open(const char *path, struct output *output);

/* For who ends the process at once: removes the temporary file of an output, if there is one. Safe in signal handlers. */
void output_remove_unfinished(void);

/* Keeps the previous file. */
void output_discard(struct output *output);

/* Renames the file to its final path and returns its size; -1 after one line on stderr. */
int output_finish(struct output *output, long *nr_bytes);

/*
 * Prints one line: what was written (@nr_bytes below 0: nothing) from which trace. It goes to
 * stderr if stdout may be the output. @path is the name that the user gave.
 */
void output_tell(const struct output *output, const char *path, long nr_bytes,
		 unsigned long long nr_events, const char *trace_path);

#endif /* ANNOT_UTIL_OUTPUT_H */
