/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a trace file's head. Their contents are the same in versions 6 and 7; only their
 * positions differ. Each function returns 0, or -1 after one line on stderr.
 */
#ifndef ANNOT_TRACE_FILE_SECTIONS_H
#define ANNOT_TRACE_FILE_SECTIONS_H

#include "trace/file/dat_ids.h"
#include "trace/file/trace_file.h"
#include "trace/file/input.h"

/* What the texts are, for messages. */
extern const char *const trace_file_text_names[NR_TRACE_FILE_TEXTS];

/* Reads a text; @input is at its size. Returns NUL-terminated text; free() it. NULL on failure. */
char *sections_text_read(struct input *input, enum trace_file_text which);

/* Skips it instead. */
int sections_text_skip(struct input *input, enum trace_file_text which);

int sections_header_page_read(struct trace_file *file, struct input *input);
int sections_ftrace_formats_read(struct input *input, event_format_fn on_format, void *context);
int sections_event_formats_read(struct input *input, event_format_fn on_format, void *context);

/* "local global [mono]" or "mono". */
int sections_clock_read(struct trace_file *file, struct input *input, uint64_t size);
/* "Linux HOST RELEASE MACHINE" */
int sections_uname_read(struct trace_file *file, struct input *input, uint64_t size);
int sections_tsc2nsec_read(struct trace_file *file, struct input *input);

/* Adds a buffer. Its CPUs are added next. */
int sections_buffer_add(struct trace_file *file, struct input *input, const char *name,
			const char *clock, uint32_t page_bytes);

/* A part of the recording ends at offset @end of the file. */
void sections_end_note(struct trace_file *file, uint64_t end);

/*
 * Adds a CPU to the last buffer. Data beyond the end of the file are cut off, and the file is
 * marked truncated.
 */
int sections_cpu_data_add(struct trace_file *file, struct input *input, struct cpu_data data);

#endif /* ANNOT_TRACE_FILE_SECTIONS_H */
