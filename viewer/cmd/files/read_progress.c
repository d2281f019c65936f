// SPDX-License-Identifier: GPL-2.0
#include "cmd/files/read_progress.h"

#include <stdio.h>

#include "util/progress.h"

static struct {
	uint64_t duration_ns; /* 0: nothing is shown */
	int passes;
	int pass;
	uint64_t until_ns; /* of this pass */
	int percent;
} reading;

static void show_progress(void)
{
	double share = (double)reading.until_ns / (double)reading.duration_ns;
	int percent = (int)(100 * (reading.pass + (share < 1 ? share : 1)) / reading.passes);
	char line[32];

	if (percent == reading.percent)
		return;
	reading.percent = percent;
	snprintf(line, sizeof(line), "read: %d%%", percent);
	progress_show(line);
}

void read_progress_begin(struct trace *trace, int passes)
{
	uint64_t first_ns, last_ns;

	reading.duration_ns = 0;
	if (!progress_possible() || trace_time_range(trace, &first_ns, &last_ns) < 0)
		return;
	reading.duration_ns = last_ns - first_ns;
	reading.passes = passes;
	reading.pass = 0;
	reading.until_ns = 0;
	reading.percent = -1;
	if (reading.duration_ns)
		show_progress();
}

void read_progress_update(uint64_t until_ns)
{
	if (!reading.duration_ns)
		return;
	reading.until_ns = until_ns;
	show_progress();
	if (until_ns < reading.duration_ns)
		return;
	reading.pass++;
	reading.until_ns = 0;
	/* The final messages must not be beside it. */
	if (reading.pass == reading.passes)
		read_progress_end();
}

void read_progress_end(void)
{
	if (reading.duration_ns)
		progress_clear();
	reading.duration_ns = 0;
}
