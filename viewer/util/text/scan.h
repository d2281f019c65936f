/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses untrusted text that programs wrote into a trace.
 */
#ifndef ANNOT_UTIL_SCAN_H
#define ANNOT_UTIL_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text, which has no NUL. */
struct scan_text {
	const char *start;
	const char *end;
};

static inline size_t scan_bytes(struct scan_text text)
{
	return (size_t)(text.end - text.start);
}

/* Without the newlines and NULs that writers to trace_marker end with. */
struct scan_text scan_trim(const char *text, size_t bytes);

/* Splits the text before the first @separator off @rest; false: there is no separator. */
bool scan_field(struct scan_text *rest, char separator, struct scan_text *field);

/* Takes the text up to @separator off @rest, or all of it if there is none. */
struct scan_text scan_take(struct scan_text *rest, char separator);

bool scan_is(struct scan_text text, const char *word);
bool scan_starts_with(struct scan_text text, const char *word);

/* Whether it has no control characters, as names have none that are shown on a terminal. */
bool scan_is_printable(struct scan_text text);

/* The whole of @text, in the range of the type: decimal with an optional '-', or without, or hex. */
bool scan_integer(struct scan_text text, int64_t *value);
bool scan_unsigned(struct scan_text text, uint64_t *value);
bool scan_hex(struct scan_text text, uint64_t *value);

#endif /* ANNOT_UTIL_SCAN_H */
