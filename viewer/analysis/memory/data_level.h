/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where one access found its data, as a sample tells.
 */
#ifndef ANNOT_DATA_LEVEL_H
#define ANNOT_DATA_LEVEL_H

#include <stdbool.h>
#include <stdint.h>

enum data_level {
	DATA_L1,
	DATA_L2,
	DATA_L3,
	DATA_MEMORY,
	DATA_ELSEWHERE, /* a line that is on its way, another CPU's cache, a device, or not known */
	NR_DATA_LEVELS,
};

/* Where a load found its data, by @data_src of perf (PERF_MEM_*). */
enum data_level data_level_of(uint64_t data_src);

/* Whether a load or a store missed the first-level cache. What no cache may hold is no miss. */
bool data_level_is_beyond_l1(uint64_t data_src);

/* Whether it tells a place, and not only whether that was a hit. */
bool data_level_is_told(uint64_t data_src);

/* "L1", "L2", "L3", "memory", "elsewhere" */
const char *data_level_name(enum data_level level);

#endif /* ANNOT_DATA_LEVEL_H */
