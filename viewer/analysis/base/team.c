// SPDX-License-Identifier: GPL-2.0
#include "analysis/base/team.h"

#include <stdlib.h>

#define ALL_PROCESSES (-1)

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

/* By name, process, thread. */
static int compare_owners(const void *a, const void *b)
{
	const struct stretch *first = a, *second = b;

	COMPARE(first->name, second->name);
	COMPARE(first->team, second->team);
	COMPARE(first->thread, second->thread);
	return 0;
}

static int compare_starts(const void *a, const void *b)
{
	const struct stretch *first = a, *second = b;

	COMPARE(first->name, second->name);
	COMPARE(first->team, second->team);
	COMPARE(first->start_ns, second->start_ns);
	COMPARE(first->thread, second->thread);
	COMPARE(first->row, second->row);
	return 0;
}

bool is_same_team(const struct stretch *a, const struct stretch *b)
{
	return a->name == b->name && a->team == b->team;
}

void sort_by_team(const struct model *model, struct stretch *stretches, size_t nr)
{
	size_t end;

	for (size_t i = 0; i < nr; i++)
		stretches[i].team = model->threads[stretches[i].thread].tgid;
	qsort(stretches, nr, sizeof(*stretches), compare_owners);
	for (size_t i = 0; i < nr; i = end) {
		bool is_shared = false;

		for (end = i + 1; end < nr && is_same_team(&stretches[i], &stretches[end]); end++)
			is_shared |= stretches[end].thread != stretches[i].thread;
		for (size_t j = i; j < end && !is_shared; j++)
			stretches[j].team = ALL_PROCESSES;
	}
	qsort(stretches, nr, sizeof(*stretches), compare_starts);
}
