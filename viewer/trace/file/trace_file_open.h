/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Opens a trace.dat of version 6 or 7: reads and checks all of its head.
 *
 * libtracecmd and libtraceevent are not used: both crash on files with a few flipped bits, and a
 * damaged file must end in one line of explanation.
 */
#ifndef ANNOT_TRACE_FILE_TRACE_FILE_OPEN_H
#define ANNOT_TRACE_FILE_TRACE_FILE_OPEN_H

#include "trace/file/trace_file.h"

/* Returns 0, or -1 after one line on stderr. @path must outlive the file. */
int trace_file_open(struct trace_file *file, const char *path, event_format_fn on_format,
		    void *context);
void trace_file_close(struct trace_file *file);

/* Returns NUL-terminated text, "" if there is none; free() it. NULL after one line on stderr. Thread-safe. */
char *trace_file_text(struct trace_file *file, enum trace_file_text which);

#endif /* ANNOT_TRACE_FILE_TRACE_FILE_OPEN_H */
