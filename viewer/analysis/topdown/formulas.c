// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/formulas.h"

/* Of Intel's fixed metrics, which are shares of what they add up to. */
#define METRICS \
	"(topdown\\-retiring + topdown\\-bad\\-spec + topdown\\-fe\\-bound + topdown\\-be\\-bound)"

/* Slots of a thread's cycle before Ice Lake. */
#define FOUR "(4 * cycles)"

/* Cycles in which the back end held everything up, Skylake and later. */
#define BOUND_CYCLES                                                  \
	"(cycle_activity.stalls_total + exe_activity.1_ports_util + " \
	"retiring * exe_activity.2_ports_util + exe_activity.bound_on_stores)"

/* What of the loads that miss L2 waits for L3, before Skylake: a miss of L3 takes 7 times as long as a hit. */
#define L3_PART                                  \
	"d_ratio(mem_load_uops_retired.l3_hit, " \
	"mem_load_uops_retired.l3_hit + 7 * mem_load_uops_retired.l3_miss)"

#define REST "max(0, 1 - retiring - bad_speculation - frontend_bound)"
#define WRONG_UOPS "uops_issued.any - uops_retired.retire_slots + 4 * int_misc.recovery_cycles"
#define ZEN_MEMORY "d_ratio(ex_no_retire.load_not_complete, ex_no_retire.not_complete)"

/* What of bad speculation is due to branches: as many of the restarts as are theirs. Unknown where there was no restart. */
#define BRANCHES(clears)                                                                            \
	"bad_speculation * (br_misp_retired.all_branches / (br_misp_retired.all_branches + " clears \
	"))"
#define ZEN_BRANCHES(resyncs) \
	"bad_speculation * (ex_ret_brn_misp / (ex_ret_brn_misp + " resyncs "))"

static const struct topdown_formula formulas[] = {
	{ TOPDOWN_RETIRING, "topdown\\-retiring / " METRICS, false },
	{ TOPDOWN_RETIRING, "uops_retired.slots / slots", false },
	{ TOPDOWN_RETIRING, "uops_retired.retire_slots / " FOUR, true },
	{ TOPDOWN_RETIRING, "ex_ret_ops / (6 * zen4::ls_not_halted_cyc)", false },
	{ TOPDOWN_RETIRING, "ex_ret_ops / (8 * zen5::ls_not_halted_cyc)", false },

	{ TOPDOWN_BAD_SPECULATION, "topdown\\-bad\\-spec / " METRICS, false },
	{ TOPDOWN_BAD_SPECULATION, "topdown.bad_spec_slots / slots", false },
	/* Ice Lake counts the others only: its formula of TMA is this rest, too. */
	{ TOPDOWN_BAD_SPECULATION,
	  "max(0, 1 - (uops_retired.slots + topdown.backend_bound_slots + "
	  "idq_uops_not_delivered.core) / slots)",
	  false },
	{ TOPDOWN_BAD_SPECULATION, "max(0, " WRONG_UOPS ") / " FOUR, true },
	{ TOPDOWN_BAD_SPECULATION,
	  "max(0, de_src_op_disp.all - ex_ret_ops) / (6 * zen4::ls_not_halted_cyc)", false },
	{ TOPDOWN_BAD_SPECULATION,
	  "max(0, de_src_op_disp.all - ex_ret_ops) / (8 * zen5::ls_not_halted_cyc)", false },

	{ TOPDOWN_FRONTEND_BOUND, "topdown\\-fe\\-bound / " METRICS, false },
	{ TOPDOWN_FRONTEND_BOUND, "idq_bubbles.core / slots", false },
	{ TOPDOWN_FRONTEND_BOUND, "idq_uops_not_delivered.core / slots", false },
	{ TOPDOWN_FRONTEND_BOUND, "idq_uops_not_delivered.core / " FOUR, true },
	{ TOPDOWN_FRONTEND_BOUND,
	  "de_no_dispatch_per_slot.no_ops_from_frontend / (6 * zen4::ls_not_halted_cyc)", false },
	{ TOPDOWN_FRONTEND_BOUND,
	  "de_no_dispatch_per_slot.no_ops_from_frontend / (8 * zen5::ls_not_halted_cyc)", false },

	{ TOPDOWN_SMT_CONTENTION,
	  "de_no_dispatch_per_slot.smt_contention / (6 * zen4::ls_not_halted_cyc)", false },
	{ TOPDOWN_SMT_CONTENTION,
	  "de_no_dispatch_per_slot.smt_contention / (8 * zen5::ls_not_halted_cyc)", false },

	{ TOPDOWN_BACKEND_BOUND, "topdown\\-be\\-bound / " METRICS, false },
	{ TOPDOWN_BACKEND_BOUND, "topdown.backend_bound_slots / slots", false },
	/* The event is not needed, but only Intel's CPUs have it: on others, the rest is also SMT contention. */
	{ TOPDOWN_BACKEND_BOUND, REST " + 0 * uops_issued.any", false },
	{ TOPDOWN_BACKEND_BOUND,
	  "de_no_dispatch_per_slot.backend_stalls / (6 * zen4::ls_not_halted_cyc)", false },
	{ TOPDOWN_BACKEND_BOUND,
	  "de_no_dispatch_per_slot.backend_stalls / (8 * zen5::ls_not_halted_cyc)", false },

	{ TOPDOWN_MEMORY_BOUND, "topdown\\-mem\\-bound / " METRICS, false },
	{ TOPDOWN_MEMORY_BOUND, "topdown.memory_bound_slots / slots", false },
	{ TOPDOWN_MEMORY_BOUND,
	  "backend_bound * min(1, (cycle_activity.stalls_mem_any + exe_activity.bound_on_stores) / " BOUND_CYCLES
	  ")",
	  false },
	{ TOPDOWN_MEMORY_BOUND, "backend_bound * min(1, " ZEN_MEMORY ")", false },

	{ TOPDOWN_CORE_BOUND, "max(0, backend_bound - memory_bound)", false },

	{ TOPDOWN_FETCH_LATENCY, "topdown\\-fetch\\-lat / " METRICS, false },
	/* Ice Lake, of 5 slots in each cycle. */
	{ TOPDOWN_FETCH_LATENCY,
	  "max(0, 5 * icl::idq_uops_not_delivered.cycles_0_uops_deliv.core - int_misc.uop_dropping) / slots",
	  false },
	{ TOPDOWN_FETCH_LATENCY,
	  "min(cycles, idq_uops_not_delivered.cycles_0_uops_deliv.core) / cycles", true },
	{ TOPDOWN_FETCH_LATENCY,
	  "zen4::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots / zen4::ls_not_halted_cyc",
	  false },
	{ TOPDOWN_FETCH_LATENCY,
	  "zen5::de_no_dispatch_per_slot.no_ops_from_frontend.all_slots / zen5::ls_not_halted_cyc",
	  false },

	{ TOPDOWN_FETCH_BANDWIDTH, "max(0, frontend_bound - fetch_latency)", false },

	{ TOPDOWN_BRANCH_MISPREDICTS, "topdown\\-br\\-mispredict / " METRICS, false },
	{ TOPDOWN_BRANCH_MISPREDICTS, "topdown.br_mispredict_slots / slots", false },
	{ TOPDOWN_BRANCH_MISPREDICTS, BRANCHES("machine_clears.count"), false },
	{ TOPDOWN_BRANCH_MISPREDICTS, ZEN_BRANCHES("resyncs_or_nc_redirects"), false },
	{ TOPDOWN_BRANCH_MISPREDICTS, ZEN_BRANCHES("bp_redirects.resync"), false },

	{ TOPDOWN_MACHINE_CLEARS, "max(0, bad_speculation - branch_mispredicts)", false },

	{ TOPDOWN_HEAVY_OPERATIONS, "topdown\\-heavy\\-ops / " METRICS, false },
	/* Ice Lake: uops of microcode, and of instructions that only the first decoder takes. */
	{ TOPDOWN_HEAVY_OPERATIONS,
	  "retiring * (idq.ms_uops / uops_issued.any + "
	  "d_ratio(uops_decoded.dec0 - uops_decoded.dec0.cycles, idq.mite_uops))",
	  false },
	/* Skylake and its kin: more uops than instructions. */
	{ TOPDOWN_HEAVY_OPERATIONS,
	  "max(0, uops_retired.retire_slots + uops_retired.macro_fused - instructions) / " FOUR,
	  true },
	/* Before, only those of microcode. By hand, it may be counted on later CPUs, of which this is not the formula. */
	{ TOPDOWN_HEAVY_OPERATIONS, "retiring * snb::idq.ms_uops / uops_issued.any", false },
	{ TOPDOWN_HEAVY_OPERATIONS, "retiring * ex_ret_ucode_ops / ex_ret_ops", false },

	{ TOPDOWN_LIGHT_OPERATIONS, "max(0, retiring - heavy_operations)", false },

	{ TOPDOWN_L1_BOUND,
	  "max(0, cycle_activity.stalls_mem_any - cycle_activity.stalls_l1d_miss) / cycles",
	  false },
	{ TOPDOWN_L1_BOUND,
	  "max(0, exe_activity.bound_on_loads - memory_activity.stalls_l1d_miss) / cycles", false },
	{ TOPDOWN_L1_BOUND,
	  "max(0, cycle_activity.stalls_ldm_pending - cycle_activity.stalls_l1d_pending) / cycles",
	  false },

	{ TOPDOWN_L2_BOUND,
	  "max(0, cycle_activity.stalls_l1d_miss - cycle_activity.stalls_l2_miss) / cycles",
	  false },
	{ TOPDOWN_L2_BOUND,
	  "max(0, memory_activity.stalls_l1d_miss - memory_activity.stalls_l2_miss) / cycles",
	  false },
	{ TOPDOWN_L2_BOUND,
	  "max(0, cycle_activity.stalls_l1d_pending - cycle_activity.stalls_l2_pending) / cycles",
	  false },

	{ TOPDOWN_L3_BOUND,
	  "max(0, cycle_activity.stalls_l2_miss - cycle_activity.stalls_l3_miss) / cycles", false },
	{ TOPDOWN_L3_BOUND,
	  "max(0, memory_activity.stalls_l2_miss - memory_activity.stalls_l3_miss) / cycles",
	  false },
	{ TOPDOWN_L3_BOUND, L3_PART " * cycle_activity.stalls_l2_pending / cycles", false },

	{ TOPDOWN_DRAM_BOUND, "cycle_activity.stalls_l3_miss / cycles", false },
	{ TOPDOWN_DRAM_BOUND, "memory_activity.stalls_l3_miss / cycles", false },
	{ TOPDOWN_DRAM_BOUND, "(1 - " L3_PART ") * cycle_activity.stalls_l2_pending / cycles",
	  false },

	{ NR_TOPDOWN_FIGURES, NULL, false },
};

const struct topdown_formula *topdown_formulas(void)
{
	return formulas;
}

const char *topdown_figure_name(enum topdown_figure figure)
{
	static const char *const names[] = {
#define TOPDOWN_NAME(figure, name) [TOPDOWN_##figure] = name,
		TOPDOWN_FIGURE_EACH(TOPDOWN_NAME)
#undef TOPDOWN_NAME
	};

	return names[figure];
}
