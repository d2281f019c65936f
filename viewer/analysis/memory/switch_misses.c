// SPDX-License-Identifier: GPL-2.0
#include "analysis/memory/switch_misses.h"

#include <stdlib.h>

#include "analysis/base/by_thread.h"
#include "analysis/events/unmeasured.h"
#include "util/xalloc.h"

static const uint64_t bin_ends_ns[NR_SWITCH_BINS + 1] = {
	0, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, SWITCH_EXCESS_EARLY_NS, UINT64_MAX,
};

const uint64_t *switch_misses_bins(void)
{
	return bin_ends_ns;
}

/* One event while its runs are gone through, thread by thread. */
struct gathering {
	const struct model *model;
	const struct switch_runs *runs;
	const struct by_thread *samples;
	const struct by_thread *counts;
	const struct unmeasured_list *unmeasured;
	size_t next_unmeasured; /* the rows of the event and thread at hand, and later */
	struct event_switch_misses *event;
	struct switch_excess_run *excesses;
	size_t nr_excess_runs;
	struct switch_excess_hit *hits;
	size_t nr_hits;
};

static bool is_unmeasured_before(const struct unmeasured *row, size_t event,
				 const struct switch_run *run)
{
	if (row->event != event)
		return row->event < event;
	if (row->thread != run->thread)
		return row->thread < run->thread;
	return row->end_ns <= run->start_ns;
}

/* Whether the event had its counter in all of the run; runs are asked for in their order. */
static bool is_measured(struct gathering *at, const struct switch_run *run)
{
	const struct unmeasured_list *list = at->unmeasured;
	const struct unmeasured *row;

	while (at->next_unmeasured < list->nr &&
	       is_unmeasured_before(&list->rows[at->next_unmeasured], at->event->event, run))
		at->next_unmeasured++;
	if (at->next_unmeasured == list->nr)
		return true;
	row = &list->rows[at->next_unmeasured];
	return row->event != at->event->event || row->thread != run->thread ||
	       row->start_ns >= run->end_ns;
}

static int bin_of(uint64_t since_ns)
{
	int bin = 0;

	while (since_ns >= bin_ends_ns[bin + 1])
		bin++;
	return bin;
}

static void add_times(struct switch_curve *curve, uint64_t run_ns)
{
	curve->nr_runs++;
	for (int bin = 0; bin < NR_SWITCH_BINS && bin_ends_ns[bin] < run_ns; bin++)
		curve->ns[bin] +=
			(double)((run_ns < bin_ends_ns[bin + 1] ? run_ns : bin_ends_ns[bin + 1]) -
				 bin_ends_ns[bin]);
}

/* The samples of the event in the run; @row goes on through those of its thread. */
static void add_hits(struct gathering *at, const struct switch_run *run, size_t *row,
		     struct switch_excess_run *excess)
{
	const struct sample_table *samples = &at->model->samples;
	struct switch_curve *curve = &at->event->curves[run->after];

	add_times(curve, run->end_ns - run->start_ns);
	excess->first_hit = at->nr_hits;
	for (; *row < at->samples->first[run->thread + 1]; (*row)++) {
		size_t sample = at->samples->rows[*row];
		double period = (double)samples->period[sample];
		uint64_t since_ns = samples->time_ns[sample] - run->start_ns;

		if (samples->time_ns[sample] >= run->end_ns)
			break;
		if (samples->time_ns[sample] < run->start_ns ||
		    samples->event[sample] != at->event->event)
			continue;
		curve->misses[bin_of(since_ns)] += period;
		curve->variance[bin_of(since_ns)] += period * period;
		at->hits[at->nr_hits++] = (struct switch_excess_hit){ (double)since_ns, period };
		excess->misses += period;
	}
	excess->nr_hits = at->nr_hits - excess->first_hit;
}

/* What was counted in the run. False: its counter did not run all the time. */
static bool add_counts(struct gathering *at, const struct switch_run *run, size_t *row,
		       struct switch_excess_run *excess)
{
	const struct slice_count_table *counts = &at->model->slice_counts;
	uint32_t counter = at->model->pmu_events[at->event->event].counter;
	bool valid = true;

	for (; *row < at->counts->first[run->thread + 1]; (*row)++) {
		size_t count = at->counts->rows[*row];

		if (counts->start_ns[count] >= run->end_ns)
			break;
		if (counts->start_ns[count] < run->start_ns)
			continue;
		valid = valid && !(counts->invalid[count] & 1u << counter);
		excess->misses += (double)counts->counts[count * counts->nr_counters + counter];
	}
	return valid;
}

static void add_run(struct gathering *at, size_t index, size_t *row)
{
	const struct switch_run *run = &at->runs->rows[index];
	struct switch_excess_run *excess = &at->excesses[at->nr_excess_runs];

	*excess = (struct switch_excess_run){
		.thread = run->thread,
		.task = run->task,
		.index = index,
		.kind = run->after,
		.run_ns = (double)(run->end_ns - run->start_ns),
	};
	if (!is_measured(at, run)) {
		at->event->nr_left_out++;
		return;
	}
	if (!at->model->pmu_events[at->event->event].is_counted) {
		add_hits(at, run, row, excess);
	} else if (!add_counts(at, run, row, excess)) {
		at->event->nr_left_out++;
		return;
	}
	at->nr_excess_runs++;
}

static void gather_runs(struct gathering *at)
{
	const struct by_thread *rows = at->model->pmu_events[at->event->event].is_counted ?
					       at->counts :
					       at->samples;
	size_t row = 0;

	for (size_t i = 0; i < at->runs->nr; i++) {
		uint32_t thread = at->runs->rows[i].thread;

		if (!i || thread != at->runs->rows[i - 1].thread)
			row = rows->first[thread];
		add_run(at, i, &row);
	}
	at->event->nr_runs = at->nr_excess_runs;
}

double switch_misses_cost_ns(const struct miss_cost *cost, const struct switch_excess *excess)
{
	return excess->known && excess->mean > 0 ? excess->mean * cost->ns : 0;
}

/* The misses of the run's begin; from counts, all of them. */
static double begin_misses(const struct gathering *at, const struct switch_excess_run *excess)
{
	double early_ns = switch_excess_early_ns(false, excess->run_ns), misses = 0;

	if (at->model->pmu_events[at->event->event].is_counted)
		return excess->misses;
	for (size_t i = 0; i < excess->nr_hits; i++) {
		const struct switch_excess_hit *hit = &at->hits[excess->first_hit + i];

		if (hit->at_ns >= early_ns)
			break;
		misses += hit->misses;
	}
	return misses;
}

/*
 * Finds the worst run of the victim, and the program that ran before it. That is the program with
 * more than half of the misses of such runs, if there is one (Boyer, Moore: MJRTY, 1991).
 */
static void look_at_victim(const struct gathering *at, const struct switch_excess_input *input,
			   int kind, struct switch_victim *victim)
{
	double most = -1, lead = 0;

	for (size_t i = 0; i < input->nr; i++) {
		const struct switch_excess_run *excess = &input->runs[i];
		uint32_t by = at->runs->rows[excess->index].by;
		double misses;

		if (excess->thread != victim->thread || excess->kind != kind)
			continue;
		misses = begin_misses(at, excess);
		if (misses > most) {
			most = misses;
			victim->worst = excess->index;
		}
		if (by == victim->by) {
			lead += misses;
		} else if (lead >= misses) {
			lead -= misses;
		} else {
			lead = misses - lead;
			victim->by = by;
		}
	}
}

static void find_victims(const struct gathering *at, const struct switch_excess_input *input,
			 struct task_switch_misses *task)
{
	const struct switch_excess_result *excesses = &task->excesses;

	for (int kind = 0; kind < NR_SWITCH_AFTER; kind++) {
		struct switch_victim *victim = &task->victims[kind];

		*victim = (struct switch_victim){ .thread = MODEL_NO_THREAD,
						  .by = MODEL_NO_THREAD };
		for (size_t i = 0; i < excesses->nr_threads; i++) {
			if (excesses->threads[i].excess[kind] <= victim->excess)
				continue;
			victim->thread = excesses->threads[i].thread;
			victim->nr_runs = excesses->threads[i].nr_runs[kind];
			victim->excess = excesses->threads[i].excess[kind];
		}
		if (victim->thread != MODEL_NO_THREAD)
			look_at_victim(at, input, kind, victim);
	}
}

static int compare_numbers(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_task_and_thread(const void *a, const void *b)
{
	const struct switch_excess_run *first = a, *second = b;
	int order = compare_numbers(first->task, second->task);

	if (!order)
		order = compare_numbers(first->thread, second->thread);
	return order ? order : compare_numbers(first->index, second->index);
}

static int most_runs_first(const void *a, const void *b)
{
	const struct switch_excess_input *first = a, *second = b;

	if (first->nr != second->nr)
		return compare_numbers(second->nr, first->nr);
	return compare_numbers(first->runs->task, second->runs->task);
}

static void analyse_tasks(const struct gathering *at)
{
	struct switch_excess_input *inputs = xcalloc(at->nr_excess_runs, sizeof(*inputs));
	size_t nr = 0;

	for (size_t i = 0; i < at->nr_excess_runs; i++) {
		if (!i || at->excesses[i].task != at->excesses[i - 1].task)
			inputs[nr++] = (struct switch_excess_input){ .runs = &at->excesses[i],
								     .hits = at->hits };
		inputs[nr - 1].nr++;
	}
	if (nr)
		qsort(inputs, nr, sizeof(*inputs), most_runs_first);
	nr = nr < SWITCH_MOST_TASKS ? nr : SWITCH_MOST_TASKS;
	at->event->tasks = xcalloc(nr, sizeof(*at->event->tasks));
	at->event->nr_tasks = nr;
	for (size_t i = 0; i < nr; i++) {
		struct task_switch_misses *task = &at->event->tasks[i];

		task->task = inputs[i].runs->task;
		task->nr_runs = inputs[i].nr;
		switch_excess_compute(&inputs[i], &task->excesses);
		find_victims(at, &inputs[i], task);
	}
	free(inputs);
}

static void analyse_event(struct gathering *at)
{
	const struct model *model = at->model;
	bool counted = model->pmu_events[at->event->event].is_counted;
	struct switch_excess_input input = { 0 };

	at->excesses = xcalloc(at->runs->nr, sizeof(*at->excesses));
	/* One more, so that there are some, if empty. */
	at->hits = counted ? NULL : xcalloc(model->samples.nr + 1, sizeof(*at->hits));
	gather_runs(at);
	if (at->nr_excess_runs)
		qsort(at->excesses, at->nr_excess_runs, sizeof(*at->excesses), by_task_and_thread);
	input.nr = at->nr_excess_runs;
	input.runs = at->excesses;
	input.hits = at->hits;
	switch_excess_compute(&input, &at->event->excesses);
	analyse_tasks(at);
	free(at->excesses);
	free(at->hits);
}

static double total_cost_ns(const struct event_switch_misses *event)
{
	double ns = 0;

	for (int after = AFTER_OTHER; after < NR_SWITCH_AFTER; after++)
		ns += switch_misses_cost_ns(&event->cost, &event->excesses.of[after]) *
		      (double)event->excesses.of[after].nr_runs;
	return ns;
}

static int compare_events(const void *a, const void *b)
{
	const struct event_switch_misses *first = a, *second = b;
	double first_ns = total_cost_ns(first), second_ns = total_cost_ns(second);

	if (first_ns != second_ns)
		return first_ns > second_ns ? -1 : 1;
	return first->event < second->event ? -1 : first->event > second->event;
}

static bool is_looked_at(const struct model *model, size_t event, enum miss_level level)
{
	const struct pmu_event *row = &model->pmu_events[event];

	if (level == MISS_NONE || row->error || row->is_merged)
		return false;
	return row->is_counted ? model->slice_counts.nr > 0 : model->samples.nr > 0;
}

/* Without an event to look at, nothing is to be said of the runs. */
static bool any_is_looked_at(const struct model *model, const enum miss_level *levels)
{
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (is_looked_at(model, event, levels[event]))
			return true;
	}
	return false;
}

struct switch_misses *switch_misses_compute(const struct model *model,
					    const enum miss_level *levels,
					    const struct miss_costs *costs)
{
	struct switch_misses *misses = xcalloc(1, sizeof(*misses));
	struct by_thread samples = by_thread_group(model, model->samples.thread, model->samples.nr);
	struct by_thread counts = by_thread_group(model, model->slice_counts.thread,
						  model->slice_counts.nr);
	struct unmeasured_list unmeasured = unmeasured_compute(model);

	if (any_is_looked_at(model, levels))
		misses->runs = switch_runs_compute(model);
	misses->events = xcalloc(model->nr_pmu_events, sizeof(*misses->events));
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		struct gathering gathering = {
			.model = model,
			.runs = &misses->runs,
			.samples = &samples,
			.counts = &counts,
			.unmeasured = &unmeasured,
			.event = &misses->events[misses->nr_events],
		};

		if (!is_looked_at(model, event, levels[event]))
			continue;
		gathering.event->event = event;
		gathering.event->level = levels[event];
		gathering.event->cost = costs->of[levels[event]];
		analyse_event(&gathering);
		misses->nr_events++;
	}
	if (misses->nr_events)
		qsort(misses->events, misses->nr_events, sizeof(*misses->events), compare_events);
	unmeasured_free(&unmeasured);
	by_thread_free(&samples);
	by_thread_free(&counts);
	return misses;
}

void switch_misses_free(struct switch_misses *misses)
{
	for (size_t i = 0; i < misses->nr_events; i++) {
		switch_excess_free(&misses->events[i].excesses);
		for (size_t task = 0; task < misses->events[i].nr_tasks; task++)
			switch_excess_free(&misses->events[i].tasks[task].excesses);
		free(misses->events[i].tasks);
	}
	free(misses->events);
	switch_runs_free(&misses->runs);
	free(misses);
}
