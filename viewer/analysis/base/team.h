/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Intervals of one name that several threads may be in together: the threads of one process, as in OpenMP; or, if each process
 * has only one thread with that name, the threads of all processes of the session, as in MPI. These threads are a team.
 * Waits that say for which team they are (SPAN_OF_TEAM) are of this team.
 */
#ifndef ANNOT_TEAM_H
#define ANNOT_TEAM_H

#include <stdbool.h>

#include "model/model.h"

struct interval {
	uint32_t name; /* string id */
	uint32_t thread;
	int32_t team; /* set by team_sort(): a tgid, or -1 for all processes */
	uint64_t start_ns;
	uint64_t end_ns;
	size_t row; /* of whatever it is */
	int64_t team_number; /* of SPAN_OF_TEAM; others: 0 */
};

/* Sorts by name, team, team_number and start. */
void team_sort(const struct model *model, struct interval *intervals, size_t nr);

bool team_is_same(const struct interval *a, const struct interval *b);

#endif /* ANNOT_TEAM_H */
