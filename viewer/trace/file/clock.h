/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace clocks whose times are nanoseconds, and the others.
 */
#ifndef ANNOT_TRACE_FILE_CLOCK_H
#define ANNOT_TRACE_FILE_CLOCK_H

#include <stdbool.h>

/*
 * Why the times of this clock (a name in the kernel's file trace_clock) cannot be turned into
 * nanoseconds, as "counts events, not time"; NULL if they are nanoseconds. Times of a clock that
 * counts at the machine's own rate can, where the file tells the rate (@tells_rate).
 */
const char *trace_clock_unfit(const char *clock, bool tells_rate);

#endif /* ANNOT_TRACE_FILE_CLOCK_H */
