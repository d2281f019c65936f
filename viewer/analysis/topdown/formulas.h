/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The figures of top-down, and how each comes from counted events. A CPU's issue slots (4 to 8 in each cycle) are divided
 * completely: retiring + bad speculation + front-end bound + back-end bound (+ SMT contention, where the CPU counts that apart). On
 * level 2, each of the four divides in two: retiring into light + heavy operations, bad speculation into branch mispredicts +
 * machine clears, front-end bound into fetch latency + fetch bandwidth, back-end bound into memory bound + core bound. The levels of memory are shares of cycles, not of slots: in which nothing was
 * executed and a load waited for that level.
 *
 * Yasin: A Top-Down Method for Performance Analysis and Counters Architecture, ISPASS 2014. Of Intel's CPUs the formulas are
 * those of TMA (intel/perfmon): before Ice Lake by uops and 4 slots in each cycle of the thread, else by what counts slots. Of
 * AMD's Zen 4 and 5, those of pipeline utilisation (6 and 8 slots): microcode stands for heavy operations, fastpath for light ones,
 * resyncs for machine clears.
 */
#ifndef ANNOT_TOPDOWN_FORMULAS_H
#define ANNOT_TOPDOWN_FORMULAS_H

#include "analysis/topdown/metric_expr.h"

/* In this order: a formula names those before it. Each: its number, its name in formulas and in JSON. */
#define TOPDOWN_FIGURE_EACH(X)                      \
	X(RETIRING, "retiring")                     \
	X(BAD_SPECULATION, "bad_speculation")       \
	X(FRONTEND_BOUND, "frontend_bound")         \
	X(SMT_CONTENTION, "smt_contention")         \
	X(BACKEND_BOUND, "backend_bound")           \
	X(MEMORY_BOUND, "memory_bound")             \
	X(CORE_BOUND, "core_bound")                 \
	X(FETCH_LATENCY, "fetch_latency")           \
	X(FETCH_BANDWIDTH, "fetch_bandwidth")       \
	X(BRANCH_MISPREDICTS, "branch_mispredicts") \
	X(MACHINE_CLEARS, "machine_clears")         \
	X(HEAVY_OPERATIONS, "heavy_operations")     \
	X(LIGHT_OPERATIONS, "light_operations")     \
	X(L1_BOUND, "l1_bound")                     \
	X(L2_BOUND, "l2_bound")                     \
	X(L3_BOUND, "l3_bound")                     \
	X(DRAM_BOUND, "dram_bound")

enum topdown_figure {
#define TOPDOWN_FIGURE(figure, name) TOPDOWN_##figure,
	TOPDOWN_FIGURE_EACH(TOPDOWN_FIGURE)
#undef TOPDOWN_FIGURE
	NR_TOPDOWN_FIGURES,
};

struct topdown_formula {
	enum topdown_figure figure;
	const char *text;
	bool counts_threads_apart; /* it takes the thread for the only one on its core: true of no other with SMT */
};

/* Several of a figure: the first whose events were counted. The last has NULL. */
const struct topdown_formula *topdown_formulas(void);

const char *topdown_figure_name(enum topdown_figure figure);

#endif /* ANNOT_TOPDOWN_FORMULAS_H */
