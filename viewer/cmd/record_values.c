// SPDX-License-Identifier: GPL-2.0
#include "cmd/record_values.h"

#include <errno.h>
#include <stdlib.h>

#include "dat/compress.h"
#include "trace/file/clock.h"
#include "util/diag.h"

#define MOST_BUFFER_KB (64L << 20)
#define MOST_PID (1 << 22)

static int bad_value(const char *option, const char *value, const char *wanted)
{
	diag_error("record: %s '%s': %s", option, value, wanted);
	return EXIT_USAGE;
}

int record_value_number(const char *option, const char *text, unsigned long most,
			const char *wanted, unsigned long *number)
{
	char *end;

	errno = 0;
	*number = strtoul(text, &end, 10);
	if (errno || *text < '0' || *text > '9' || *end || *number < 1 || *number > most)
		return bad_value(option, text, wanted);
	return EXIT_OK;
}

int record_value_buffer_kb(const char *text, long *size_kb)
{
	unsigned long number;
	int status = record_value_number("--buffer-size-kb", text, MOST_BUFFER_KB,
					 "not a number of kilobytes from 1 on", &number);

	*size_kb = (long)number;
	return status;
}

int record_value_pid(const char *text, pid_t *pid)
{
	unsigned long number;
	int status = record_value_number("--pid", text, MOST_PID, "not the number of a process",
					 &number);

	*pid = (pid_t)number;
	return status;
}

int record_value_duration_s(const char *text, double *duration_s)
{
	char *end;

	*duration_s = strtod(text, &end);
	if (end == text || *end || !(*duration_s > 0 && *duration_s < 1e9))
		return bad_value("--duration", text, "not a number of seconds above 0");
	return EXIT_OK;
}

/* What could not be read is not to be recorded. The file does not tell the rates of clocks. */
int record_value_clock(const char *text, const char **clock)
{
	const char *unfit = trace_clock_unfit(text, false);

	if (unfit) {
		diag_error("record: --clock '%s' %s: take mono, boot or local", text, unfit);
		return EXIT_USAGE;
	}
	*clock = text;
	return EXIT_OK;
}

int record_value_compression(const char *text, const char **compression)
{
	if (!dat_compression_known(text))
		return bad_value("--compression", text, "not zstd, zlib or none");
	*compression = text;
	return EXIT_OK;
}
