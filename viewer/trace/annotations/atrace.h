/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parses text that programs write to trace_marker, in the format of Android's atrace. libannot uses
 * it without the module:
 *
 *	B|tgid|name[|wait][|value]	begin a span; "wait": a wait span
 *	E|tgid				end the innermost span
 *	I|tgid|name[|value]		a mark
 *	C|tgid|name|value		a counter
 *
 * Fields after tgid are read from the right: an integer is the value, then "wait" (B only). The
 * rest is the name, which may contain '|'.
 */
#ifndef ANNOT_TRACE_ANNOTATIONS_ATRACE_H
#define ANNOT_TRACE_ANNOTATIONS_ATRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atrace {
	char type; /* 'B', 'E', 'I' or 'C' */
	int32_t tgid; /* 0: not in the text */
	const char *name; /* points into the text parsed, not NUL-terminated */
	size_t name_bytes;
	bool is_wait;
	bool has_value;
	int64_t value;
};

/* Parses @bytes bytes at @text. Returns false if they are not an annotation. */
bool atrace_parse(const char *text, size_t bytes, struct atrace *atrace);

/*
 * What annot record writes to trace_marker to mark the recorded threads. The thread that executes
 * the command writes this without tgid and tid. For a process that was already running, annot
 * writes it for each thread.
 *
 *	annot|session|tgid|tid
 */
#define ATRACE_SESSION "annot|session"

/* Sets both to 0 if they are not in the text: then it is the thread that wrote it. */
bool atrace_session(const char *text, size_t bytes, int32_t *tgid, int32_t *tid);

#endif /* ANNOT_TRACE_ANNOTATIONS_ATRACE_H */
