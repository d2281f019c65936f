/* SPDX-License-Identifier: GPL-2.0 */
#ifndef ANNOT_TRACE_LIMITS_H
#define ANNOT_TRACE_LIMITS_H

#include "trace/trace.h"

/* Warns if what could be read of the file is less than what is in it, or less than what was recorded. */
void trace_limits_warn(const struct trace_info *info);

#endif /* ANNOT_TRACE_LIMITS_H */
