// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/data_level.h"

#include <linux/perf_event.h>

static uint64_t bits_of(uint64_t data_src, unsigned int shift, unsigned int nr)
{
	return data_src >> shift & ((1ull << nr) - 1);
}

/* Kernels before 6.6 tell some CPUs' levels in no other way. */
static enum data_level level_of_bits(uint64_t bits)
{
	if (bits & PERF_MEM_LVL_L1)
		return DATA_L1;
	if (bits & PERF_MEM_LVL_L2)
		return DATA_L2;
	if (bits & PERF_MEM_LVL_L3)
		return DATA_L3;
	if (bits & (PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2))
		return DATA_MEMORY;
	return DATA_ELSEWHERE;
}

static enum data_level level_of_number(uint64_t number)
{
	switch (number) {
	case PERF_MEM_LVLNUM_L1:
		return DATA_L1;
	case PERF_MEM_LVLNUM_L2:
		return DATA_L2;
	case PERF_MEM_LVLNUM_L3:
		return DATA_L3;
	case PERF_MEM_LVLNUM_RAM:
	case PERF_MEM_LVLNUM_PMEM:
		return DATA_MEMORY;
	default:
		return DATA_ELSEWHERE;
	}
}

enum data_level data_level_of(uint64_t data_src)
{
	enum data_level level = level_of_bits(bits_of(data_src, PERF_MEM_LVL_SHIFT, 14));

	return level != DATA_ELSEWHERE ?
		       level :
		       level_of_number(bits_of(data_src, PERF_MEM_LVLNUM_SHIFT, 4));
}

bool data_level_is_beyond_l1(uint64_t data_src)
{
	return bits_of(data_src, PERF_MEM_OP_SHIFT, 5) & (PERF_MEM_OP_LOAD | PERF_MEM_OP_STORE) &&
	       !(bits_of(data_src, PERF_MEM_LVL_SHIFT, 14) & PERF_MEM_LVL_UNC) &&
	       data_level_of(data_src) != DATA_L1;
}

bool data_level_is_told(uint64_t data_src)
{
	const uint64_t none = PERF_MEM_LVL_NA | PERF_MEM_LVL_HIT | PERF_MEM_LVL_MISS;
	uint64_t number = bits_of(data_src, PERF_MEM_LVLNUM_SHIFT, 4);

	return bits_of(data_src, PERF_MEM_LVL_SHIFT, 14) & ~none ||
	       (number && number != PERF_MEM_LVLNUM_NA);
}

const char *data_level_name(enum data_level level)
{
	static const char *const names[NR_DATA_LEVELS] = {
		[DATA_L1] = "L1",
		[DATA_L2] = "L2",
		[DATA_L3] = "L3",
		[DATA_MEMORY] = "memory",
		[DATA_ELSEWHERE] = "elsewhere",
	};

	return names[level];
}
