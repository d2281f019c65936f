// SPDX-License-Identifier: GPL-2.0
#include "topdown_ways.h"

#include <stddef.h>

const struct truth computing = { .retiring = 0.72,
				 .bad = 0.05,
				 .front = 0.05,
				 .memory = 0.04,
				 .core = 0.14,
				 .l1 = 0.03,
				 .l2 = 0.01,
				 .latency = 0.01,
				 .branches = 0.04,
				 .heavy = 0.12 };
const struct truth chasing = { .retiring = 0.1,
			       .bad = 0.02,
			       .front = 0.03,
			       .memory = 0.8,
			       .core = 0.05,
			       .l1 = 0.05,
			       .l2 = 0.1,
			       .l3 = 0.15,
			       .dram = 0.45,
			       .latency = 0.02,
			       .branches = 0.005,
			       .heavy = 0.025 };
const struct truth branching = { .retiring = 0.4,
				 .bad = 0.3,
				 .front = 0.2,
				 .memory = 0.05,
				 .core = 0.05,
				 .latency = 0.125,
				 .branches = 0.25,
				 .heavy = 0.1 };

/* Where chance takes more than there is, nothing is left. */
uint64_t topdown_number(double number)
{
	return number > 0 ? (uint64_t)(number + 0.5) : 0;
}

double topdown_backend(const struct truth *truth)
{
	return truth->memory + truth->core;
}

/* Cycles with stalls, from that of all memory down to that of DRAM. */
static void count_stalls(const struct truth *truth, uint64_t *counts)
{
	counts[0] = topdown_number(CYCLES * (truth->l1 + truth->l2 + truth->l3 + truth->dram));
	counts[1] = topdown_number(CYCLES * (truth->l2 + truth->l3 + truth->dram));
	counts[2] = topdown_number(CYCLES * (truth->l3 + truth->dram));
	counts[3] = topdown_number(CYCLES * truth->dram);
}

/*
 * Of the slots for wrong uops, a quarter is uops that were issued, the rest recovery. Of the cycles that are bound, as many are of
 * memory as slots are.
 */
static void count_skylake(const struct truth *truth, uint64_t *counts)
{
	double slots = 4 * CYCLES, bound = CYCLES * topdown_backend(truth);
	uint64_t on_memory = topdown_number(CYCLES * truth->memory);

	counts[0] = topdown_number(CYCLES);
	counts[1] = topdown_number(slots * (truth->retiring + truth->bad / 4));
	counts[2] = topdown_number(slots * truth->retiring);
	counts[3] = topdown_number(slots * truth->front);
	counts[4] = topdown_number(CYCLES * truth->bad * 3 / 4);
	count_stalls(truth, &counts[5]);
	/* bound_on_stores, so that with the loads it is memory's part of what is bound. */
	counts[9] = on_memory > counts[5] ? on_memory - counts[5] : 0;
	counts[10] = topdown_number(bound * 0.25); /* stalls_total */
	counts[12] = topdown_number(CYCLES / 100); /* 2_ports_util */
	counts[11] = topdown_number(bound - bound * 0.25 - truth->retiring * CYCLES / 100 -
				    (double)counts[9]);
}

const struct way skylake = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "skl::IDQ_UOPS_NOT_DELIVERED:CORE", "cpu/int_misc.recovery_cycles/u",
	  "CYCLE_ACTIVITY:STALLS_MEM_ANY", "CYCLE_ACTIVITY:STALLS_L1D_MISS",
	  "CYCLE_ACTIVITY:STALLS_L2_MISS", "CYCLE_ACTIVITY:STALLS_L3_MISS",
	  "EXE_ACTIVITY:BOUND_ON_STORES", "CYCLE_ACTIVITY:STALLS_TOTAL",
	  "EXE_ACTIVITY:1_PORTS_UTIL", "EXE_ACTIVITY:2_PORTS_UTIL" },
	count_skylake,
	4,
};

/* What restarts the pipeline: in 1000 restarts, as many are of branches as they have of bad speculation. */
static void count_restarts(const struct truth *truth, uint64_t *counts)
{
	counts[0] = topdown_number(1000 * truth->branches / truth->bad);
	counts[1] = 1000 - counts[0];
}

/*
 * Ways to divide what level 1 has. The figures are those of TMA and of AMD's pipeline utilisation, worked out backwards: the counts
 * follow from the shares.
 */

/* Of each cycle without uops, all 4 slots are empty. Instructions are one uop each, but for those that are heavy; a third is fused. */
static void count_skylake_2(const struct truth *truth, uint64_t *counts)
{
	double slots = 4 * CYCLES, fused = slots / 30;

	count_skylake(truth, counts);
	counts[5] = topdown_number(slots * truth->latency / 4);
	count_restarts(truth, &counts[6]);
	counts[8] = topdown_number(fused);
	counts[9] = topdown_number(slots * (truth->retiring - truth->heavy) + fused);
}

const struct way skylake_2 = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE", "INT_MISC:RECOVERY_CYCLES",
	  "IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE", "BR_MISP_RETIRED:ALL_BRANCHES",
	  "MACHINE_CLEARS:COUNT", "UOPS_RETIRED:MACRO_FUSED", "INSTRUCTIONS" },
	count_skylake_2,
	4,
};

/* Of all uops that were issued, as many are of microcode as of those that retire. */
static void count_haswell_2(const struct truth *truth, uint64_t *counts)
{
	count_skylake_2(truth, counts);
	counts[8] = topdown_number((double)counts[1] * truth->heavy / truth->retiring);
}

const struct way haswell_2 = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE", "INT_MISC:RECOVERY_CYCLES",
	  "idq_uops_not_delivered.cycles_0_uops_deliv.core", "BR_MISP_RETIRED:ALL_BRANCHES",
	  "MACHINE_CLEARS:COUNT", "snb::IDQ:MS_UOPS" },
	count_haswell_2,
	4,
};

/* A miss of L3 takes 7 times as long as a hit. */
static void count_haswell(const struct truth *truth, uint64_t *counts)
{
	uint64_t stalls[4];

	count_skylake(truth, counts);
	count_stalls(truth, stalls);
	counts[5] = stalls[0];
	counts[6] = stalls[1];
	counts[7] = stalls[2];
	counts[8] = topdown_number(CYCLES * truth->l3);
	counts[9] = topdown_number(CYCLES * truth->dram / 7);
}

const struct way haswell = {
	{ "cpu_clk_unhalted.thread", "UOPS_ISSUED:ANY", "UOPS_RETIRED:RETIRE_SLOTS",
	  "hsw::IDQ_UOPS_NOT_DELIVERED:CORE", "INT_MISC:RECOVERY_CYCLES",
	  "CYCLE_ACTIVITY:STALLS_LDM_PENDING", "CYCLE_ACTIVITY:STALLS_L1D_PENDING",
	  "CYCLE_ACTIVITY:STALLS_L2_PENDING", "MEM_LOAD_UOPS_RETIRED:L3_HIT",
	  "MEM_LOAD_UOPS_RETIRED:L3_MISS" },
	count_haswell,
	4,
};

static void count_ice_lake(const struct truth *truth, uint64_t *counts)
{
	double slots = 5 * CYCLES;

	counts[0] = topdown_number(slots);
	counts[1] = topdown_number(slots * truth->retiring);
	counts[2] = topdown_number(slots * topdown_backend(truth));
	counts[3] = topdown_number(slots * truth->front);
}

const struct way ice_lake = {
	{ "TOPDOWN:SLOTS_P", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE" },
	count_ice_lake,
	5,
};

/*
 * 5 slots of each cycle without uops, of which 1000 are uops that were dropped. Of the heavy ones, half are of microcode; the
 * other half pass the first decoder, 3 of them in a cycle: two thirds are not the first of their cycle.
 */
static void count_ice_lake_2(const struct truth *truth, uint64_t *counts)
{
	double slots = 5 * CYCLES, decoded = slots / 10;

	count_ice_lake(truth, counts);
	counts[4] = topdown_number((slots * truth->latency + 1000) / 5);
	counts[5] = 1000;
	count_restarts(truth, &counts[6]);
	counts[8] = topdown_number(slots * (truth->retiring + truth->bad));
	counts[9] = topdown_number((double)counts[8] * truth->heavy / truth->retiring / 2);
	counts[10] = topdown_number(decoded);
	counts[11] = topdown_number(decoded * truth->heavy / truth->retiring / 2 * 3 / 2);
	counts[12] = counts[11] / 3;
}

const struct way ice_lake_2 = {
	{ "TOPDOWN:SLOTS_P", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "IDQ_UOPS_NOT_DELIVERED:CORE", "icl::IDQ_UOPS_NOT_DELIVERED:CYCLES_0_UOPS_DELIV:CORE",
	  "INT_MISC:UOP_DROPPING", "BR_MISP_RETIRED:ALL_BRANCHES", "MACHINE_CLEARS:COUNT",
	  "UOPS_ISSUED:ANY", "IDQ:MS_UOPS", "IDQ:MITE_UOPS", "UOPS_DECODED:DEC0",
	  "UOPS_DECODED:DEC0:CYCLES" },
	count_ice_lake_2,
	5,
};

static void count_sapphire_rapids(const struct truth *truth, uint64_t *counts)
{
	double slots = 6 * CYCLES;

	counts[0] = topdown_number(slots);
	counts[1] = topdown_number(slots * truth->retiring);
	counts[2] = topdown_number(slots * topdown_backend(truth));
	counts[3] = topdown_number(slots * truth->bad);
	counts[4] = topdown_number(slots * truth->memory);
	counts[5] = topdown_number(slots * truth->front);
	counts[6] = topdown_number(CYCLES);
	count_stalls(truth, &counts[7]);
}

const struct way sapphire_rapids = {
	{ "TOPDOWN:SLOTS", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "TOPDOWN:BAD_SPEC_SLOTS", "TOPDOWN:MEMORY_BOUND_SLOTS", "idq_bubbles.core", "cycles",
	  "EXE_ACTIVITY:BOUND_ON_LOADS", "memory_activity.stalls_l1d_miss",
	  "memory_activity.stalls_l2_miss", "memory_activity.stalls_l3_miss" },
	count_sapphire_rapids,
	6,
};

static void count_mispredict_slots(const struct truth *truth, uint64_t *counts)
{
	count_sapphire_rapids(truth, counts);
	counts[6] = topdown_number(6 * CYCLES * truth->branches);
}

const struct way mispredict_slots = {
	{ "TOPDOWN:SLOTS", "UOPS_RETIRED:SLOTS", "TOPDOWN:BACKEND_BOUND_SLOTS",
	  "TOPDOWN:BAD_SPEC_SLOTS", "TOPDOWN:MEMORY_BOUND_SLOTS", "idq_bubbles.core",
	  "TOPDOWN:BR_MISPREDICT_SLOTS" },
	count_mispredict_slots,
	6,
};

static void count_metrics(const struct truth *truth, uint64_t *counts)
{
	double slots = 6 * CYCLES;

	counts[0] = topdown_number(slots);
	counts[1] = topdown_number(slots * truth->retiring);
	counts[2] = topdown_number(slots * truth->bad);
	counts[3] = topdown_number(slots * truth->front);
	counts[4] = topdown_number(slots * topdown_backend(truth));
	counts[5] = topdown_number(slots * truth->memory);
}

const struct way metrics = {
	{ "slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound",
	  "cpu/topdown-be-bound/", "topdown-mem-bound" },
	count_metrics,
	6,
};

static void count_metrics_2(const struct truth *truth, uint64_t *counts)
{
	double slots = 6 * CYCLES;

	count_metrics(truth, counts);
	counts[6] = topdown_number(slots * truth->latency);
	counts[7] = topdown_number(slots * truth->branches);
	counts[8] = topdown_number(slots * truth->heavy);
}

const struct way metrics_2 = {
	{ "slots", "topdown-retiring", "topdown-bad-spec", "topdown-fe-bound",
	  "cpu/topdown-be-bound/", "topdown-mem-bound", "topdown-fetch-lat",
	  "cpu/topdown-br-mispredict/", "topdown-heavy-ops" },
	count_metrics_2,
	6,
};

static void count_zen(const struct truth *truth, uint64_t *counts, double width)
{
	double slots = width * CYCLES;

	counts[0] = topdown_number(CYCLES);
	counts[1] = topdown_number(slots * truth->front);
	counts[2] = topdown_number(slots * (topdown_backend(truth) - truth->smt));
	counts[3] = topdown_number(slots * truth->smt);
	counts[4] = topdown_number(slots * (truth->retiring + truth->bad));
	counts[5] = topdown_number(slots * truth->retiring);
	counts[6] = topdown_number(CYCLES * truth->memory / topdown_backend(truth) / 2);
	counts[7] = topdown_number(CYCLES / 2);
}

static void count_zen4(const struct truth *truth, uint64_t *counts)
{
	count_zen(truth, counts, 6);
}

static void count_zen5(const struct truth *truth, uint64_t *counts)
{
	count_zen(truth, counts, 8);
}

#define ZEN_NAMES                                                                                 \
	"de_no_dispatch_per_slot.no_ops_from_frontend", "de_no_dispatch_per_slot.backend_stalls", \
		"de_no_dispatch_per_slot.smt_contention", "de_src_op_disp.all", "ex_ret_ops",     \
		"ex_no_retire.load_not_complete", "ex_no_retire.not_complete"

const struct way zen4 = { { "zen4::ls_not_halted_cyc", ZEN_NAMES }, count_zen4, 6 };
const struct way zen5 = { { "zen5::ls_not_halted_cyc", ZEN_NAMES }, count_zen5, 8 };

static void count_zen_2(const struct truth *truth, uint64_t *counts, double width)
{
	count_zen(truth, counts, width);
	counts[8] = topdown_number(CYCLES * truth->latency);
	count_restarts(truth, &counts[9]);
	counts[11] = topdown_number(width * CYCLES * truth->heavy);
}

static void count_zen4_2(const struct truth *truth, uint64_t *counts)
{
	count_zen_2(truth, counts, 6);
}

static void count_zen5_2(const struct truth *truth, uint64_t *counts)
{
	count_zen_2(truth, counts, 8);
}

const struct way zen4_2 = {
	{ "zen4::ls_not_halted_cyc", ZEN_NAMES,
	  "zen4::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots", "ex_ret_brn_misp",
	  "resyncs_or_nc_redirects", "ex_ret_ucode_ops" },
	count_zen4_2,
	6,
};

const struct way zen5_2 = {
	{ "zen5::ls_not_halted_cyc", ZEN_NAMES,
	  "zen5::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots", "ex_ret_brn_misp",
	  "bp_redirects.resync", "ex_ret_ucode_ops" },
	count_zen5_2,
	8,
};

uint32_t topdown_way_events(const struct way *way)
{
	uint32_t nr = 0;

	while (nr < MOST_EVENTS && way->names[nr])
		nr++;
	return nr;
}
