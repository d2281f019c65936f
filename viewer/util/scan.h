/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Reading text that others wrote into a trace: nothing in it is believed before it is looked at.
 */
#ifndef ANNOT_TRACE_SCAN_H
#define ANNOT_TRACE_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A piece of text, which has no NUL. */
struct scanned {
	const char *start;
	const char *end;
};

static inline size_t scanned_bytes(struct scanned text)
{
	return (size_t)(text.end - text.start);
}

/* Without the newlines and NULs that writers to trace_marker end with. */
struct scanned scan_trim(const char *text, size_t bytes);

/* Takes what stands before the first @separator off @rest; false: there is no separator. */
bool scan_field(struct scanned *rest, char separator, struct scanned *field);

bool scanned_is(struct scanned text, const char *word);

/* The whole of @text, in the range of the type: decimal with an optional '-', or without, or hex. */
bool scan_integer(struct scanned text, int64_t *value);
bool scan_unsigned(struct scanned text, uint64_t *value);
bool scan_hex(struct scanned text, uint64_t *value);

#endif /* ANNOT_TRACE_SCAN_H */
