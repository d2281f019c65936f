/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The progress of reading a trace, at the right edge of the terminal; nothing if stderr is none.
 */
#ifndef ANNOT_CMD_READ_PROGRESS_H
#define ANNOT_CMD_READ_PROGRESS_H

#include "trace/trace.h"

/* Call before reading @trace. It will be read @passes times. */
void read_progress_begin(struct trace *trace, int passes);

/* The progress of the current pass, since the trace's start: for model_sink.progress. */
void read_progress_update(uint64_t until_ns);

/* Removes it, if it is shown. */
void read_progress_end(void);

#endif /* ANNOT_CMD_READ_PROGRESS_H */
