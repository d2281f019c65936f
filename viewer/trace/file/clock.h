/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which trace clocks can be converted to nanoseconds.
 */
#ifndef ANNOT_TRACE_FILE_CLOCK_H
#define ANNOT_TRACE_FILE_CLOCK_H

#include <stdbool.h>

/*
 * Why times of @clock (a name in the kernel's file trace_clock) cannot be converted to nanoseconds,
 * for example "counts events, not time". NULL if they can. A clock that counts at the machine's own
 * rate can be converted if the file has the rate (@has_rate).
 */
const char *trace_clock_unfit(const char *clock, bool has_rate);

#endif /* ANNOT_TRACE_FILE_CLOCK_H */
