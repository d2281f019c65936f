// SPDX-License-Identifier: GPL-2.0
#include "doctor/verdict.h"

#include <stdarg.h>
#include <stdio.h>

const char *severity_name(enum severity severity)
{
	static const char *const names[] = {
		[SEVERITY_OK] = "ok",
		[SEVERITY_UNKNOWN] = "unknown",
		[SEVERITY_LIMITS] = "limits",
		[SEVERITY_PREVENTS] = "prevents",
	};

	return names[severity];
}

void verdict_say(struct verdict *verdict, enum severity severity, const char *format, ...)
{
	va_list args;

	verdict->severity = severity;
	va_start(args, format);
	vsnprintf(verdict->what, sizeof(verdict->what), format, args);
	va_end(args);
}

void verdict_cure(struct verdict *verdict, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(verdict->cure, sizeof(verdict->cure), format, args);
	va_end(args);
}
