/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stretches of one name that several threads may be in together: those of one process, as OpenMP
 * has it; or, where each process has only one thread that knows the name, of all processes of the
 * session, as MPI has it. That is a team.
 */
#ifndef ANNOT_TOGETHER_H
#define ANNOT_TOGETHER_H

#include <stdbool.h>

#include "model/model.h"

struct stretch {
	uint32_t name; /* string id */
	uint32_t thread;
	int32_t team; /* set by sort_by_team(): a tgid, or -1 for all processes */
	uint64_t start_ns;
	uint64_t end_ns;
	size_t row; /* of whatever it is */
};

/* Sorts by name, team and start. */
void sort_by_team(const struct model *model, struct stretch *stretches, size_t nr);

bool is_same_team(const struct stretch *a, const struct stretch *b);

#endif /* ANNOT_TOGETHER_H */
