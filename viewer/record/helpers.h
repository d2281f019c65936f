/* SPDX-License-Identifier: GPL-2.0 */
/*
 * trace-cmd's helpers: the processes, one a CPU, that read the kernel's buffers for it.
 */
#ifndef ANNOT_RECORD_HELPERS_H
#define ANNOT_RECORD_HELPERS_H

#include <sys/types.h>

/*
 * How many helpers of @trace_cmd, which writes @output, read their buffers by now. One that has
 * not come so far is killed by the signal that tells it to finish, or takes it for the end of what
 * it has not begun: either way what its CPU has recorded is missing, and nothing says so.
 * Costs a walk over /proc.
 */
int helpers_count_reading(pid_t trace_cmd, const char *output);

#endif /* ANNOT_RECORD_HELPERS_H */
