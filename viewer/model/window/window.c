// SPDX-License-Identifier: GPL-2.0
#include "model/window/window.h"

#include <stdlib.h>

#include "model/account.h"
#include "model/builder_state.h"
#include "model/event_rows.h"
#include "model/pmu/pmu_merge.h"
#include "model/table_rows.h"
#include "model/window/divide.h"
#include "model/window/rest.h"
#include "model/window/table_copy.h"
#include "util/xalloc.h"

/* Counts that still wait for the annotation to end them are among the last this many. */
#define ROWS_TO_WAIT_FOR 64

/* A window has all that an event of the PMU is known by, as far as that is known. */
static struct model *new_columns(const struct model *model)
{
	struct model *columns = xcalloc(1, sizeof(*columns));

	columns->trace = model->trace;
	columns->start_ns = model->start_ns;
	columns->duration_ns = model->duration_ns;
	columns->nr_threads = model->nr_threads;
	columns->threads = xcalloc(model->nr_threads + 1, sizeof(*columns->threads));
	columns->nr_cpus = model->nr_cpus;
	columns->cpus = xcalloc((size_t)model->nr_cpus + 1, sizeof(*columns->cpus));
	columns->nr_pmu_events = model->nr_pmu_events;
	columns->pmu_events = xcalloc(model->nr_pmu_events + 1, sizeof(*columns->pmu_events));
	for (size_t i = 0; i < model->nr_pmu_events; i++)
		columns->pmu_events[i] = model->pmu_events[i];
	columns->slice_counts.nr_counters = model->slice_counts.nr_counters;
	return columns;
}

static void make_room(struct model *rest, const struct model *model)
{
	rest->threads = xrealloc_array(rest->threads, model->nr_threads, sizeof(*rest->threads));
	for (; rest->nr_threads < model->nr_threads; rest->nr_threads++)
		rest->threads[rest->nr_threads] = (struct thread){ 0 };
	rest->cpus = xrealloc_array(rest->cpus, (size_t)model->nr_cpus, sizeof(*rest->cpus));
	for (; rest->nr_cpus < model->nr_cpus; rest->nr_cpus++)
		rest->cpus[rest->nr_cpus] = (struct cpu){ 0 };
}

static void rest_take_state(struct model_windows *windows, const struct model *model,
			    uint32_t thread, const struct state_row *row, uint64_t end_ns)
{
	struct state_table *rest;

	make_room(&windows->rest, model);
	rest = &windows->rest.threads[thread].states;
	if (column_is_full(rest->nr))
		GROW(rest, end_ns);
	rest->end_ns[rest->nr] = end_ns;
	state_table_add(rest, row->start_ns, row->state, row->cpu, row->migrated);
}

void windows_add_loose_slice(struct model_builder *builder, int cpu, const struct slice_row *row)
{
	struct model *rest = &builder->windows->rest;

	make_room(rest, builder->model);
	slice_table_add(&rest->cpus[cpu].slices, row);
}

/* Passes on the sums, one call for each state. The next sums begin at @from_ns. */
static void move_sums(const struct model_sink *sink, struct model *model, uint32_t thread,
		      struct state_sums *sums, uint64_t from_ns)
{
	uint64_t at_ns = sums->from_ns;

	for (int state = 0; state < NR_THREAD_STATES; state++) {
		if (sums->state_ns[state])
			sink->state(sink->context, thread, state, at_ns,
				    at_ns + sums->state_ns[state]);
		at_ns += sums->state_ns[state];
	}
	state_sums_move(sums, &model->threads[thread].totals, from_ns, sink->step_ns);
}

static void end_long_state(struct model_windows *windows, struct model *model, uint32_t thread,
			   struct state_sums *sums, const struct state_row *row, uint64_t end_ns)
{
	struct state_checkpoint *totals = &model->threads[thread].totals;
	const struct model_sink *sink = windows->sink;

	move_sums(sink, model, thread, sums, end_ns > windows->from_ns ? end_ns : windows->from_ns);
	account_add_time(totals, row->state, end_ns - row->start_ns);
	account_add_start(totals, row->state, row->migrated);
	if (row->start_ns < windows->from_ns)
		rest_take_state(windows, model, thread, row, end_ns);
	else
		sink->state(sink->context, thread, row->state, row->start_ns, end_ns);
}

void windows_add_state(struct model_builder *builder, uint32_t thread, const struct state_row *row)
{
	struct window_thread *own = &builder->window_threads[thread];

	if (own->log.flags & LOG_HAS_LAST &&
	    !state_sums_add(&own->sums, &own->log.last, row->start_ns))
		end_long_state(builder->windows, builder->model, thread, &own->sums, &own->log.last,
			       row->start_ns);
	state_log_add(&own->log, row, builder->windows->from_ns);
}

static void take_edits(const struct division *division, struct model_windows *windows)
{
	struct model *model = division->from;
	uint64_t to_ns = division->to_ns;
	bool is_last = division->until_ns == UINT64_MAX;

	division->window->state_deltas = xcalloc(model->nr_threads + 1, sizeof(struct state_delta));
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		struct window_thread *own = &division->window_threads[i];

		if (is_last && own->log.flags & LOG_HAS_LAST)
			end_long_state(windows, model, i, &own->sums, &own->log.last, to_ns);
		move_sums(windows->sink, model, i, &own->sums, to_ns);
		division->window->state_deltas[i] = state_log_cut(&own->log, to_ns, is_last);
	}
}

static void make_handed_room(struct handed_rows *handed, const struct model *model)
{
	size_t nr_cpus = (size_t)model->nr_cpus;

	handed->threads = xrealloc_array(handed->threads, model->nr_threads,
					 sizeof(*handed->threads));
	for (; handed->nr_threads < model->nr_threads; handed->nr_threads++)
		handed->threads[handed->nr_threads] = (struct handed_thread){ 0 };
	handed->cpus = xrealloc_array(handed->cpus, nr_cpus, sizeof(*handed->cpus));
	for (; handed->nr_cpus < nr_cpus; handed->nr_cpus++)
		handed->cpus[handed->nr_cpus] = (struct handed_cpu){ 0 };
}

/* At most @most_counts rows of counts are handed out. */
static void cut_window(struct model *model, struct window_thread *window_threads,
		       struct model_windows *windows, uint64_t to_ns, bool is_last,
		       size_t most_counts)
{
	struct division division = {
		.from = model,
		.handed = &windows->handed,
		.keeps = windows->keeps,
		.window_threads = window_threads,
		.window = new_columns(model),
		.rest = &windows->rest,
		.from_ns = windows->from_ns,
		.to_ns = to_ns,
		.until_ns = is_last ? UINT64_MAX : to_ns,
		.most_counts = most_counts,
	};

	make_room(&windows->rest, model);
	make_handed_room(&windows->handed, model);
	if (window_threads)
		take_edits(&division, windows);
	divide_rows(&division);
	windows->sink->take(windows->sink->context, division.window, windows->from_ns, to_ns);
	if (windows->sink->progress)
		windows->sink->progress(to_ns);
	divide_take_back(&division);
	model_free(division.window);
	windows->from_ns = to_ns;
	windows->nr_events = 0;
}

/*
 * The number of rows of counts that can leave. Rows that an annotation may still end stay. All stay
 * while a made-up event has no description.
 */
static size_t nr_final_counts(struct model_builder *builder)
{
	size_t nr = builder->model->slice_counts.nr, most = nr;

	if (builder->pmu.nr_described < builder->pmu.nr_made_up)
		return 0;
	for (size_t i = 0; i < builder->model->nr_threads; i++) {
		size_t row = builder->threads[i].row_to_end;

		if (row == SIZE_MAX)
			continue;
		if (nr - row > ROWS_TO_WAIT_FOR)
			builder->threads[i].row_to_end = builder->windows->keeps ? row : SIZE_MAX;
		else if (row < most)
			most = row;
	}
	return most;
}

/* The rows that stayed have moved up. */
static void renumber_counters(struct model_builder *builder, size_t nr_counts_gone)
{
	for (size_t i = 0; i < builder->model->nr_threads; i++) {
		struct thread_build *build = &builder->threads[i];

		kernel_stack_renumber(&build->kernel);
		team_waits_renumber(&build->spans.team_waits, build->spans.open, build->spans.nr);
		if (build->row_to_end != SIZE_MAX)
			build->row_to_end -= nr_counts_gone;
	}
}

void windows_keep_no_longer(struct model_windows *windows)
{
	windows->keeps_no_longer = true;
}

/* All that was handed out so far leaves, as if it had not been kept: nothing is left to be handed out at this cut. */
static void drop_kept_rows(struct model_builder *builder)
{
	struct model *model = builder->model;
	struct model_windows *windows = builder->windows;
	size_t nr_counts = windows->handed.slice_counts;
	struct model *nothing = new_columns(model);
	const struct division division = {
		.from = model,
		.handed = &windows->handed,
		.window_threads = builder->window_threads,
		.window = nothing,
		.rest = &windows->rest,
		.from_ns = windows->from_ns,
		.to_ns = windows->from_ns,
		.until_ns = windows->from_ns,
		.most_counts = nr_counts,
	};

	windows->keeps = false;
	for (size_t i = 0; i < model->nr_threads; i++) {
		state_table_free(&model->threads[i].states);
		model->threads[i].states = (struct state_table){ 0 };
	}
	divide_rows(&division);
	divide_take_back(&division);
	model_free(nothing);
	renumber_counters(builder, nr_counts);
}

/* Those of groups come late, and of one CPU after the other. */
static void sort_new_counts(struct model_builder *builder)
{
	if (builder->groups.has_new_rows)
		pmu_sort_counts_from(&builder->model->slice_counts,
				     builder->windows->handed.slice_counts);
	builder->groups.has_new_rows = false;
}

void windows_cut_if_due(struct model_builder *builder)
{
	struct model_windows *windows = builder->windows;
	size_t nr_counts;

	if (!windows || windows->nr_events++ < windows->nr_events_each ||
	    builder->now_ns <= windows->from_ns)
		return;
	pmu_merge_counts(builder->model, &builder->pmu, windows->handed.slice_counts);
	sort_new_counts(builder);
	if (builder->event_rows)
		event_rows_flush(builder);
	nr_counts = nr_final_counts(builder);
	cut_window(builder->model, builder->window_threads, windows, builder->now_ns, false,
		   nr_counts);
	if (!windows->keeps)
		renumber_counters(builder, nr_counts);
	else if (windows->keeps_no_longer)
		drop_kept_rows(builder);
}

static void finish_window(struct model *model, struct window_thread *window_threads,
			  struct model_windows *windows)
{
	cut_window(model, window_threads, windows, model->duration_ns, true,
		   model->slice_counts.nr);
	handed_rows_free(&windows->handed);
}

/* Of rows that are kept: those of counts that were not handed out come in the order of their ends, as in the whole model. */
static void hand_out_last(struct model_builder *builder)
{
	struct model *model = builder->model;
	struct model_windows *windows = builder->windows;
	struct slice_count_table whole = model->slice_counts,
				 last = { .nr_counters = whole.nr_counters };
	size_t *handed = &windows->handed.slice_counts;

	slice_count_table_copy(&last, &whole, *handed, whole.nr - *handed);
	pmu_sort_counts(&last);
	*handed = 0;
	model->slice_counts = last;
	finish_window(model, builder->window_threads, windows);
	model->slice_counts = whole;
	slice_count_table_free(&last);
	pmu_sort_counts(&model->slice_counts);
}

void windows_finish(struct model_builder *builder)
{
	struct model_windows *windows = builder->windows;
	bool was_cut;

	if (!windows->keeps) {
		finish_window(builder->model, builder->window_threads, windows);
		rest_replace(builder->model, &windows->rest);
		return;
	}
	was_cut = windows->from_ns;
	hand_out_last(builder);
	windows->kept_rest = rest_beside(builder->model, &windows->rest);
	/* Otherwise that is done (pmu_finish()). */
	if (was_cut)
		pmu_merge_all(builder->model, &builder->pmu, false);
}

void model_divide(struct model *model, const uint64_t *cuts_ns, size_t nr_cuts,
		  const struct model_sink *sink)
{
	struct model_windows windows = { .sink = sink };

	for (size_t i = 0; i < model->nr_threads; i++)
		model->threads[i].totals = (struct state_checkpoint){ 0 };
	for (size_t i = 0; i < nr_cuts; i++)
		cut_window(model, NULL, &windows, cuts_ns[i], false, model->slice_counts.nr);
	finish_window(model, NULL, &windows);
	rest_replace(model, &windows.rest);
}
