/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a trace file's head. Their contents are the same in versions 6 and 7, only the way
 * to them differs. Each function returns 0, or -1 after one line on stderr.
 */
#ifndef ANNOT_TRACE_SECTIONS_H
#define ANNOT_TRACE_SECTIONS_H

#include "trace/file/dat_ids.h"
#include "trace/file/trace_file.h"
#include "trace/file/input.h"

/* @input stands behind the magic and the version. */
int read_head_v6(struct trace_file *file, struct input *input, event_format_fn on_format,
		 void *context);
int read_head_v7(struct trace_file *file, struct input *input, event_format_fn on_format,
		 void *context);

/* @input is the file. Text and a NUL: free() it. NULL after one line on stderr. */
char *read_kallsyms_v6(const struct trace_file *file, struct input *input);
char *read_kallsyms_v7(struct trace_file *file, struct input *input);
/* What both have in common, with @input at its beginning: its size, then the text. */
char *read_kallsyms(struct input *input);

int read_header_page(struct trace_file *file, struct input *input);
int read_ftrace_formats(struct input *input, event_format_fn on_format, void *context);
int read_event_formats(struct input *input, event_format_fn on_format, void *context);

/* "local global [mono]" or "mono". */
int read_clock(struct trace_file *file, struct input *input, uint64_t size);
/* "Linux HOST RELEASE MACHINE" */
int read_uname(struct trace_file *file, struct input *input, uint64_t size);
int read_tsc2nsec(struct trace_file *file, struct input *input);

/* Adds a buffer, whose CPUs are added next. */
int add_buffer(struct trace_file *file, struct input *input, const char *name, const char *clock,
	       uint32_t page_bytes);

/* Something of the recording ends at offset @end of the file. */
void note_end(struct trace_file *file, uint64_t end);

/*
 * Adds a CPU to the buffer that was added last; what of it lies behind the file's end is cut off
 * and noted.
 */
int add_cpu_data(struct trace_file *file, struct input *input, struct cpu_data data);

#endif /* ANNOT_TRACE_SECTIONS_H */
