// SPDX-License-Identifier: GPL-2.0
#include "trace/limits.h"

#include <inttypes.h>

#include "util/diag.h"

void trace_limits_warn(const struct trace_info *info)
{
	if (info->cpus_guessed)
		diag_warn("%s: the file is truncated before its table of CPUs: whole parts are "
			  "read, and CPUs are numbered in the order of their data",
			  info->path);
	else if (info->truncated)
		diag_warn("%s: the file is truncated: whole parts are read", info->path);
	if (info->next_recording)
		diag_warn("%s: another recording begins at offset %" PRIu64
			  ": only the recording before it is read",
			  info->path, info->next_recording);
	if (info->nr_buffers_left_out)
		diag_warn("%s: %d of its buffers are left out: their clock is not that of the rest "
			  "(%s)",
			  info->path, info->nr_buffers_left_out, info->clock);
}
