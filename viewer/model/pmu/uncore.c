// SPDX-License-Identifier: GPL-2.0
#include "model/pmu/uncore.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "util/count_scale.h"
#include "util/xalloc.h"

static bool is_believed(struct uncore_build *uncore, const struct trace_event *event)
{
	if (!uncore->teller_tid)
		uncore->teller_tid = event->tid;
	return event->tid == uncore->teller_tid;
}

/* They are told in the order of their numbers; a gap is of a line that was lost. */
static void make_room(struct model_builder *builder, size_t nr)
{
	struct model *model = builder->model;

	model->uncore_counters = xrealloc_array(model->uncore_counters, nr,
						sizeof(*model->uncore_counters));
	builder->uncore.last = xrealloc_array(builder->uncore.last, nr,
					      sizeof(*builder->uncore.last));
	for (size_t i = model->nr_uncore_counters; i < nr; i++) {
		model->uncore_counters[i] = (struct uncore_counter){ .scale = 1, .cpu = -1 };
		builder->uncore.last[i] = (struct uncore_last){ 0 };
	}
	model->nr_uncore_counters = nr;
}

void uncore_feed_event(struct model_builder *builder, const struct trace_event *event)
{
	struct model *model = builder->model;
	uint32_t counter = event->uncore_event.counter;

	if (counter >= MODEL_MOST_UNCORE_COUNTERS || !is_believed(&builder->uncore, event))
		return;
	if (counter >= model->nr_uncore_counters)
		make_room(builder, (size_t)counter + 1);
	model->uncore_counters[counter] = (struct uncore_counter){
		.name = event->uncore_event.name,
		.unit = event->uncore_event.unit,
		.cpu = event->uncore_event.cpu,
		.scale = event->uncore_event.scale,
	};
	builder->uncore.last[counter] = (struct uncore_last){ 0 };
}

/* Highest of the readings whose count is known. */
static void note_rate(struct uncore_counter *counter, const struct uncore_reading_row *row)
{
	double per_s;

	if (!row->running_ns)
		return;
	per_s = (double)row->count * counter->scale * 1e9 / (double)row->lasted_ns;
	if (per_s > counter->most_per_s)
		counter->most_per_s = per_s;
}

/* Counters only grow: one that does not is another one. */
static bool has_grown(const struct uncore_count *from, const struct uncore_count *to)
{
	return to->count >= from->count && to->enabled_ns > from->enabled_ns &&
	       to->running_ns >= from->running_ns;
}

static void add_reading(struct model_builder *builder, uint32_t counter,
			const struct uncore_count *now)
{
	const struct uncore_last *last = &builder->uncore.last[counter];
	uint64_t lasted_ns = now->enabled_ns - last->count.enabled_ns;
	uint64_t running_ns = now->running_ns - last->count.running_ns;
	struct uncore_reading_row row = {
		.start_ns = last->time_ns,
		.end_ns = builder->now_ns,
		.counter = counter,
		.count = count_scale(now->count - last->count.count, lasted_ns, running_ns),
		.lasted_ns = lasted_ns,
		.running_ns = running_ns < lasted_ns ? running_ns : lasted_ns,
	};

	note_rate(&builder->model->uncore_counters[counter], &row);
	uncore_reading_table_add(&builder->model->uncore_readings, &row);
}

static void feed_count(struct model_builder *builder, uint32_t counter,
		       const struct uncore_count *now)
{
	struct uncore_last *last = &builder->uncore.last[counter];

	if (last->is_read && has_grown(&last->count, now))
		add_reading(builder, counter, now);
	*last = (struct uncore_last){ true, builder->now_ns, *now };
}

void uncore_feed_counts(struct model_builder *builder, const struct trace_event *event)
{
	size_t nr = builder->model->nr_uncore_counters;

	if (!is_believed(&builder->uncore, event))
		return;
	for (uint32_t i = 0; i < event->uncore.nr && (size_t)event->uncore.first + i < nr; i++)
		feed_count(builder, event->uncore.first + i, &event->uncore.counts[i]);
}

void uncore_finish(struct model_builder *builder)
{
	free(builder->uncore.last);
	builder->uncore = (struct uncore_build){ 0 };
}
