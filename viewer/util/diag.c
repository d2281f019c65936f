// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "util/diag.h"

static _Thread_local FILE *errors_to;
static _Thread_local bool warnings_are_muted;

static void print_message(FILE *out, const char *prefix, const char *format, va_list args)
{
	flockfile(out);
	fputs(prefix, out);
	vfprintf(out, format, args);
	putc('\n', out);
	funlockfile(out);
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
