// SPDX-License-Identifier: GPL-2.0
#include "pmu/aliases.h"

#include <string.h>
#include <strings.h>

/* Of what happens often: its samples shall take a program less than 1 %. A prime, which keeps no step with loops. */
#define FREQUENT_PERIOD 20011

/*
 * Intel's names by generation: MEM_*_RETIRED of instructions from Skylake on (and of Nehalem, with
 * other masks), of uops from Sandy Bridge to Broadwell and on the small cores. AMD's are speculative:
 * it has no such events of what retired, and what misses all caches is what memory fills. What AMD samples
 * instead, with all that there is to know, is one instruction in many: ibs_op (places.h). The last of each is
 * what the kernel's driver of the CPU makes of its generic name.
 */
static const struct pmu_alias alias_table[] = {
	{ "l1_cache_miss",
	  "loads that missed L1",
	  NULL,
	  0,
	  true,
	  FREQUENT_PERIOD,
	  { "MEM_LOAD_RETIRED:L1_MISS", "MEM_LOAD_UOPS_RETIRED:L1_MISS",
	    "L1-DCACHE-LOAD-MISSES" } },
	{ "l2_cache_miss",
	  "loads that missed L2",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_LOAD_RETIRED:L2_MISS", "MEM_LOAD_UOPS_RETIRED:L2_MISS",
	    "MEM_UOP_RETIRED:LD_L2_MISS", "L2_RQSTS:LD_MISS",
	    "CORE_TO_L2_CACHEABLE_REQUEST_ACCESS_STATUS:LS_RD_BLK_C" } },
	{ "l3_cache_miss",
	  "loads that missed all caches",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_LOAD_RETIRED:L3_MISS", "MEM_LOAD_UOPS_RETIRED:L3_MISS",
	    "MEM_LOAD_UOPS_MISC_RETIRED:LLC_MISS",
	    "DATA_CACHE_REFILLS_FROM_SYSTEM:LS_MABRESP_LCL_DRAM:LS_MABRESP_RMT_DRAM",
	    "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:MEM_IO_LCL:MEM_IO_RMT",
	    "DEMAND_DATA_CACHE_FILLS_FROM_SYSTEM:DRAM_IO_NEAR:DRAM_IO_FAR", "LLC-LOAD-MISSES" } },
	{ "dtlb_load_miss",
	  "loads that missed the TLBs",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_INST_RETIRED:STLB_MISS_LOADS", "MEM_UOPS_RETIRED:STLB_MISS_LOADS",
	    "MEM_LOAD_RETIRED:DTLB_MISS", "MEM_UOPS_RETIRED:DTLB_MISS_LOADS",
	    "MEM_UOP_RETIRED:LD_DTLB_MISS", "DTLB-LOAD-MISSES" } },
	{ "dtlb_store_miss",
	  "stores that missed the TLBs",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_INST_RETIRED:STLB_MISS_STORES", "MEM_UOPS_RETIRED:STLB_MISS_STORES",
	    "MEM_STORE_RETIRED:DTLB_MISS", "MEM_UOPS_RETIRED:DTLB_MISS_STORES",
	    "DTLB-STORE-MISSES" } },
	{ "memory_loads",
	  "loads",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_INST_RETIRED:ALL_LOADS", "MEM_UOPS_RETIRED:ALL_LOADS", "MEM_INST_RETIRED:LOADS",
	    "MEM_UOP_RETIRED:ANY_LD", "LS_DISPATCH:LD_DISPATCH", "L1-DCACHE-LOADS" } },
	{ "memory_stores",
	  "stores",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_INST_RETIRED:ALL_STORES", "MEM_UOPS_RETIRED:ALL_STORES", "MEM_INST_RETIRED:STORES",
	    "MEM_UOP_RETIRED:ANY_ST", "LS_DISPATCH:STORE_DISPATCH", "L1-DCACHE-STORES" } },
	{ "split_loads",
	  "loads across 2 cache lines",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_INST_RETIRED:SPLIT_LOADS", "MEM_UOPS_RETIRED:SPLIT_LOADS", "REHABQ:LD_SPLITS" } },
	{ "split_stores",
	  "stores across 2 cache lines",
	  NULL,
	  0,
	  true,
	  0,
	  { "MEM_INST_RETIRED:SPLIT_STORES", "MEM_UOPS_RETIRED:SPLIT_STORES",
	    "REHABQ:ST_SPLITS" } },
	{ "load_latency",
	  "loads slower than THRESHOLD",
	  "ldlat",
	  30,
	  true,
	  0,
	  { "MEM_TRANS_RETIRED:LOAD_LATENCY", "MEM_INST_RETIRED:LATENCY_ABOVE_THRESHOLD" } },
	{ "branch_miss",
	  "branches predicted wrongly",
	  NULL,
	  0,
	  false,
	  0,
	  { "BR_MISP_RETIRED:ALL_BRANCHES", "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
	    "BRANCH-MISSES" } },
	{ "icache_miss",
	  "fetches that missed L1",
	  NULL,
	  0,
	  false,
	  0,
	  { "FRONTEND_RETIRED:L1I_MISS", "ICACHE:MISSES", "L1-ICACHE-LOAD-MISSES" } },
	{ "page_walk_cycles",
	  "cycles of page walks",
	  NULL,
	  0,
	  false,
	  0,
	  { "DTLB_LOAD_MISSES:WALK_ACTIVE", "DTLB_LOAD_MISSES:WALK_DURATION" } },
	{ "ibs_op", "instructions, with their data", NULL, 0, false, 0, { "ibs_op/cnt_ctl=1/pp" } },
	{ "instr_retired",
	  "instructions",
	  NULL,
	  0,
	  false,
	  0,
	  { "INST_RETIRED:ANY_P", "INSTRUCTIONS" } },
	{ "uops_retired",
	  "micro-operations",
	  NULL,
	  0,
	  false,
	  0,
	  { "UOPS_RETIRED:ALL", "UOPS_RETIRED:ANY", "UOPS_RETIRED:SLOTS", "RETIRED_UOPS",
	    "RETIRED_OPS" } },
	{ "cpu_clock", "ns on a CPU", NULL, 0, false, 0, { "CPU-CLOCK" } },
	{ "page_faults", "page faults", NULL, 0, false, 0, { "PAGE-FAULTS" } },
	{ "minor_faults", "faults without a disk read", NULL, 0, false, 0, { "MINOR-FAULTS" } },
	{ "major_faults", "faults with a disk read", NULL, 0, false, 0, { "MAJOR-FAULTS" } },
	{ "context_switches",
	  "switches between threads",
	  NULL,
	  0,
	  false,
	  0,
	  { "CONTEXT-SWITCHES" } },
	{ "cpu_migrations", "moves to another CPU", NULL, 0, false, 0, { "CPU-MIGRATIONS" } },
};

size_t pmu_aliases(const struct pmu_alias **all)
{
	*all = alias_table;
	return sizeof(alias_table) / sizeof(alias_table[0]);
}

const struct pmu_alias *pmu_alias_find(const char *name, size_t length)
{
	for (size_t i = 0; i < sizeof(alias_table) / sizeof(alias_table[0]); i++) {
		if (strlen(alias_table[i].name) == length &&
		    !strncasecmp(alias_table[i].name, name, length))
			return &alias_table[i];
	}
	return NULL;
}
