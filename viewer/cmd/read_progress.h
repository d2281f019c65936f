/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far a trace is read, at the right edge of the terminal; nothing where stderr is none.
 */
#ifndef ANNOT_CMD_READ_PROGRESS_H
#define ANNOT_CMD_READ_PROGRESS_H

#include "trace/trace.h"

/* Before anything of @trace is read, which will be done @passes times. */
void read_progress_begin(struct trace *trace, int passes);

/* This pass has come so far since the trace's start: as model_sink.progress. */
void read_progress_update(uint64_t until_ns);

/* Takes it away, if it is there still. */
void read_progress_end(void);

#endif /* ANNOT_CMD_READ_PROGRESS_H */
