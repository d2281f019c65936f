// SPDX-License-Identifier: GPL-2.0
#include "analysis/events/window_events.h"

#include <stdlib.h>

#include "analysis/base/row_search.h"
#include "util/xalloc.h"

/* The times of the rows of @by: one search of a thread's must not jump about in the table. */
static uint64_t *times_of(const struct by_thread *by, size_t nr_threads, const uint64_t *time_ns)
{
	size_t nr = by->first[nr_threads];
	uint64_t *times = xcalloc(nr, sizeof(*times));

	for (size_t i = 0; i < nr; i++)
		times[i] = time_ns[by->rows[i]];
	return times;
}

struct window_events window_events_new(const struct model *model)
{
	struct window_events events = {
		.model = model,
		.samples = by_thread_group(model, model->samples.thread, model->samples.nr),
		.slices = by_thread_group(model, model->slice_counts.thread,
					  model->slice_counts.nr),
	};

	events.sample_ns = times_of(&events.samples, model->nr_threads, model->samples.time_ns);
	events.slice_end_ns = times_of(&events.slices, model->nr_threads,
				       model->slice_counts.end_ns);
	return events;
}

void window_events_free(struct window_events *events)
{
	by_thread_free(&events->samples);
	by_thread_free(&events->slices);
	free(events->slice_end_ns);
	free(events->sample_ns);
}

static struct window_count count_samples(const struct window_events *events, size_t event,
					 uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct sample_table *samples = &events->model->samples;
	size_t first = events->samples.first[thread], end = events->samples.first[thread + 1];
	struct window_count count = { .measured = true };

	if (from_ns)
		first += row_search_after(events->sample_ns + first, end - first, from_ns - 1);
	for (size_t i = first; i < end && events->sample_ns[i] < to_ns; i++) {
		size_t row = events->samples.rows[i];
		double period = (double)samples->period[row];

		if (samples->event[row] != event)
			continue;
		count.count += period;
		count.variance += period * period;
	}
	return count;
}

static void add_slice(struct window_count *count, double slice_count, uint64_t inside_ns,
		      uint64_t slice_ns)
{
	double share = (double)inside_ns / (double)slice_ns;

	count->measured = true;
	count->count += share * slice_count;
	count->variance += share * (1 - share) * slice_count * slice_count;
	count->covered_ns += inside_ns;
}

static struct window_count count_slices(const struct window_events *events, uint32_t counter,
					uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct slice_count_table *slices = &events->model->slice_counts;
	size_t first = events->slices.first[thread], end = events->slices.first[thread + 1];
	struct window_count count = { 0 };

	first += row_search_after(events->slice_end_ns + first, end - first, from_ns);
	for (size_t i = first; i < end; i++) {
		size_t row = events->slices.rows[i];
		uint64_t start_ns = slices->start_ns[row], end_ns = slices->end_ns[row];
		uint64_t inside_from_ns = start_ns > from_ns ? start_ns : from_ns;
		uint64_t inside_to_ns = end_ns < to_ns ? end_ns : to_ns;

		if (start_ns >= to_ns)
			break;
		if (inside_from_ns >= inside_to_ns)
			continue;
		if (slices->invalid[row] & 1u << counter) {
			count.is_incomplete = true;
			continue;
		}
		add_slice(&count, (double)slices->counts[row * slices->nr_counters + counter],
			  inside_to_ns - inside_from_ns, end_ns - start_ns);
	}
	return count;
}

struct window_count window_events_count(const struct window_events *events, size_t event,
					uint32_t thread, uint64_t from_ns, uint64_t to_ns)
{
	const struct pmu_event *row = &events->model->pmu_events[event];

	if (row->error || row->is_merged)
		return (struct window_count){ 0 };
	if (row->is_counted) {
		struct window_count count = count_slices(events, row->counter, thread, from_ns,
							 to_ns);

		/* Of so short a time, a part says nothing of the rest. */
		return row->is_shared && count.is_incomplete ? (struct window_count){ 0 } : count;
	}
	return count_samples(events, event, thread, from_ns, to_ns);
}
