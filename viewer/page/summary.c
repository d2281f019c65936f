// SPDX-License-Identifier: GPL-2.0
#include "page/summary.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "model/table_rows.h"
#include "model/states/state_delta.h"
#include "util/xalloc.h"

/* The index of a series in the table. */
struct series_key {
	uint32_t thread;
	uint32_t name;
	size_t at;
};

static int compare_series(const void *a, const void *b)
{
	const struct series_key *first = a, *second = b;

	if (first->thread != second->thread)
		return first->thread < second->thread ? -1 : 1;
	return first->name < second->name ? -1 : first->name > second->name;
}

static size_t add_series(struct page_summary *summary, uint32_t thread, uint32_t name)
{
	size_t at = summary->nr_series;

	if (column_is_full(at))
		summary->series = column_grow(summary->series, at, sizeof(*summary->series));
	summary->series[at] = (struct series_summary){ .thread = thread, .name = name };
	summary->nr_series++;
	return at;
}

static struct series_summary *need_series(struct page_summary *summary, uint32_t thread,
					  uint32_t name)
{
	struct series_key wanted = { .thread = thread, .name = name };
	struct series_key *const *found = tfind(&wanted, &summary->series_tree, compare_series);
	struct series_key *key;

	if (found)
		return &summary->series[(*found)->at];
	key = xcalloc(1, sizeof(*key));
	*key = wanted;
	key->at = add_series(summary, thread, name);
	if (!tsearch(key, &summary->series_tree, compare_series))
		abort();
	return &summary->series[key->at];
}

static void count_key(uint64_t **counts, size_t *nr, size_t key)
{
	size_t nr_before = *nr;

	if (key >= nr_before) {
		*nr = grown_capacity(nr_before, key + 1);
		*counts = xrealloc_array(*counts, *nr, sizeof(**counts));
		memset(*counts + nr_before, 0, (*nr - nr_before) * sizeof(**counts));
	}
	(*counts)[key]++;
}

static void add_spans(struct page_summary *summary, size_t thread, const struct span_table *spans)
{
	struct thread_summary *row = &summary->threads[thread];

	for (size_t i = 0; i < spans->nr; i++) {
		count_key(&summary->nr_spans_of, &summary->nr_names,
			  (size_t)spans->name[i] * 2 + (spans->kind[i] == TRACE_SPAN_WAIT));
		if (spans->depth[i] >= row->depth)
			row->depth = spans->depth[i] + 1;
	}
	row->nr_spans += spans->nr;
	summary->counts.spans += spans->nr;
}

static void add_marks(struct page_summary *summary, size_t thread, const struct mark_table *marks)
{
	for (size_t i = 0; i < marks->nr; i++) {
		struct series_summary *series;

		count_key(&summary->nr_marks_of, &summary->nr_mark_names, marks->name[i]);
		if (!marks->is_counter[i]) {
			summary->threads[thread].nr_marks++;
			summary->counts.marks++;
			continue;
		}
		series = need_series(summary, (uint32_t)thread, marks->name[i]);
		series->nr++;
		if (marks->value[i] < series->min)
			series->min = marks->value[i];
		if (marks->value[i] > series->max)
			series->max = marks->value[i];
	}
}

static void note_error(struct page_summary *summary, const struct kernel_slice_table *slices,
		       size_t row)
{
	int64_t result = slices->value[row];

	if (slices->kind[row] == TRACE_KERNEL_SYSCALL && result < 0 && result > -SUMMARY_ERRORS)
		summary->has_error[-result] = true;
}

static void add_kernel_slices(struct page_summary *summary, size_t thread,
			      const struct kernel_slice_table *slices)
{
	struct thread_summary *row = &summary->threads[thread];

	for (size_t i = 0; i < slices->nr; i++) {
		count_key(&summary->nr_kernel_slices_of, &summary->nr_kernel_names,
			  slices->name[i]);
		note_error(summary, slices, i);
		if (slices->depth[i] >= row->kernel_depth)
			row->kernel_depth = slices->depth[i] + 1;
	}
	row->nr_kernel_slices += slices->nr;
	summary->counts.kernel_slices += slices->nr;
}

static void need_threads(struct page_summary *summary, size_t nr)
{
	summary->threads = xrealloc_array(summary->threads, nr, sizeof(*summary->threads));
	for (; summary->nr_threads < nr; summary->nr_threads++)
		summary->threads[summary->nr_threads] = (struct thread_summary){ .main_cpu = -1 };
}

/*
 * Boyer and Moore's majority vote, weighted by time: a CPU with more than half of the time wins, in
 * constant memory. Without a majority, the result is some CPU on which the thread ran.
 */
static void vote_for_cpu(struct thread_summary *row, int cpu, uint64_t ns)
{
	if (row->main_cpu == cpu) {
		row->lead_ns += ns;
	} else if (row->lead_ns >= ns) {
		row->lead_ns -= ns;
	} else {
		row->main_cpu = cpu;
		row->lead_ns = ns - row->lead_ns;
	}
}

static void add_slices(struct page_summary *summary, int cpu, const struct slice_table *slices)
{
	for (size_t i = 0; i < slices->nr; i++)
		vote_for_cpu(&summary->threads[slices->thread[i]], cpu,
			     slices->end_ns[i] - slices->start_ns[i]);
	summary->counts.slices += slices->nr;
}

static uint64_t add_interrupts(struct page_summary *summary,
			       const struct interrupt_table *interrupts)
{
	for (size_t i = 0; i < interrupts->nr; i++) {
		if (interrupts->flags[i] & INTERRUPT_STEALS)
			summary->threads[interrupts->thread[i]].stolen_ns +=
				interrupts->end_ns[i] - interrupts->start_ns[i];
	}
	summary->counts.interrupts += interrupts->nr;
	return interrupts->nr;
}

static void need_cpus(struct page_summary *summary, size_t nr)
{
	summary->cpus = xrealloc_array(summary->cpus, nr, sizeof(*summary->cpus));
	for (; summary->nr_cpus < nr; summary->nr_cpus++)
		summary->cpus[summary->nr_cpus] = (struct cpu_summary){ 0 };
}

static uint64_t add_power(struct cpu_summary *row, const struct cpu *cpu)
{
	row->has_idle |= cpu->idle.nr > 0;
	for (size_t i = 0; i < cpu->frequencies.nr; i++) {
		if (cpu->frequencies.khz[i] > row->most_khz)
			row->most_khz = cpu->frequencies.khz[i];
	}
	return cpu->idle.nr + cpu->frequencies.nr;
}

static void add_events(struct page_summary *summary, const struct event_table *events)
{
	for (size_t i = 0; i < events->nr; i++) {
		count_key(&summary->nr_events_of, &summary->nr_event_names, events->name[i]);
		if (events->cpu[i] >= 0)
			count_key(&summary->nr_events_on, &summary->nr_event_cpus,
				  (size_t)events->cpu[i]);
		if (events->thread[i] != MODEL_NO_THREAD)
			count_key(&summary->nr_events_in, &summary->nr_event_threads,
				  events->thread[i]);
	}
	summary->counts.trace_events += events->nr;
}

static uint64_t count_states(const struct model *model, size_t thread)
{
	if (model->state_deltas)
		return model->state_deltas[thread].rows.nr + model->state_deltas[thread].nr_kept;
	return model->threads[thread].states.nr;
}

/* Returns the number of rows. */
static uint64_t add_model(struct page_summary *summary, const struct model *model)
{
	struct row_counts *counts = &summary->counts;
	uint64_t nr = 0;

	need_threads(summary, model->nr_threads);
	need_cpus(summary, (size_t)model->nr_cpus);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		add_slices(summary, cpu, &model->cpus[cpu].slices);
		counts->gaps += model->cpus[cpu].gaps.nr;
		nr += model->cpus[cpu].slices.nr;
		nr += add_interrupts(summary, &model->cpus[cpu].interrupts);
		nr += add_power(&summary->cpus[cpu], &model->cpus[cpu]);
	}
	for (size_t i = 0; i < model->nr_threads; i++) {
		const struct thread *thread = &model->threads[i];
		uint64_t nr_states = count_states(model, i);

		counts->states += nr_states;
		add_spans(summary, i, &thread->spans);
		add_marks(summary, i, &thread->marks);
		add_kernel_slices(summary, i, &thread->kernel_slices);
		nr += thread->kernel_slices.nr + nr_states + thread->spans.nr + thread->marks.nr;
	}
	counts->migrations += model->migrations.nr;
	counts->wakeups += model->wakeups.nr;
	counts->samples += model->samples.nr;
	counts->slice_counts += model->slice_counts.nr;
	add_events(summary, &model->events);
	return nr + model->migrations.nr + model->block_io.nr + model->wakeups.nr +
	       model->uncore_readings.nr + model->samples.nr + model->slice_counts.nr +
	       model->events.nr;
}

static uint64_t nr_annotations(const struct model *window)
{
	uint64_t nr = 0;

	for (size_t i = 0; i < window->nr_threads; i++)
		nr += window->threads[i].spans.nr + window->threads[i].marks.nr;
	return nr;
}

void summary_add_window(struct page_summary *summary, const struct model *window, uint64_t start_ns)
{
	size_t at = summary->nr_windows;

	if (column_is_full(at))
		summary->windows = column_grow(summary->windows, at, sizeof(*summary->windows));
	summary->windows[at] = (struct window_summary){
		.start_ns = start_ns,
		.nr_rows = add_model(summary, window),
		.nr_annotations = nr_annotations(window),
	};
	summary->nr_windows++;
}

void summary_add_rest(struct page_summary *summary, const struct model *rest)
{
	add_model(summary, rest);
}

void summary_free(struct page_summary *summary)
{
	tdestroy(summary->series_tree, free);
	free(summary->threads);
	free(summary->cpus);
	free(summary->nr_spans_of);
	free(summary->nr_marks_of);
	free(summary->nr_kernel_slices_of);
	free(summary->nr_events_of);
	free(summary->nr_events_on);
	free(summary->nr_events_in);
	free(summary->series);
	free(summary->windows);
	*summary = (struct page_summary){ 0 };
}
