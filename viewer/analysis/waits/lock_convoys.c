// SPDX-License-Identifier: GPL-2.0
#include "analysis/waits/lock_convoys.h"

#include <stdlib.h>

#include "util/pair_table.h"

#define COMPARE(a, b)                              \
	do {                                       \
		if ((a) != (b))                    \
			return (a) < (b) ? -1 : 1; \
	} while (0)

int lock_wait_compare(const void *a, const void *b)
{
	const struct lock_wait *first = a, *second = b;

	COMPARE(first->end_ns, second->end_ns);
	COMPARE(first->start_ns, second->start_ns);
	COMPARE(first->thread, second->thread);
	return 0;
}

static bool is_handover(const struct lock_wait *first, const struct lock_wait *second)
{
	return second->start_ns < first->end_ns && second->start_ns >= first->start_ns;
}

static size_t count_threads(const struct lock_wait *waits, size_t nr)
{
	struct pair_table threads = { 0 };
	size_t nr_threads;

	for (size_t i = 0; i < nr; i++)
		pair_table_number(&threads, waits[i].thread, 0);
	nr_threads = threads.nr;
	pair_table_free(&threads);
	return nr_threads;
}

/* A row of handovers that is as long as it can be. */
static void add_row(struct lock_convoys *convoys, const struct lock_wait *waits, size_t nr)
{
	uint64_t length_ns = waits[nr - 1].end_ns - waits[0].end_ns;
	size_t nr_threads;

	if (nr < CONVOY_LEAST_THREADS)
		return;
	nr_threads = count_threads(waits, nr);
	if (nr_threads < CONVOY_LEAST_THREADS)
		return;
	convoys->nr++;
	convoys->waits += nr;
	convoys->ns += length_ns;
	if (nr >= CONVOY_LEAST_TURNS * nr_threads)
		convoys->persistent_ns += length_ns;
	if (nr <= convoys->longest_waits)
		return;
	convoys->longest_waits = nr;
	convoys->longest_threads = nr_threads;
	convoys->longest_from_ns = waits[0].start_ns;
	convoys->longest_to_ns = waits[nr - 1].end_ns;
}

struct lock_convoys lock_convoys_find(const struct lock_wait *waits, size_t nr)
{
	struct lock_convoys convoys = { 0 };
	size_t first = 0;

	for (size_t i = 1; i <= nr; i++) {
		if (i < nr && is_handover(&waits[i - 1], &waits[i]))
			continue;
		add_row(&convoys, &waits[first], i - first);
		first = i;
	}
	return convoys;
}
