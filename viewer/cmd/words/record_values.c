// SPDX-License-Identifier: GPL-2.0
#include "cmd/words/record_values.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>

#include "cli/value.h"
#include "dat/compress.h"
#include "trace/file/clock.h"
#include "util/diag.h"

#define MOST_BUFFER_KB (64L << 20)
#define MOST_FREQ_HZ 10000
#define MOST_PID (1 << 22)

int record_value_set_buffer_kb(void *field, const struct cli_value *value)
{
	long *size_kb = field;
	unsigned long number;
	int status = cli_value_number(value, MOST_BUFFER_KB, "not a number of kilobytes from 1 on",
				      &number);

	*size_kb = (long)number;
	return status;
}

/* What the kernel allows; it throttles what interrupts more often. */
static unsigned long kernel_limit_hz(void)
{
	FILE *file = fopen("/proc/sys/kernel/perf_event_max_sample_rate", "r");
	unsigned long limit_hz = ULONG_MAX;

	if (!file)
		return limit_hz;
	if (fscanf(file, "%lu", &limit_hz) != 1)
		limit_hz = ULONG_MAX;
	fclose(file);
	return limit_hz;
}

int record_value_set_freq(void *field, const struct cli_value *value)
{
	unsigned int *freq_hz = field;
	unsigned long number;
	int status = cli_value_number(value, MOST_FREQ_HZ,
				      "not a number of samples a second from 1 to 10000", &number);

	if (status)
		return status;
	*freq_hz = (unsigned int)number;
	return number <= kernel_limit_hz() ?
		       EXIT_OK :
		       cli_value_error(value,
				       "more than sysctl kernel.perf_event_max_sample_rate allows");
}

int record_value_set_pid(void *field, const struct cli_value *value)
{
	pid_t *pid = field;
	unsigned long number;
	int status = cli_value_number(value, MOST_PID, "not the number of a process", &number);

	*pid = (pid_t)number;
	return status;
}

int record_value_set_duration_s(void *field, const struct cli_value *value)
{
	double *duration_s = field;
	char *end;

	*duration_s = strtod(value->text, &end);
	if (end == value->text || *end || !(*duration_s > 0 && *duration_s < 1e9))
		return cli_value_error(value, "not a number of seconds above 0");
	return EXIT_OK;
}

/* A clock whose times cannot be read as nanoseconds is refused: a trace.dat has no rates of clocks. */
int record_value_set_clock(void *field, const struct cli_value *value)
{
	const char **clock = field;
	const char *unfit = trace_clock_unfit(value->text, false);

	*clock = value->text;
	if (!unfit)
		return EXIT_OK;
	diag_error("record: --clock '%s' %s: take mono, boot or local", value->text, unfit);
	return EXIT_USAGE;
}

int record_value_set_compression(void *field, const struct cli_value *value)
{
	const char **compression = field;

	*compression = value->text;
	if (dat_compression_known(value->text))
		return EXIT_OK;
	return cli_value_error(value, "not zstd, zlib or none");
}
