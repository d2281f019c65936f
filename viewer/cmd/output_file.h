/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the commands that turn a trace into a file have in common.
 */
#ifndef ANNOT_CMD_OUTPUT_FILE_H
#define ANNOT_CMD_OUTPUT_FILE_H

#include <stdio.h>

#include "trace/trace.h"

/* Writes what there is to read in @trace; returns 0, or -1 after one line on stderr. */
typedef int output_file_writer(struct trace *trace, void *context, FILE *out);

/*
 * Writes what @write makes of the trace @trace_path to @output, or (NULL) to the trace's name with
 * @ending in place of ".dat"; tells what was written. Returns the exit status.
 */
int output_file_write(const char *trace_path, const char *output, const char *ending,
		      output_file_writer *write, void *context);

#endif /* ANNOT_CMD_OUTPUT_FILE_H */
