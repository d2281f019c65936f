/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The traces that a command shows to people: places in names are shown as functions and lines, stacks of the kernel
 * as functions.
 */
#ifndef ANNOT_CMD_INPUT_TRACE_H
#define ANNOT_CMD_INPUT_TRACE_H

#include "trace/trace.h"

/* Like trace_open(). */
int input_trace_open(const char *path, struct trace **out);

/* Like trace_close(), for what input_trace_open() opened. */
void input_trace_close(struct trace *trace);

#endif /* ANNOT_CMD_INPUT_TRACE_H */
