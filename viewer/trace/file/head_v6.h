/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reads the head of a file of version 6. Its parts are in a fixed order and not compressed.
 */
#ifndef ANNOT_TRACE_FILE_HEAD_V6_H
#define ANNOT_TRACE_FILE_HEAD_V6_H

#include "trace/file/input.h"
#include "trace/file/trace_file.h"

/* @input is positioned after magic and version. Returns 0, or -1 after one line on stderr. */
int head_v6_read(struct trace_file *file, struct input *input, event_format_fn on_format,
		 void *context);

/*
 * @input is the whole file. Returns NUL-terminated text; free() it. Returns NULL after one line on
 * 	stderr.
 */
char *head_v6_text_read(const struct trace_file *file, struct input *input,
			enum trace_file_text which);

#endif /* ANNOT_TRACE_FILE_HEAD_V6_H */
