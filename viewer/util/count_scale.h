/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts of events that shared a counter with others: perf_event_open(2), PERF_FORMAT_TOTAL_TIME_*.
 */
#ifndef ANNOT_UTIL_COUNT_SCALE_H
#define ANNOT_UTIL_COUNT_SCALE_H

#include <stdint.h>

/* Scales @raw, counted in @running_ns of @enabled_ns, up to @enabled_ns. 0 if it was never counted. */
static inline uint64_t count_scale(uint64_t raw, uint64_t enabled_ns, uint64_t running_ns)
{
	if (!running_ns)
		return 0;
	if (running_ns >= enabled_ns)
		return raw;
	return (uint64_t)((unsigned __int128)raw * enabled_ns / running_ns);
}

#endif /* ANNOT_UTIL_COUNT_SCALE_H */
