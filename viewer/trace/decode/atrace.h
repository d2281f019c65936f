/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The text that programs write to trace_marker, in the format of Android's atrace, which libannot
 * falls back to when the module is not there:
 *
 *	B|tgid|name[|wait][|value]	begin a span, of waiting if it says so
 *	E|tgid				end the innermost span
 *	I|tgid|name[|value]		a mark
 *	C|tgid|name|value		a counter
 *
 * Fields after tgid are read from the right: an integer is the value, then "wait" (B only), and
 * what is left is the name, which may hold '|'.
 */
#ifndef ANNOT_TRACE_DECODE_ATRACE_H
#define ANNOT_TRACE_DECODE_ATRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct atrace {
	char type; /* 'B', 'E', 'I' or 'C' */
	int32_t tgid; /* 0: the text does not tell */
	const char *name; /* points into the text parsed, not NUL-terminated */
	size_t name_bytes;
	bool is_wait;
	bool has_value;
	int64_t value;
};

/* Reads @bytes bytes at @text. False when they are something else than an annotation. */
bool atrace_parse(const char *text, size_t bytes, struct atrace *atrace);

/*
 * What annot record writes there, so that a trace of a busy machine tells whose it is: in the thread
 * that becomes the recorded command this alone, and of each thread of a process that was running
 * already
 *
 *	annot|session|tgid|tid
 */
#define ATRACE_SESSION "annot|session"

/* Leaves 0 in both where the text does not tell: then it is of the thread that wrote it. */
bool atrace_session(const char *text, size_t bytes, int32_t *tgid, int32_t *tid);

#endif /* ANNOT_TRACE_DECODE_ATRACE_H */
