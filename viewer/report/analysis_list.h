/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The analyses: each is described in a source of its own, viewer/report/analyses/NAME_report.c.
 */
#ifndef ANNOT_ANALYSIS_LIST_H
#define ANNOT_ANALYSIS_LIST_H

#include "report/analyses.h"

/* All analyses, in the order in which they are computed and written. */
#define ANALYSIS_EACH(X)    \
	X(regions)          \
	X(serial_share)     \
	X(loop_schedule)    \
	X(task_granularity) \
	X(lock_contention)  \
	X(messages)         \
	X(critical_path)    \
	X(interference)     \
	X(wakeup_latency)   \
	X(migrations)       \
	X(idle_waits)       \
	X(throttling)       \
	X(blocked_on)       \
	X(wait_chains)      \
	X(sleeps)           \
	X(spinning)         \
	X(oversubscription) \
	X(block_io)         \
	X(interrupt_load)   \
	X(softirq_storms)   \
	X(cpu_power)        \
	X(uncore)           \
	X(smt_sharing)      \
	X(system_calls)     \
	X(fault_storms)     \
	X(task_tree)        \
	X(percentiles)      \
	X(periodic_tasks)   \
	X(slow_instances)   \
	X(what_if)          \
	X(topdown)          \
	X(metrics)          \
	X(stalls)           \
	X(data_levels)      \
	X(load_latency)     \
	X(data_objects)     \
	X(switch_misses)    \
	X(set_conflicts)    \
	X(false_sharing)    \
	X(working_set)

#define ANALYSIS_DECLARE(name) extern const struct analysis_desc name##_analysis;
ANALYSIS_EACH(ANALYSIS_DECLARE)
#undef ANALYSIS_DECLARE

/* The same as a list; NULL behind the last. */
const struct analysis_desc *const *analysis_descs(void);

#endif /* ANNOT_ANALYSIS_LIST_H */
