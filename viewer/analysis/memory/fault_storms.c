// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/fault_storms.h"

#include <inttypes.h>
#include <stdlib.h>

#include "analysis/base/intervals.h"
#include "util/text/figure.h"
#include "util/sort.h"
#include "util/text/text.h"
#include "util/xalloc.h"

#define MANY_FAULTS 1000

/* Faults that may become a storm: since the last one that was too late. */
struct run {
	size_t nr;
	size_t first_page; /* of builder->pages */
	size_t first_time; /* of builder->times: on CPUs ... */
	size_t nr_times; /* ... up to its last fault */
	uint64_t ns;
	uint64_t from_ns;
	uint64_t to_ns;
};

struct builder {
	const struct model *model;
	struct fault_storms_thread *row;
	struct run run;
	uint64_t since_ns; /* on CPUs, since the last fault */
	size_t nr_pages;
	size_t pages_capacity;
	uint64_t *pages; /* of storms of the thread, and of the run */
	struct intervals times; /* of storms of all threads, and of the run */
};

static void end_run(struct builder *builder)
{
	struct fault_storms_thread *row = builder->row;
	const struct run *run = &builder->run;

	if (run->nr < FAULT_STORM_LEAST) {
		builder->times.nr = run->first_time;
		builder->nr_pages = run->first_page;
	} else {
		builder->times.nr = run->nr_times;
		row->storms++;
		row->storm_faults += run->nr;
		row->ns += run->ns;
		if (run->ns > row->longest_ns) {
			row->longest_ns = run->ns;
			row->longest_from_ns = run->from_ns;
			row->longest_to_ns = run->to_ns;
		}
	}
	builder->run = (struct run){
		.first_page = builder->nr_pages,
		.first_time = builder->times.nr,
		.nr_times = builder->times.nr,
	};
	builder->since_ns = 0;
}

/* The thread is on a CPU for that time, without a fault. */
static void pass_time(struct builder *builder, uint64_t from_ns, uint64_t to_ns)
{
	if (!builder->run.nr)
		return;
	builder->since_ns += to_ns - from_ns;
	if (builder->since_ns > FAULT_STORM_PAUSE_NS)
		end_run(builder);
	else
		intervals_add(&builder->times, from_ns, to_ns);
}

static void add_fault(struct builder *builder, const struct kernel_slice_table *slices, size_t at)
{
	struct run *run = &builder->run;

	builder->row->faults++;
	if (!run->nr++)
		run->from_ns = slices->start_ns[at];
	run->to_ns = slices->start_ns[at];
	run->ns += builder->since_ns;
	run->nr_times = builder->times.nr;
	builder->since_ns = 0;
	ARRAY_MAKE_ROOM(builder->pages, builder->nr_pages, builder->pages_capacity);
	builder->pages[builder->nr_pages++] = (uint64_t)slices->value[at] >> FAULT_STORM_PAGE_BITS;
}

static bool is_fault(const struct kernel_slice_table *slices, size_t at)
{
	return slices->kind[at] == TRACE_KERNEL_FAULT && slices->flags[at] & KERNEL_MARK;
}

/* Of a time in which the thread is on a CPU. Returns the first row behind it. */
static size_t feed_time(struct builder *builder, const struct kernel_slice_table *slices,
			size_t next, uint64_t from_ns, uint64_t to_ns)
{
	for (; next < slices->nr && slices->start_ns[next] < to_ns; next++) {
		if (!is_fault(slices, next) || slices->start_ns[next] < from_ns)
			continue;
		pass_time(builder, from_ns, slices->start_ns[next]);
		add_fault(builder, slices, next);
		from_ns = slices->start_ns[next];
	}
	pass_time(builder, from_ns, to_ns);
	return next;
}

static uint64_t count_different(uint64_t *pages, size_t nr)
{
	uint64_t different = 0;

	sort_u64(pages, nr);
	for (size_t i = 0; i < nr; i++)
		different += !i || pages[i] != pages[i - 1];
	return different;
}

static void feed_thread(struct builder *builder, uint32_t thread)
{
	const struct thread *t = &builder->model->threads[thread];
	size_t next = 0;

	builder->nr_pages = 0;
	builder->run.first_page = 0;
	for (size_t row = 0; row < t->states.nr; row++) {
		if (t->states.state[row] == STATE_RUNNING)
			next = feed_time(builder, &t->kernel_slices, next, t->states.start_ns[row],
					 t->states.start_ns[row + 1]);
		else if (t->states.state[row] == STATE_UNKNOWN)
			end_run(builder);
	}
	end_run(builder);
	builder->row->storm_pages = count_different(builder->pages, builder->nr_pages);
	if (t->totals.state_ns[STATE_RUNNING])
		builder->row->share = (double)builder->row->ns /
				      (double)t->totals.state_ns[STATE_RUNNING];
}

static int compare_threads(const void *a, const void *b)
{
	const struct fault_storms_thread *first = a, *second = b;

	if (first->ns != second->ns)
		return first->ns > second->ns ? -1 : 1;
	if (first->faults != second->faults)
		return first->faults > second->faults ? -1 : 1;
	return first->thread < second->thread ? -1 : first->thread > second->thread;
}

struct fault_storms fault_storms_compute(const struct model *model)
{
	struct fault_storms result = { 0 };
	struct builder builder = { .model = model };
	size_t capacity = 0;

	for (uint32_t i = 0; i < model->nr_threads; i++) {
		struct fault_storms_thread row = { .thread = i };

		if (!model->threads[i].in_session || !model->threads[i].kernel_slices.nr)
			continue;
		builder.row = &row;
		feed_thread(&builder, i);
		if (!row.faults)
			continue;
		ARRAY_MAKE_ROOM(result.threads, result.nr, capacity);
		result.threads[result.nr++] = row;
	}
	intervals_unite(&builder.times);
	result.ns = intervals_length_ns(&builder.times);
	intervals_free(&builder.times);
	free(builder.pages);
	if (result.nr)
		qsort(result.threads, result.nr, sizeof(*result.threads), compare_threads);
	return result;
}

void fault_storms_free(struct fault_storms *storms)
{
	free(storms->threads);
	*storms = (struct fault_storms){ 0 };
}

void fault_storms_add_findings(const struct model *model, const struct fault_storms *storms,
			       struct findings *findings)
{
	const struct fault_storms_thread *worst = storms->threads;
	struct finding *finding;

	if (!storms->nr || !worst->storms || worst->share < FAULT_STORM_SHARE ||
	    !findings_note_loss(findings, FINDING_PAGE_FAULT_STORM, storms->ns))
		return;
	finding = findings_add_at_most(findings, FINDING_PAGE_FAULT_STORM, storms->ns,
				       worst->longest_from_ns, worst->longest_to_ns);
	finding->confidence = worst->storm_faults >= MANY_FAULTS ? CONFIDENCE_HIGH :
								   CONFIDENCE_MEDIUM;
	for (size_t i = 0; i < storms->nr && storms->threads[i].storms; i++)
		finding_add_thread(finding, storms->threads[i].thread);
	finding_set_text(
		finding,
		"%s has page faults one behind the other for %s, %.0f %% of its time on CPUs: %" PRIu64
		" in %" PRIu64 " storm%s, %s apart on average, of %" PRIu64
		" different pages (4 KiB)",
		thread_label(model, worst->thread).text, figure_ns(worst->ns, " ").text,
		100 * worst->share, worst->storm_faults, worst->storms, text_plural(worst->storms),
		figure_ns(worst->ns / worst->storm_faults, " ").text, worst->storm_pages);
}
