// SPDX-License-Identifier: GPL-2.0
#include "analysis/topdown/region_slices.h"

#include <stdlib.h>

#include "analysis/base/by_thread.h"
#include "analysis/events/unmeasured.h"
#include "model/account.h"
#include "util/xalloc.h"

/* A thread's part of a region. */
struct part {
	size_t group;
	uint32_t thread;
	uint64_t from_ns;
	uint64_t to_ns;
};

struct finding_slices {
	const struct model *model;
	struct by_thread by;
	struct unmeasured_list unmeasured;
	struct region_slices *slices;
};

static int compare_parts(const void *a, const void *b)
{
	const struct part *first = a, *second = b;

	if (first->group != second->group)
		return first->group < second->group ? -1 : 1;
	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	return first->from_ns < second->from_ns ? -1 : first->from_ns > second->from_ns;
}

/* In the order of groups, threads and time. free() them. */
static struct part *sorted_parts(const struct regions *regions)
{
	struct part *parts = xcalloc(regions->nr_threads, sizeof(*parts));
	size_t nr = 0;

	for (size_t i = 0; i < regions->nr; i++) {
		const struct region *region = &regions->rows[i];

		for (size_t j = 0; j < region->nr_threads; j++) {
			const struct region_thread *thread =
				&regions->threads[region->first_thread + j];

			parts[nr++] = (struct part){ region->group, thread->thread, thread->from_ns,
						     thread->to_ns };
		}
	}
	if (nr)
		qsort(parts, nr, sizeof(*parts), compare_parts);
	return parts;
}

/* Of the thread's slices, the first that ends behind @time_ns; its place in by.rows. */
static size_t first_after(const struct finding_slices *at, uint32_t thread, uint64_t time_ns)
{
	const uint64_t *end_ns = at->model->slice_counts.end_ns;
	size_t from = at->by.first[thread], to = at->by.first[thread + 1];

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (end_ns[at->by.rows[middle]] <= time_ns)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

static void add_slices(const struct finding_slices *at, const struct part *part)
{
	const struct slice_count_table *counts = &at->model->slice_counts;
	size_t end = at->by.first[part->thread + 1];

	for (size_t i = first_after(at, part->thread, part->from_ns); i < end; i++) {
		size_t row = at->by.rows[i];
		uint64_t start_ns = counts->start_ns[row], end_ns = counts->end_ns[row];
		uint64_t from_ns = start_ns > part->from_ns ? start_ns : part->from_ns;
		uint64_t to_ns = end_ns < part->to_ns ? end_ns : part->to_ns;

		if (start_ns >= part->to_ns)
			return;
		if (from_ns < to_ns)
			metric_slices_add(&at->slices->groups[part->group], row, end_ns - start_ns,
					  to_ns - from_ns);
	}
}

static void add_part(const struct finding_slices *at, const struct part *part)
{
	size_t nr_events = at->model->nr_pmu_events;
	struct event_figures *figures = &at->slices->figures[part->group * nr_events];
	struct thread_account account;

	model_account(at->model, part->thread, part->from_ns, part->to_ns, &account);
	at->slices->on_cpu_ns[part->group] += account.state_ns[STATE_RUNNING];
	add_slices(at, part);
	for (size_t event = 0; event < nr_events; event++)
		figures[event].unmeasured_ns += unmeasured_within(&at->unmeasured, part->thread,
								  (uint8_t)event, part->from_ns,
								  part->to_ns);
}

/* Regions of one group may overlap: what a thread does in two of them counts once. */
static void add_parts(const struct finding_slices *at, const struct part *parts, size_t nr)
{
	uint64_t until_ns = 0;

	for (size_t i = 0; i < nr; i++) {
		struct part part = parts[i];

		if (!i || parts[i - 1].group != part.group || parts[i - 1].thread != part.thread)
			until_ns = 0;
		if (part.from_ns < until_ns)
			part.from_ns = until_ns;
		if (part.from_ns >= part.to_ns)
			continue;
		until_ns = part.to_ns;
		add_part(at, &part);
	}
}

struct region_slices region_slices_compute(const struct model *model, const struct regions *regions)
{
	size_t nr = regions->nr_groups;
	struct region_slices slices = {
		.nr_groups = nr,
		.groups = xcalloc(nr, sizeof(*slices.groups)),
		.on_cpu_ns = xcalloc(nr, sizeof(*slices.on_cpu_ns)),
		.figures = xcalloc(nr * model->nr_pmu_events, sizeof(*slices.figures)),
	};
	struct finding_slices at = {
		.model = model,
		.by = by_thread_group(model, model->slice_counts.thread, model->slice_counts.nr),
		.unmeasured = unmeasured_compute(model),
		.slices = &slices,
	};
	struct part *parts = sorted_parts(regions);

	for (size_t i = 0; i < nr; i++)
		slices.groups[i].figures = &slices.figures[i * model->nr_pmu_events];
	add_parts(&at, parts, regions->nr_threads);
	free(parts);
	unmeasured_free(&at.unmeasured);
	by_thread_free(&at.by);
	return slices;
}

void region_slices_free(struct region_slices *slices)
{
	metric_slices_free(slices->groups, slices->nr_groups);
	free(slices->on_cpu_ns);
	free(slices->figures);
	*slices = (struct region_slices){ 0 };
}
