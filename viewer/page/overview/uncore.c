// SPDX-License-Identifier: GPL-2.0
#include "page/overview/uncore.h"

#include <stdlib.h>

#include "page/overview/lane_runs.h"
#include "util/xalloc.h"

/* The numbers of such a lane. */
enum uncore_number {
	COUNTED,
	KNOWN_NS, /* the time in which it is known what was counted */
};

static struct lane *lane_of(struct overview_uncore *uncore, uint32_t counter)
{
	if (counter >= uncore->nr) {
		uncore->counters = xrealloc_array(uncore->counters, (size_t)counter + 1,
						  sizeof(*uncore->counters));
		while (uncore->nr <= counter)
			uncore->counters[uncore->nr++] = lane_new(true);
	}
	return &uncore->counters[counter];
}

/* What of @count was counted in the first @ns of @all_ns, if it came evenly. */
static uint64_t count_until(uint64_t count, uint64_t ns, uint64_t all_ns)
{
	return (uint64_t)((unsigned __int128)count * ns / all_ns);
}

static void add_reading(struct overview_axis *axis, struct lane *lane, uint64_t from_ns,
			uint64_t to_ns, uint64_t count)
{
	uint64_t all_ns = to_ns - from_ns;

	for (uint64_t at_ns = from_ns; at_ns < to_ns;) {
		uint64_t bucket = at_ns >> axis->shift;
		uint64_t end_ns = (bucket + 1) << axis->shift;
		uint64_t next_ns = end_ns < to_ns ? end_ns : to_ns;

		lane_add(axis, lane, (uint32_t)bucket, COUNTED,
			 count_until(count, next_ns - from_ns, all_ns) -
				 count_until(count, at_ns - from_ns, all_ns));
		lane_add(axis, lane, (uint32_t)bucket, KNOWN_NS, next_ns - at_ns);
		at_ns = next_ns;
	}
}

void overview_add_readings(struct overview_axis *axis, struct overview_uncore *uncore,
			   const struct uncore_reading_table *readings)
{
	for (size_t i = 0; i < readings->nr; i++) {
		if (readings->running_ns[i] && readings->end_ns[i] <= OVERVIEW_LATEST_NS)
			add_reading(axis, lane_of(uncore, readings->counter[i]),
				    readings->start_ns[i], readings->end_ns[i], readings->count[i]);
	}
}

void overview_coarsen_uncore(struct overview_axis *axis, struct overview_uncore *uncore,
			     unsigned int nr_doublings)
{
	for (size_t i = 0; i < uncore->nr; i++)
		lane_coarsen(axis, &uncore->counters[i], nr_doublings, false);
}

static void describe_counts(const struct overview_axis *axis, const struct lane_cell *cell,
			    uint64_t values[RUNS_COLUMNS_MAX])
{
	uint64_t count = 0, known_ns = 0;

	for (uint32_t i = 0; i < cell->nr; i++) {
		if (cell->amounts[i].of == COUNTED)
			count = cell->amounts[i].amount;
		else
			known_ns = cell->amounts[i].amount;
	}
	values[1] = known_ns ? (uint64_t)((double)count * 1e9 / (double)known_ns + 0.5) : 0;
	values[2] = overview_share(axis, known_ns);
}

void overview_put_uncore(struct overview_axis *axis, struct overview_uncore *uncore,
			 uint32_t nr_buckets, struct block *block)
{
	for (size_t i = 0; i < uncore->nr; i++) {
		struct runs runs = { .kind = PAGE_UNCORE_OVERVIEW };

		lane_runs_add(axis, &uncore->counters[i], nr_buckets, describe_counts, &runs);
		runs_put(&runs, i, block);
		runs_free(&runs);
	}
}

void overview_free_uncore(struct overview_axis *axis, struct overview_uncore *uncore)
{
	for (size_t i = 0; i < uncore->nr; i++)
		lane_free(axis, &uncore->counters[i]);
	free(uncore->counters);
	*uncore = (struct overview_uncore){ 0 };
}
