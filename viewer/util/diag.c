// SPDX-License-Identifier: GPL-2.0
#include <stdarg.h>
#include <stdio.h>

#include "util/diag.h"

static void print_message(const char *prefix, const char *format, va_list args)
{
	flockfile(stderr);
	fputs(prefix, stderr);
	vfprintf(stderr, format, args);
	putc('\n', stderr);
	funlockfile(stderr);
}

int diag_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("annot: ", format, args);
	va_end(args);
	return -1;
}

void diag_note(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("annot: ", format, args);
	va_end(args);
}

void diag_warn(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	print_message("annot: warning: ", format, args);
	va_end(args);
}
