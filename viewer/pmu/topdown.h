/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which events of this CPU top-down is computed from: their names are those that the formulas know
 * (analysis/topdown/formulas.h).
 */
#ifndef ANNOT_PMU_TOPDOWN_H
#define ANNOT_PMU_TOPDOWN_H

#include "pmu/refusal.h"
#include "pmu/request.h"

/* Of a list of names. */
#define TOPDOWN_NO_COUNTER                                                                                                      \
	"record: --topdown: no counter is free for %s: what needs them will be unknown "                                        \
	"(--topdown=memory counts the levels of memory first, --topdown=level2 all of level 2 in turns; " REFUSAL_FREE_WATCHDOG \
	" frees a counter)"

/* Which come first: a CPU may have counters for these only. */
enum topdown_first {
	TOPDOWN_FIRST_SLOTS, /* level 1, then memory bound, then levels of memory, then the rest of level 2 */
	TOPDOWN_FIRST_MEMORY, /* levels of memory, then level 1 and 2 */
	TOPDOWN_FIRST_LEVEL2, /* level 1, then level 2, then levels of memory */
};

/*
 * Appends the events, counted, each with is_of_topdown, in groups. Those that @requests have already are left out, but where groups are needed: then
 * each group has its own. Intel's fixed metrics need groups, and so does TOPDOWN_FIRST_LEVEL2: what divides a figure of level 1 has
 * a group of its own where it does not fit beside others. Else it is left out there. Without groups, all of level 2 but memory bound is left out.
 * Returns an exit status:
 * EXIT_BAD_INPUT after one line on stderr if this CPU has none. pmu_names_open() stands before it.
 */
int pmu_topdown_add(struct pmu_requests *requests, enum topdown_first first,
		    const struct pmu_request_rules *rules);

#endif /* ANNOT_PMU_TOPDOWN_H */
