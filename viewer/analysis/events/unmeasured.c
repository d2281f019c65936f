// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/unmeasured.h"

#include <stdlib.h>

#include "model/table_rows.h"
#include "util/xalloc.h"

static void add_row(struct unmeasured_list *list, struct unmeasured row)
{
	if (row.end_ns <= row.start_ns)
		return;
	if (column_is_full(list->nr))
		list->rows = column_grow(list->rows, list->nr, sizeof(*list->rows));
	list->rows[list->nr++] = row;
}

/* Whoever ran on @cpu in [start_ns, end_ns). */
static void add_runners(struct unmeasured_list *list, const struct model *model, int cpu,
			uint8_t event, uint64_t start_ns, uint64_t end_ns)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;
	/* The last that starts before, or the first. */
	size_t i = column_find(slices->start_ns, slices->nr, start_ns);

	for (i = i == SIZE_MAX ? 0 : i; i < slices->nr && slices->start_ns[i] < end_ns; i++)
		add_row(list,
			(struct unmeasured){
				.start_ns = slices->start_ns[i] > start_ns ? slices->start_ns[i] :
									     start_ns,
				.end_ns = slices->end_ns[i] < end_ns ? slices->end_ns[i] : end_ns,
				.thread = slices->thread[i],
				.event = event,
			});
}

static void add_gaps(struct unmeasured_list *list, const struct model *model)
{
	const struct pmu_gap_table *gaps = &model->pmu_gaps;

	for (size_t i = 0; i < gaps->nr; i++)
		add_runners(list, model, gaps->cpu[i], gaps->event[i], gaps->start_ns[i],
			    gaps->end_ns[i]);
}

static void add_enough(struct unmeasured_list *list, const struct model *model, uint8_t event)
{
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		add_runners(list, model, cpu, event, model->pmu_events[event].enough_ns,
			    model->duration_ns);
}

/* Until when each thread's slices were counted. free() it. */
static uint64_t *last_counts(const struct model *model)
{
	const struct slice_count_table *counts = &model->slice_counts;
	uint64_t *until_ns = xcalloc(model->nr_threads, sizeof(*until_ns));

	for (size_t i = 0; i < counts->nr; i++) {
		if (counts->thread[i] != MODEL_NO_THREAD)
			until_ns[counts->thread[i]] = counts->end_ns[i];
	}
	return until_ns;
}

static void add_last_slices(struct unmeasured_list *list, const struct model *model)
{
	uint64_t *until_ns = last_counts(model);

	for (uint32_t thread = 0; thread < model->nr_threads; thread++) {
		const struct state_table *states = &model->threads[thread].states;
		uint64_t start_ns = states->start_ns[states->nr - 1];

		if (states->state[states->nr - 1] != STATE_RUNNING)
			continue;
		if (until_ns[thread] > start_ns)
			start_ns = until_ns[thread];
		for (size_t event = 0; event < model->nr_pmu_events; event++) {
			if (model->pmu_events[event].is_counted)
				add_row(list, (struct unmeasured){ .start_ns = start_ns,
								   .end_ns = model->duration_ns,
								   .thread = thread,
								   .event = (uint8_t)event });
		}
	}
	free(until_ns);
}

static int compare(const void *a, const void *b)
{
	const struct unmeasured *first = a, *second = b;

	if (first->event != second->event)
		return first->event < second->event ? -1 : 1;
	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	return first->start_ns < second->start_ns ? -1 : first->start_ns > second->start_ns;
}

/* Two reasons at one time are one time. */
static void join_overlapping(struct unmeasured_list *list)
{
	size_t kept = 0;

	for (size_t i = 0; i < list->nr; i++) {
		const struct unmeasured *row = &list->rows[i];
		struct unmeasured *last = kept ? &list->rows[kept - 1] : NULL;

		if (!last || last->event != row->event || last->thread != row->thread ||
		    last->end_ns < row->start_ns)
			list->rows[kept++] = *row;
		else if (last->end_ns < row->end_ns)
			last->end_ns = row->end_ns;
	}
	list->nr = kept;
}

struct unmeasured_list unmeasured_compute(const struct model *model)
{
	struct unmeasured_list list = { 0 };

	add_gaps(&list, model);
	for (size_t event = 0; event < model->nr_pmu_events; event++)
		add_enough(&list, model, (uint8_t)event);
	add_last_slices(&list, model);
	if (list.nr)
		qsort(list.rows, list.nr, sizeof(*list.rows), compare);
	join_overlapping(&list);
	return list;
}

/* The first row of @thread and @event that ends behind @time_ns, or a row of others. */
static size_t first_after(const struct unmeasured_list *list, uint32_t thread, uint8_t event,
			  uint64_t time_ns)
{
	size_t from = 0, to = list->nr;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		const struct unmeasured *row = &list->rows[middle];

		if (row->event != event	  ? row->event < event :
		    row->thread != thread ? row->thread < thread :
					    row->end_ns <= time_ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

uint64_t unmeasured_within(const struct unmeasured_list *list, uint32_t thread, uint8_t event,
			   uint64_t from_ns, uint64_t to_ns)
{
	uint64_t ns = 0;

	for (size_t i = first_after(list, thread, event, from_ns); i < list->nr; i++) {
		const struct unmeasured *row = &list->rows[i];

		if (row->event != event || row->thread != thread || row->start_ns >= to_ns)
			break;
		ns += (row->end_ns < to_ns ? row->end_ns : to_ns) -
		      (row->start_ns > from_ns ? row->start_ns : from_ns);
	}
	return ns;
}

void unmeasured_free(struct unmeasured_list *list)
{
	free(list->rows);
}
