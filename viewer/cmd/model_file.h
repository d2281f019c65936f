/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the commands that turn a trace into a file have in common.
 */
#ifndef ANNOT_MODEL_FILE_H
#define ANNOT_MODEL_FILE_H

#include <stdio.h>

#include "model/model.h"

/* What to write of a model; returns 0, or -1 after one line on stderr. */
typedef int model_writer(const struct model *model, void *context, FILE *out);

/*
 * Writes what @write makes of the trace @trace_path to @output, or (NULL) to the trace's name with
 * @ending in place of ".dat"; tells what was written. Returns the exit status.
 */
int write_model_file(const char *trace_path, const char *output, const char *ending,
		     model_writer *write, void *context);

#endif /* ANNOT_MODEL_FILE_H */
