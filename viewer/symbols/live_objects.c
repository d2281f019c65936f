// SPDX-License-Identifier: GPL-2.0
#include "symbols/live_objects.h"

#include <stdlib.h>
#include <string.h>

#include <uapi/annot.h>

#include "model/window/permutation.h"
#include "util/lower_bound.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

struct live_object {
	int32_t tgid;
	uint32_t row;
	uint64_t address;
	uint64_t last; /* its last address */
	uint64_t reach; /* the greatest last address of those of its process up to this one */
};

/* Those that live at the moment, by process and address. */
struct live_set {
	size_t nr;
	size_t capacity;
	struct live_object *objects;
};

static bool is_before(const struct live_object *object, int32_t tgid, uint64_t address)
{
	return object->tgid < tgid || (object->tgid == tgid && object->address <= address);
}

/* The number of those at or below @address, and of processes before. */
static size_t count_upto(const struct live_set *live, int32_t tgid, uint64_t address)
{
	return LOWER_BOUND(at, 0, live->nr, is_before(&live->objects[at], tgid, address));
}

static void settle_reach(struct live_set *live, size_t from)
{
	for (size_t i = from; i < live->nr; i++) {
		struct live_object *object = &live->objects[i];

		object->reach = object->last;
		if (i && object[-1].tgid == object->tgid && object[-1].reach > object->reach)
			object->reach = object[-1].reach;
	}
}

static void add_object(struct live_set *live, const struct data_object_table *objects, size_t row)
{
	struct live_object object = {
		.tgid = objects->tgid[row],
		.row = (uint32_t)row,
		.address = objects->address[row],
		.last = objects->address[row] + (objects->bytes[row] - 1),
	};
	size_t at = count_upto(live, object.tgid, object.address);

	ARRAY_MAKE_ROOM(live->objects, live->nr, live->capacity);
	memmove(&live->objects[at + 1], &live->objects[at], (live->nr - at) * sizeof(object));
	live->objects[at] = object;
	live->nr++;
	settle_reach(live, at);
}

/* Those at one address are next to each other. */
static void remove_object(struct live_set *live, const struct data_object_table *objects,
			  size_t row)
{
	size_t at = count_upto(live, objects->tgid[row], objects->address[row]);

	while (live->objects[at - 1].row != row)
		at--;
	memmove(&live->objects[at - 1], &live->objects[at],
		(live->nr - at) * sizeof(*live->objects));
	live->nr--;
	settle_reach(live, at - 1);
}

static uint32_t find_object(const struct live_set *live, int32_t tgid, uint64_t address)
{
	size_t at = count_upto(live, tgid, address);

	for (; at && live->objects[at - 1].tgid == tgid && live->objects[at - 1].reach >= address;
	     at--) {
		if (live->objects[at - 1].last >= address)
			return live->objects[at - 1].row + 1;
	}
	return 0;
}

/* A sample at the time of a change is of both: what begins comes before it, what ends after it. */
static void fill(const struct model *model, const size_t *by_end, const size_t *by_time,
		 uint32_t *found)
{
	const struct data_object_table *objects = &model->data_objects;
	const struct sample_table *samples = &model->samples;
	size_t nr_begun = 0, nr_ended = 0;
	struct live_set live = { 0 };

	for (size_t i = 0; i < samples->nr; i++) {
		size_t sample = by_time[i];
		uint64_t time_ns = samples->time_ns[sample];
		uint32_t thread = samples->thread[sample];

		while (nr_begun < objects->nr && objects->start_ns[nr_begun] <= time_ns)
			add_object(&live, objects, nr_begun++);
		while (nr_ended < nr_begun && objects->end_ns[by_end[nr_ended]] < time_ns)
			remove_object(&live, objects, by_end[nr_ended++]);
		if (thread != MODEL_NO_THREAD && samples->has[sample] & ANNOT_SAMPLE_HAS_ADDR)
			found[sample] = find_object(&live, model->threads[thread].tgid,
						    samples->addr[sample]);
	}
	free(live.objects);
}

uint32_t *live_objects_of_samples(const struct model *model)
{
	size_t *by_end, *by_time;
	uint32_t *found;

	if (!model->data_objects.nr)
		return NULL;
	found = xcalloc(model->samples.nr, sizeof(*found));
	by_end = permutation_by(model->data_objects.end_ns, model->data_objects.nr);
	by_time = permutation_by(model->samples.time_ns, model->samples.nr);
	fill(model, by_end, by_time, found);
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
