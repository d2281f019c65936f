/* SPDX-License-Identifier: MIT */
/* Lines of text. */
#ifndef LIBANNOT_FORMAT_H
#define LIBANNOT_FORMAT_H

#include <stddef.h>
#include <stdint.h>

#define NAME_MAX_BYTES 255
#define LINE_MAX_BYTES (2 * NAME_MAX_BYTES + 64) /* quoted throughout, and the rest */

struct line {
	size_t nr_bytes;
	char bytes[LINE_MAX_BYTES];
};

/* A name in the form that the module accepts. */
struct clean_name {
	size_t nr_bytes;
	char bytes[NAME_MAX_BYTES];
};

void annot_clean_name(struct clean_name *clean, const char *name);

void annot_line_add(struct line *line, const char *text); /* truncates text that does not fit */
void annot_line_add_bytes(struct line *line, const char *bytes, size_t nr_bytes);
void annot_line_add_number(struct line *line, int64_t number);

/* The text for write() to a device, without a newline. */
void annot_format_device(struct line *line, unsigned int op, const char *name, int64_t value);

/* The text for write() to trace_marker: the atrace format. */
void annot_format_marker(struct line *line, unsigned int op, const char *name, int64_t value,
			 int32_t tgid);

/* The length of @text, truncated to at most @max_bytes without splitting a UTF-8 character. */
size_t annot_format_length(const char *text, size_t max_bytes);

#endif /* LIBANNOT_FORMAT_H */
