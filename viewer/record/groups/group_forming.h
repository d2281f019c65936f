/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which counted events count at the same time, as far as the counters of a CPU allow: those that the command line puts in a group;
 * parts of top-down, together if they fit; and of the others as many as fit, in their order.
 */
#ifndef ANNOT_RECORD_GROUPS_GROUP_FORMING_H
#define ANNOT_RECORD_GROUPS_GROUP_FORMING_H

#include "record/groups/group_set.h"

/*
 * Fills the groups of @set, and what is refused, by trying them on @cpu. Warns of events that the kernel refuses. Returns an exit status: not
 * EXIT_OK, after one line on stderr, if a group of the command line does not fit, or nothing can be counted.
 */
int group_forming_run(struct group_set *set, const struct pmu_requests *requests, int cpu);

#endif /* ANNOT_RECORD_GROUPS_GROUP_FORMING_H */
