/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shared by the commands that convert a trace to a file.
 */
#ifndef ANNOT_CMD_OUTPUT_FILE_H
#define ANNOT_CMD_OUTPUT_FILE_H

#include <stdio.h>

#include "trace/trace.h"

/* Writes the contents of @trace; returns 0, or -1 after one line on stderr. */
typedef int output_file_writer(struct trace *trace, void *context, FILE *out);

/* What does not go into memory goes beside the output @path from now on (util/spill/spill.h); "-": it stays where it is. */
void output_file_use_folder(const char *path);

/*
 * Converts the trace @trace_path with @write to @output or, if NULL, to the trace's name with
 * @ending in place of ".dat". Prints what was written. Returns the exit status.
 */
int output_file_write(const char *trace_path, const char *output, const char *ending,
		      output_file_writer *write, void *context);

#endif /* ANNOT_CMD_OUTPUT_FILE_H */
