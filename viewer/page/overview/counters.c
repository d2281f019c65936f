// SPDX-License-Identifier: GPL-2.0
#include "page/overview/counters.h"

#include <stdlib.h>

#include "page/overview/runs.h"
#include "util/hash.h"
#include "util/xalloc.h"

struct value_point {
	uint32_t bucket;
	int64_t min;
	int64_t max;
	int64_t last;
	uint64_t last_ns;
};

static void merge_points(void *point, const void *other)
{
	struct value_point *value = point;
	const struct value_point *more = other;

	if (more->min < value->min)
		value->min = more->min;
	if (more->max > value->max)
		value->max = more->max;
	if (more->last_ns >= value->last_ns) {
		value->last_ns = more->last_ns;
		value->last = more->last;
	}
}

static const struct overview_point_type type = { sizeof(struct value_point), merge_points };

static size_t place_of(uint32_t thread, uint32_t name, size_t nr_places)
{
	return hash_slot((uint64_t)thread << 32 | name, nr_places - 1);
}

static void make_room_for(struct overview_counters *counters, uint32_t counter)
{
	const struct overview_counter *row = &counters->counters[counter];
	size_t at = place_of(row->thread, row->name, counters->nr_places);

	while (counters->places[at])
		at = (at + 1) & (counters->nr_places - 1);
	counters->places[at] = counter + 1;
}

/* At most half of the places are taken. */
static void grow_places(struct overview_counters *counters)
{
	counters->nr_places = counters->nr_places ? counters->nr_places * 2 : 64;
	free(counters->places);
	counters->places = xcalloc(counters->nr_places, sizeof(*counters->places));
	for (size_t i = 0; i < counters->nr; i++)
		make_room_for(counters, (uint32_t)i);
}

static size_t add_counter(struct overview_counters *counters, uint32_t thread, uint32_t name)
{
	ARRAY_MAKE_ROOM(counters->counters, counters->nr, counters->capacity);
	counters->counters[counters->nr] = (struct overview_counter){ .thread = thread,
								      .name = name };
	make_room_for(counters, (uint32_t)counters->nr);
	return counters->nr++;
}

static bool is_of(const struct overview_counter *counter, uint32_t thread, uint32_t name)
{
	return counter->thread == thread && counter->name == name;
}

static struct overview_counter *counter_of(struct overview_counters *counters, uint32_t thread,
					   uint32_t name)
{
	size_t at;

	if (counters->last < counters->nr &&
	    is_of(&counters->counters[counters->last], thread, name))
		return &counters->counters[counters->last];
	if (counters->nr * 2 >= counters->nr_places)
		grow_places(counters);
	at = place_of(thread, name, counters->nr_places);
	while (counters->places[at] &&
	       !is_of(&counters->counters[counters->places[at] - 1], thread, name))
		at = (at + 1) & (counters->nr_places - 1);
	counters->last = counters->places[at] ? counters->places[at] - 1 :
						add_counter(counters, thread, name);
	return &counters->counters[counters->last];
}

void overview_add_value(struct overview_axis *axis, struct overview_counters *counters,
			uint32_t thread, uint32_t name, uint64_t time_ns, int64_t value)
{
	struct value_point point = { (uint32_t)(time_ns >> axis->shift), value, value, value,
				     time_ns };

	overview_points_add(axis, &counter_of(counters, thread, name)->points, &type, &point);
}

void overview_coarsen_counters(struct overview_axis *axis, struct overview_counters *counters,
			       unsigned int nr_doublings)
{
	for (size_t i = 0; i < counters->nr; i++)
		overview_points_coarsen(axis, &counters->counters[i].points, &type, nr_doublings);
}

/* Between two points, the value holds. */
static void add_counter_runs(struct runs *runs, const struct overview_counter *counter,
			     uint32_t nr_buckets)
{
	uint64_t none_yet[RUNS_COLUMNS_MAX] = { counter->name, 0, 1, 0, 0 };
	const struct value_point *points = (const void *)counter->points.points;
	size_t nr = counter->points.nr;

	runs_add(runs, points[0].bucket, none_yet);
	for (size_t i = 0; i < nr; i++) {
		uint32_t next = i + 1 < nr ? points[i + 1].bucket : nr_buckets;
		uint64_t last = (uint64_t)points[i].last;
		uint64_t told[RUNS_COLUMNS_MAX] = { counter->name, 0, (uint64_t)points[i].min,
						    (uint64_t)points[i].max, last };
		uint64_t held[RUNS_COLUMNS_MAX] = { counter->name, 0, last, last, last };

		runs_add(runs, 1, told);
		runs_add(runs, next - points[i].bucket - 1, held);
	}
}

static int compare_counters(const void *left, const void *right)
{
	const struct overview_counter *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return (a->name > b->name) - (a->name < b->name);
}

void overview_put_counters(struct overview_counters *counters, uint32_t nr_buckets,
			   struct block *block)
{
	struct runs runs = { .kind = PAGE_COUNTER_OVERVIEW, .run_column = 1 };

	if (!counters->nr)
		return;
	qsort(counters->counters, counters->nr, sizeof(*counters->counters), compare_counters);
	for (size_t i = 0; i < counters->nr; i++) {
		const struct overview_counter *counter = &counters->counters[i];

		add_counter_runs(&runs, counter, nr_buckets);
		if (i + 1 == counters->nr || counter[1].thread != counter->thread)
			runs_put(&runs, counter->thread, block);
	}
	runs_free(&runs);
}

void overview_free_counters(struct overview_axis *axis, struct overview_counters *counters)
{
	for (size_t i = 0; i < counters->nr; i++)
		overview_points_free(axis, &counters->counters[i].points, &type);
	free(counters->counters);
	free(counters->places);
}
