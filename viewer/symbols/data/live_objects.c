// SPDX-License-Identifier: GPL-2.0
#include "symbols/data/live_objects.h"

#include <stdlib.h>

#include <uapi/annot.h>

#include "model/window/permutation.h"
#include "util/lower_bound.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/*
 * All objects in the order of their processes and addresses, and which of them live at the moment: a tree of
 * maxima, in an array. Its leaves, from @width on, are the objects in that order; of each pair, 2 i and 2 i + 1, i has
 * the greater value.
 */
struct live_set {
	const struct data_object_table *objects;
	size_t *by_address; /* rows */
	size_t *place_of; /* by row: where it is in @by_address */
	size_t width; /* a power of two, greater than the number of objects */
	uint64_t *last; /* the last address of one that lives; 0: it does not */
};

static int compare_objects(const void *a, const void *b, void *table)
{
	const struct data_object_table *objects = table;
	size_t first = *(const size_t *)a, second = *(const size_t *)b;

	if (objects->tgid[first] != objects->tgid[second])
		return objects->tgid[first] < objects->tgid[second] ? -1 : 1;
	if (objects->address[first] != objects->address[second])
		return objects->address[first] < objects->address[second] ? -1 : 1;
	return first < second ? -1 : first > second;
}

static struct live_set live_set_new(const struct data_object_table *objects)
{
	struct live_set live = { .objects = objects, .width = 1 };

	while (live.width <= objects->nr)
		live.width *= 2;
	live.by_address = xcalloc(objects->nr, sizeof(*live.by_address));
	live.place_of = xcalloc(objects->nr, sizeof(*live.place_of));
	live.last = xcalloc(2 * live.width, sizeof(*live.last));
	for (size_t row = 0; row < objects->nr; row++)
		live.by_address[row] = row;
	qsort_r(live.by_address, objects->nr, sizeof(*live.by_address), compare_objects,
		(void *)objects);
	for (size_t at = 0; at < objects->nr; at++)
		live.place_of[live.by_address[at]] = at;
	return live;
}

static void live_set_free(struct live_set *live)
{
	free(live->by_address);
	free(live->place_of);
	free(live->last);
}

/* @last: 0 ends it. */
static void set_last(struct live_set *live, size_t row, uint64_t last)
{
	size_t at = live->width + live->place_of[row];

	live->last[at] = last;
	for (; at > 1; at /= 2) {
		uint64_t other = live->last[at ^ 1];

		live->last[at / 2] = live->last[at] > other ? live->last[at] : other;
	}
}

static void begin_object(struct live_set *live, size_t row)
{
	set_last(live, row, live->objects->address[row] + (live->objects->bytes[row] - 1));
}

static void end_object(struct live_set *live, size_t row)
{
	set_last(live, row, 0);
}

/* Whether the object is of a process before, or below @address or at it. */
static bool is_upto(const struct live_set *live, size_t at, int32_t tgid, uint64_t address)
{
	size_t row = live->by_address[at];

	return live->objects->tgid[row] < tgid ||
	       (live->objects->tgid[row] == tgid && live->objects->address[row] <= address);
}

/* The last one before @end that lives and reaches @address, of any process; or SIZE_MAX. */
static size_t last_reaching(const struct live_set *live, size_t end, uint64_t address)
{
	for (size_t at = live->width + end; at > 1; at /= 2) {
		size_t before = at - 1;

		if (!(at & 1) || live->last[before] < address)
			continue;
		while (before < live->width)
			before = 2 * before + (live->last[2 * before + 1] >= address);
		return before - live->width;
	}
	return SIZE_MAX;
}

static uint32_t find_object(const struct live_set *live, int32_t tgid, uint64_t address)
{
	size_t end = LOWER_BOUND(at, 0, live->objects->nr, is_upto(live, at, tgid, address));
	size_t found = address ? last_reaching(live, end, address) : SIZE_MAX;

	if (found == SIZE_MAX || live->objects->tgid[live->by_address[found]] != tgid)
		return 0;
	return (uint32_t)(live->by_address[found] + 1);
}

/* A sample at the time of a change is of both: what begins comes before it, what ends after it. */
static void fill(const struct model *model, const size_t *by_end, const size_t *by_time,
		 enum live_objects_of of, uint32_t *found)
{
	const struct data_object_table *objects = &model->data_objects;
	const struct sample_table *samples = &model->samples;
	size_t nr_begun = 0, nr_ended = 0;
	struct live_set live = live_set_new(objects);

	for (size_t i = 0; i < samples->nr; i++) {
		size_t sample = by_time[i];
		uint64_t time_ns = samples->time_ns[sample];
		uint32_t thread = samples->thread[sample];

		for (; nr_begun < objects->nr && objects->start_ns[nr_begun] <= time_ns;
		     nr_begun++) {
			if (of == LIVE_ALL || objects->owner_tid[nr_begun])
				begin_object(&live, nr_begun);
		}
		while (nr_ended < nr_begun && objects->end_ns[by_end[nr_ended]] < time_ns)
			end_object(&live, by_end[nr_ended++]);
		if (thread != MODEL_NO_THREAD && samples->has[sample] & ANNOT_SAMPLE_HAS_ADDR)
			found[sample] = find_object(&live, model->threads[thread].tgid,
						    samples->addr[sample]);
	}
	live_set_free(&live);
}

uint32_t *live_objects_of_samples(const struct model *model, enum live_objects_of of)
{
	size_t *by_end, *by_time;
	uint32_t *found;

	if (!model->data_objects.nr)
		return NULL;
	found = xcalloc(model->samples.nr, sizeof(*found));
	by_end = permutation_by(model->data_objects.end_ns, model->data_objects.nr);
	by_time = permutation_by(model->samples.time_ns, model->samples.nr);
	fill(model, by_end, by_time, of, found);
	spill_free(by_end);
	spill_free(by_time);
	return found;
}

size_t live_object_of_sample(const struct model *model, size_t sample)
{
	const struct data_object_table *objects = &model->data_objects;
	const struct sample_table *samples = &model->samples;
	uint64_t address = samples->addr[sample], time_ns = samples->time_ns[sample];
	uint32_t thread = samples->thread[sample];
	size_t found = SIZE_MAX;

	if (thread == MODEL_NO_THREAD)
		return SIZE_MAX;
	for (size_t row = 0; row < objects->nr; row++) {
		if (objects->tgid[row] == model->threads[thread].tgid &&
		    objects->start_ns[row] <= time_ns && objects->end_ns[row] >= time_ns &&
		    address - objects->address[row] < objects->bytes[row] &&
		    (found == SIZE_MAX || objects->address[row] >= objects->address[found]))
			found = row;
	}
	return found;
}
