// SPDX-License-Identifier: GPL-2.0
#include "util/diag.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "util/text/utf8.h"

static _Thread_local FILE *errors_to;
static _Thread_local bool warnings_are_muted;

/* Names of files and options, and those in traces, may hold any bytes: what is not safe becomes '?'. */
static void make_safe(char *text)
{
	char *end = text;

	while (*text) {
		int bytes = utf8_sequence_bytes(text);

		if (utf8_is_safe(text)) {
			memmove(end, text, (size_t)bytes);
			end += bytes;
		} else {
			*end++ = '?';
		}
		text += bytes ? bytes : 1;
	}
	*end = '\0';
}

static void print_message(FILE *out, const char *prefix, const char *format, va_list args)
{
	char *text;

	/* Without memory, that is the message, as it stands. */
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	else
		make_safe(text);
	flockfile(out);
	fprintf(out, "%s%s\n", prefix, text ? text : format);
	funlockfile(out);
	free(text);
}

void diag_divert_errors(FILE *to)
{
	errors_to = to;
}

void diag_mute_warnings(bool muted)
{
	warnings_are_muted = muted;
}

int diag_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (errors_to)
		print_message(errors_to, "", format, args);
	else
		print_message(stderr, "annot: ", format, args);
	va_end(args);
	return -1;
}

void diag_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message(stderr, "annot: ", format, args);
	va_end(args);
}

void diag_warn(const char *format, ...)
{
	va_list args;

	if (warnings_are_muted)
		return;
	va_start(args, format);
	print_message(stderr, "annot: warning: ", format, args);
	va_end(args);
}
