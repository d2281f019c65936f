// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/team.h"

#include <stdlib.h>

#define ALL_PROCESSES (-1)

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

/* By name, process, number, thread. */
static int compare_owners(const void *a, const void *b)
{
	const struct interval *first = a, *second = b;

	COMPARE(first->name, second->name);
	COMPARE(first->team, second->team);
	COMPARE(first->team_number, second->team_number);
	COMPARE(first->thread, second->thread);
	return 0;
}

static int compare_starts(const void *a, const void *b)
{
	const struct interval *first = a, *second = b;

	COMPARE(first->name, second->name);
	COMPARE(first->team, second->team);
	COMPARE(first->team_number, second->team_number);
	COMPARE(first->start_ns, second->start_ns);
	COMPARE(first->thread, second->thread);
	COMPARE(first->row, second->row);
	return 0;
}

bool team_is_same(const struct interval *a, const struct interval *b)
{
	return a->name == b->name && a->team == b->team && a->team_number == b->team_number;
}

void team_sort(const struct model *model, struct interval *intervals, size_t nr)
{
	size_t end;

	for (size_t i = 0; i < nr; i++)
		intervals[i].team = model->threads[intervals[i].thread].tgid;
	qsort(intervals, nr, sizeof(*intervals), compare_owners);
	for (size_t i = 0; i < nr; i = end) {
		bool is_shared = intervals[i].team_number != 0;

		for (end = i + 1; end < nr && team_is_same(&intervals[i], &intervals[end]); end++)
			is_shared |= intervals[end].thread != intervals[i].thread;
		for (size_t j = i; j < end && !is_shared; j++)
			intervals[j].team = ALL_PROCESSES;
	}
	qsort(intervals, nr, sizeof(*intervals), compare_starts);
}
