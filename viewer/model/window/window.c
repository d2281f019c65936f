// SPDX-License-Identifier: GPL-2.0
#include "model/window/window.h"

#include <stdlib.h>

#include "model/account.h"
#include "model/builder_state.h"
#include "model/event_rows.h"
#include "model/pmu_merge.h"
#include "model/table_rows.h"
#include "model/window/table_copy.h"
#include "util/string_table.h"
#include "util/spill/spill.h"
#include "util/xalloc.h"

/* Counts that still wait for the annotation to end them are among the last this many. */
#define ROWS_TO_WAIT_FOR 64

/* Where rows go that end at or before a cut. */
struct division {
	struct model *from;
	struct window_thread *window_threads; /* NULL: all states are in the model */
	struct model *window;
	struct model *rest;
	uint64_t from_ns;
	uint64_t to_ns;
	uint64_t until_ns; /* to_ns, or the end of time when all rows are complete */
};

static size_t first_from(const uint64_t *time_ns, size_t nr, uint64_t from_ns)
{
	return from_ns ? column_find(time_ns, nr, from_ns - 1) + 1 : 0;
}

static void rest_take_states(struct state_table *rest, const struct state_table *states, size_t nr,
			     uint64_t last_end_ns)
{
	for (size_t i = 0; i < nr; i++) {
		if (column_is_full(rest->nr))
			GROW(rest, end_ns);
		rest->end_ns[rest->nr] = i + 1 < states->nr ? states->start_ns[i + 1] : last_end_ns;
		state_table_copy(rest, states, i, 1);
	}
}

/* The rows that end at the cut, without the last row, whose end is not known. */
static size_t nr_complete_states(const struct division *division, const struct state_table *states)
{
	size_t nr = states->nr;

	if (division->until_ns == UINT64_MAX || !nr)
		return nr;
	nr--;
	while (nr && states->start_ns[nr] > division->to_ns)
		nr--;
	return nr;
}

static void divide_states(const struct division *division, size_t thread)
{
	struct state_table *states = &division->from->threads[thread].states;
	struct state_table *window = &division->window->threads[thread].states;
	size_t nr = nr_complete_states(division, states);
	size_t first = first_from(states->start_ns, nr, division->from_ns);

	account_add(&division->from->threads[thread].totals, states, nr, division->to_ns);
	rest_take_states(&division->rest->threads[thread].states, states, first, division->to_ns);
	state_table_copy(window, states, first, nr - first);
	if (window->nr)
		state_table_close(window, nr < states->nr ? states->start_ns[nr] : division->to_ns);
	state_table_drop(states, nr);
}

static void take_spans(const struct division *division, size_t thread, size_t first, size_t nr)
{
	const struct span_table *spans = &division->from->threads[thread].spans;
	size_t in_window = first;

	while (in_window < first + nr && spans->start_ns[in_window] < division->from_ns)
		in_window++;
	span_table_copy(&division->rest->threads[thread].spans, spans, first, in_window - first);
	span_table_copy(&division->window->threads[thread].spans, spans, in_window,
			first + nr - in_window);
}

/* Open spans, and those that end after the cut, stay. */
static void divide_spans(const struct division *division, size_t thread)
{
	struct span_table *spans = &division->from->threads[thread].spans;
	struct span_table stay = { 0 };
	size_t first = 0;

	for (size_t i = 0; i < spans->nr; i++) {
		if (spans->end_ns[i] <= division->until_ns)
			continue;
		take_spans(division, thread, first, i - first);
		span_table_copy(&stay, spans, i, 1);
		first = i + 1;
	}
	take_spans(division, thread, first, spans->nr - first);
	span_table_free(spans);
	*spans = stay;
}

static void take_kernel_slices(const struct division *division, size_t thread, size_t first,
			       size_t nr)
{
	const struct kernel_slice_table *slices = &division->from->threads[thread].kernel_slices;
	size_t in_window = first;

	while (in_window < first + nr && slices->start_ns[in_window] < division->from_ns)
		in_window++;
	kernel_slice_table_copy(&division->rest->threads[thread].kernel_slices, slices, first,
				in_window - first);
	kernel_slice_table_copy(&division->window->threads[thread].kernel_slices, slices, in_window,
				first + nr - in_window);
}

/* Rows from @first on stay, and those before begin and end in the window. */
static bool lies_in_window(const struct division *division, const struct kernel_slice_table *slices,
			   size_t first)
{
	if (!first || slices->start_ns[0] < division->from_ns)
		return false;
	for (size_t i = first; i < slices->nr; i++) {
		if (slices->end_ns[i] <= division->until_ns)
			return false;
	}
	return true;
}

/* Of nearly all threads: the window reads them where they are, until take_back_kernel_slices(). */
static bool lend_kernel_slices(const struct division *division, size_t thread)
{
	const struct kernel_slice_table *slices = &division->from->threads[thread].kernel_slices;
	struct kernel_slice_table *lent = &division->window->threads[thread].kernel_slices;
	size_t nr = 0;

	while (nr < slices->nr && slices->end_ns[nr] <= division->until_ns)
		nr++;
	if (!lies_in_window(division, slices, nr))
		return false;
	*lent = *slices;
	lent->nr = nr;
	return true;
}

static void take_back_kernel_slices(const struct division *division, size_t thread)
{
	struct kernel_slice_table *slices = &division->from->threads[thread].kernel_slices;
	struct kernel_slice_table *lent = &division->window->threads[thread].kernel_slices;
	size_t *stay, nr_stay;

	if (!lent->nr || lent->start_ns != slices->start_ns)
		return;
	nr_stay = slices->nr - lent->nr;
	stay = xcalloc(nr_stay, sizeof(*stay));
	for (size_t i = 0; i < nr_stay; i++)
		stay[i] = lent->nr + i;
	kernel_slice_table_keep(slices, stay, nr_stay);
	free(stay);
	*lent = (struct kernel_slice_table){ 0 };
}

/*
 * Open ones, and those that end after the cut, stay, in the same arrays: these have about the right size. A thread that
 * had none since the cut before needs none.
 */
static void divide_kernel_slices(const struct division *division, size_t thread)
{
	struct kernel_slice_table *slices = &division->from->threads[thread].kernel_slices;
	size_t *stay = NULL, nr_stay = 0, capacity = 0, first = 0;

	if (lend_kernel_slices(division, thread))
		return;
	for (size_t i = 0; i < slices->nr; i++) {
		if (slices->end_ns[i] <= division->until_ns)
			continue;
		take_kernel_slices(division, thread, first, i - first);
		ARRAY_MAKE_ROOM(stay, nr_stay, capacity);
		stay[nr_stay++] = i;
		first = i + 1;
	}
	take_kernel_slices(division, thread, first, slices->nr - first);
	if (slices->nr) {
		kernel_slice_table_keep(slices, stay, nr_stay);
	} else {
		kernel_slice_table_free(slices);
		*slices = (struct kernel_slice_table){ 0 };
	}
	free(stay);
}

static void divide_marks(const struct division *division, size_t thread)
{
	struct mark_table *marks = &division->from->threads[thread].marks;
	size_t nr = column_find(marks->time_ns, marks->nr, division->until_ns) + 1;
	size_t first = first_from(marks->time_ns, nr, division->from_ns);

	mark_table_copy(&division->rest->threads[thread].marks, marks, 0, first);
	mark_table_copy(&division->window->threads[thread].marks, marks, first, nr - first);
	mark_table_drop(marks, nr);
}

static void divide_waker_stacks(const struct division *division, size_t thread)
{
	struct waker_stack_table *stacks = &division->from->threads[thread].waker_stacks;
	size_t nr = column_find(stacks->time_ns, stacks->nr, division->until_ns) + 1;
	size_t first = first_from(stacks->time_ns, nr, division->from_ns);

	waker_stack_table_copy(&division->rest->threads[thread].waker_stacks, stacks, 0, first);
	waker_stack_table_copy(&division->window->threads[thread].waker_stacks, stacks, first,
			       nr - first);
	waker_stack_table_drop(stacks, nr);
}

/* When the state begins that crosses the cut; UINT64_MAX: none does. The states are divided already. */
static uint64_t crossing_from(const struct division *division, size_t thread)
{
	const struct state_table *states = &division->from->threads[thread].states;
	const struct state_log *log;

	if (division->until_ns == UINT64_MAX)
		return UINT64_MAX;
	if (!division->window_threads)
		return states->nr ? states->start_ns[0] : UINT64_MAX;
	log = &division->window_threads[thread].log;
	return log->flags & LOG_HAS_LAST ? log->last.start_ns : UINT64_MAX;
}

/* A cause goes where its state goes. */
static void divide_causes(const struct division *division, size_t thread)
{
	struct cause_table *causes = &division->from->threads[thread].causes;
	uint64_t crossing_ns = crossing_from(division, thread);
	size_t nr = crossing_ns ? column_find(causes->start_ns, causes->nr, crossing_ns - 1) + 1 :
				  0;
	size_t first = first_from(causes->start_ns, nr, division->from_ns);

	cause_table_copy(&division->rest->threads[thread].causes, causes, 0, first);
	cause_table_copy(&division->window->threads[thread].causes, causes, first, nr - first);
	cause_table_drop(causes, nr);
}

/* The last one stays: another stack of the same event may come. */
static void divide_stack_points(const struct division *division, size_t thread)
{
	struct stack_point_table *points = &division->from->threads[thread].stack_points;
	size_t nr = column_find(points->time_ns, points->nr, division->until_ns) + 1, first;

	if (nr && nr == points->nr && division->until_ns != UINT64_MAX)
		nr--;
	first = first_from(points->time_ns, nr, division->from_ns);
	stack_point_table_copy(&division->rest->threads[thread].stack_points, points, 0, first);
	stack_point_table_copy(&division->window->threads[thread].stack_points, points, first,
			       nr - first);
	stack_point_table_drop(points, nr);
}

static void divide_slices(const struct division *division, int cpu)
{
	struct slice_table *slices = &division->from->cpus[cpu].slices;
	size_t nr = column_find(slices->end_ns, slices->nr, division->until_ns) + 1;
	size_t first = first_from(slices->start_ns, nr, division->from_ns);

	/* The usual: all of them, which come into the rest at once where they cross a cut. */
	if (!first && nr == slices->nr) {
		division->window->cpus[cpu].slices = *slices;
		*slices = (struct slice_table){ 0 };
		return;
	}
	slice_table_copy(&division->rest->cpus[cpu].slices, slices, 0, first);
	slice_table_copy(&division->window->cpus[cpu].slices, slices, first, nr - first);
	slice_table_drop(slices, nr);
}

/*
 * Those that end after the cut stay: some that stand behind them may end before it. Those that began before the
 * window came with one that crosses its begin.
 */
static void divide_interrupts(const struct division *division, int cpu)
{
	struct interrupt_table *from = &division->from->cpus[cpu].interrupts;
	struct interrupt_table stay = { 0 };

	for (size_t i = 0; i < from->nr; i++) {
		struct interrupt_table *to = &division->window->cpus[cpu].interrupts;

		if (from->end_ns[i] > division->until_ns)
			to = &stay;
		else if (from->start_ns[i] < division->from_ns)
			to = &division->rest->cpus[cpu].interrupts;
		interrupt_table_copy(to, from, i, 1);
	}
	interrupt_table_free(from);
	*from = stay;
}

/* They end in the order of their begins. Those that began before the window are in the rest. */
static void divide_idle(const struct division *division, int cpu)
{
	struct idle_table *idle = &division->from->cpus[cpu].idle;
	size_t nr = column_find(idle->end_ns, idle->nr, division->until_ns) + 1;
	size_t first = first_from(idle->start_ns, nr, division->from_ns);

	idle_table_copy(&division->rest->cpus[cpu].idle, idle, 0, first);
	idle_table_copy(&division->window->cpus[cpu].idle, idle, first, nr - first);
	idle_table_drop(idle, nr);
}

static void divide_frequencies(const struct division *division, int cpu)
{
	struct frequency_table *frequencies = &division->from->cpus[cpu].frequencies;
	size_t nr = column_find(frequencies->end_ns, frequencies->nr, division->until_ns) + 1;
	size_t first = first_from(frequencies->start_ns, nr, division->from_ns);

	frequency_table_copy(&division->rest->cpus[cpu].frequencies, frequencies, 0, first);
	frequency_table_copy(&division->window->cpus[cpu].frequencies, frequencies, first,
			     nr - first);
	frequency_table_drop(frequencies, nr);
}

static void divide_migrations(const struct division *division)
{
	struct migration_table *migrations = &division->from->migrations;
	size_t nr = column_find(migrations->time_ns, migrations->nr, division->until_ns) + 1;

	for (size_t i = 0; i < nr; i++) {
		bool crosses = migrations->left_ns[i] < division->from_ns;

		migration_table_copy(crosses ? &division->rest->migrations :
					       &division->window->migrations,
				     migrations, i, 1);
	}
	migration_table_drop(migrations, nr);
}

static void divide_wakeups(const struct division *division)
{
	struct wakeup_table *wakeups = &division->from->wakeups;
	size_t nr = column_find(wakeups->time_ns, wakeups->nr, division->until_ns) + 1;

	if (nr == wakeups->nr) {
		division->window->wakeups = *wakeups;
		*wakeups = (struct wakeup_table){ 0 };
		return;
	}
	wakeup_table_copy(&division->window->wakeups, wakeups, 0, nr);
	wakeup_table_drop(wakeups, nr);
}

/* The usual: all of them, with their texts. */
static void divide_events(const struct division *division)
{
	struct event_table *events = &division->from->events;
	size_t nr = column_find(events->time_ns, events->nr, division->until_ns) + 1;
	size_t first = first_from(events->time_ns, nr, division->from_ns);

	if (!first && nr == events->nr) {
		division->window->events = *events;
		*events = (struct event_table){ 0 };
		return;
	}
	event_rows_copy(&division->rest->events, events, 0, first);
	event_rows_copy(&division->window->events, events, first, nr - first);
	event_table_drop(events, nr);
}

/* They are in the order of their ends. */
static void divide_block_io(const struct division *division)
{
	struct block_io_table *block_io = &division->from->block_io;
	size_t nr = column_find(block_io->end_ns, block_io->nr, division->until_ns) + 1;

	for (size_t i = 0; i < nr; i++) {
		bool crosses = block_io->start_ns[i] < division->from_ns;

		block_io_table_copy(crosses ? &division->rest->block_io :
					      &division->window->block_io,
				    block_io, i, 1);
	}
	block_io_table_drop(block_io, nr);
}

/* They are in the order of their ends. */
static void divide_uncore_readings(const struct division *division)
{
	struct uncore_reading_table *readings = &division->from->uncore_readings;
	size_t nr = column_find(readings->end_ns, readings->nr, division->until_ns) + 1;

	for (size_t i = 0; i < nr; i++) {
		bool crosses = readings->start_ns[i] < division->from_ns;

		uncore_reading_table_copy(crosses ? &division->rest->uncore_readings :
						    &division->window->uncore_readings,
					  readings, i, 1);
	}
	uncore_reading_table_drop(readings, nr);
}

/* No page has them: they are of the window in which they end. */
static void divide_timed_sleeps(const struct division *division)
{
	struct timed_sleep_table *sleeps = &division->from->timed_sleeps;
	size_t nr = column_find(sleeps->end_ns, sleeps->nr, division->until_ns) + 1;

	timed_sleep_table_copy(&division->window->timed_sleeps, sleeps, 0, nr);
	timed_sleep_table_drop(sleeps, nr);
}

/* They came with the window's events, whatever their times are. */
static void divide_notes(const struct division *division)
{
	note_table_free(&division->window->notes);
	division->window->notes = division->from->notes;
	division->from->notes = (struct note_table){ 0 };
}

static void divide_samples(const struct division *division)
{
	struct sample_table *samples = &division->from->samples;
	size_t nr = column_find(samples->time_ns, samples->nr, division->until_ns) + 1;

	sample_table_copy(&division->window->samples, samples, 0, nr);
	sample_table_drop(samples, nr);
}

/* They are in the order of their ends. */
static void divide_slice_counts(const struct division *division, size_t most)
{
	struct slice_count_table *counts = &division->from->slice_counts;
	size_t nr = column_find(counts->end_ns, counts->nr, division->until_ns) + 1;

	nr = nr < most ? nr : most;
	for (size_t i = 0; i < nr; i++) {
		bool crosses = counts->start_ns[i] < division->from_ns;

		slice_count_table_copy(crosses ? &division->rest->slice_counts :
						 &division->window->slice_counts,
				       counts, i, 1);
	}
	slice_count_table_drop(counts, nr);
}

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

/* The arrays that the window took as they were are filled again: they have about the right size. */
static void take_back_arrays(const struct division *division)
{
	struct wakeup_table *wakeups = &division->from->wakeups;

	for (int cpu = 0; cpu < division->from->nr_cpus; cpu++) {
		struct slice_table *slices = &division->from->cpus[cpu].slices;

		if (slices->start_ns)
			continue;
		*slices = division->window->cpus[cpu].slices;
		division->window->cpus[cpu].slices = (struct slice_table){ 0 };
		slice_table_empty(slices);
	}
	for (size_t i = 0; i < division->from->nr_threads; i++)
		take_back_kernel_slices(division, i);
	if (wakeups->time_ns)
		return;
	*wakeups = division->window->wakeups;
	division->window->wakeups = (struct wakeup_table){ 0 };
	wakeup_table_empty(wakeups);
}

/* At most @most rows of counts leave. */
static void cut_window(struct model *model, struct window_thread *window_threads,
		       struct model_windows *windows, uint64_t to_ns, bool is_last, size_t most)
{
	struct division division = {
		.from = model,
		.window_threads = window_threads,
		.window = new_columns(model),
		.rest = &windows->rest,
		.from_ns = windows->from_ns,
		.to_ns = to_ns,
		.until_ns = is_last ? UINT64_MAX : to_ns,
	};

	make_room(&windows->rest, model);
	if (window_threads)
		take_edits(&division, windows);
	for (size_t i = 0; i < model->nr_threads; i++) {
		divide_states(&division, i);
		divide_spans(&division, i);
		divide_kernel_slices(&division, i);
		divide_marks(&division, i);
		divide_causes(&division, i);
		divide_stack_points(&division, i);
		divide_waker_stacks(&division, i);
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		divide_slices(&division, cpu);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		divide_interrupts(&division, cpu);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		divide_idle(&division, cpu);
		divide_frequencies(&division, cpu);
	}
	divide_migrations(&division);
	divide_wakeups(&division);
	divide_events(&division);
	divide_block_io(&division);
	divide_uncore_readings(&division);
	divide_timed_sleeps(&division);
	divide_notes(&division);
	divide_samples(&division);
	divide_slice_counts(&division, most);
	windows->sink->take(windows->sink->context, division.window, windows->from_ns, to_ns);
	if (windows->sink->progress)
		windows->sink->progress(to_ns);
	take_back_arrays(&division);
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
			builder->threads[i].row_to_end = SIZE_MAX;
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

void windows_cut_if_due(struct model_builder *builder)
{
	struct model_windows *windows = builder->windows;
	size_t nr_counts;

	if (!windows || windows->nr_events++ < windows->nr_events_each ||
	    builder->now_ns <= windows->from_ns)
		return;
	pmu_merge_counts(builder->model, &builder->pmu);
	if (builder->event_rows)
		event_rows_flush(builder);
	nr_counts = nr_final_counts(builder);
	cut_window(builder->model, builder->window_threads, windows, builder->now_ns, false,
		   nr_counts);
	renumber_counters(builder, nr_counts);
}

struct nested_row {
	uint64_t start_ns;
	uint8_t depth;
	size_t row;
};

/* Of those that begin at once, the outer one comes first. */
static int compare_nested(const void *a, const void *b)
{
	const struct nested_row *first = a, *second = b;

	if (first->start_ns != second->start_ns)
		return first->start_ns < second->start_ns ? -1 : 1;
	if (first->depth != second->depth)
		return first->depth < second->depth ? -1 : 1;
	return first->row < second->row ? -1 : first->row > second->row;
}

/* In which order rows stand that came when they ended, inner ones first; spill_free() it. */
static size_t *sort_nested(const uint64_t *start_ns, const uint8_t *depth, size_t nr)
{
	struct nested_row *places = spill_zeroed(nr + 1, sizeof(*places));
	size_t *rows = spill_zeroed(nr + 1, sizeof(*rows));

	for (size_t i = 0; i < nr; i++)
		places[i] = (struct nested_row){ start_ns[i], depth[i], i };
	qsort(places, nr, sizeof(*places), compare_nested);
	for (size_t i = 0; i < nr; i++)
		rows[i] = places[i].row;
	spill_free(places);
	return rows;
}

static void sort_spans(struct span_table *spans)
{
	size_t *rows = sort_nested(spans->start_ns, spans->depth, spans->nr);

	span_table_permute(spans, rows);
	spill_free(rows);
}

static void sort_kernel_slices(struct kernel_slice_table *slices)
{
	size_t *rows = sort_nested(slices->start_ns, slices->depth, slices->nr);

	kernel_slice_table_permute(slices, rows);
	spill_free(rows);
}

static void sort_interrupts(struct interrupt_table *interrupts)
{
	size_t *rows = sort_nested(interrupts->start_ns, interrupts->depth, interrupts->nr);

	interrupt_table_permute(interrupts, rows);
	spill_free(rows);
}

/* All of the model's own rows are gone. */
static void move_rest(struct model *model, struct model *rest)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		struct thread *thread = &model->threads[i];

		state_table_free(&thread->states);
		span_table_free(&thread->spans);
		mark_table_free(&thread->marks);
		cause_table_free(&thread->causes);
		stack_point_table_free(&thread->stack_points);
		waker_stack_table_free(&thread->waker_stacks);
		thread->states = rest->threads[i].states;
		thread->spans = rest->threads[i].spans;
		thread->marks = rest->threads[i].marks;
		thread->causes = rest->threads[i].causes;
		thread->stack_points = rest->threads[i].stack_points;
		thread->waker_stacks = rest->threads[i].waker_stacks;
		kernel_slice_table_free(&thread->kernel_slices);
		thread->kernel_slices = rest->threads[i].kernel_slices;
		sort_spans(&thread->spans);
		sort_kernel_slices(&thread->kernel_slices);
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		slice_table_free(&model->cpus[cpu].slices);
		model->cpus[cpu].slices = rest->cpus[cpu].slices;
		interrupt_table_free(&model->cpus[cpu].interrupts);
		model->cpus[cpu].interrupts = rest->cpus[cpu].interrupts;
		sort_interrupts(&model->cpus[cpu].interrupts);
		idle_table_free(&model->cpus[cpu].idle);
		model->cpus[cpu].idle = rest->cpus[cpu].idle;
		frequency_table_free(&model->cpus[cpu].frequencies);
		model->cpus[cpu].frequencies = rest->cpus[cpu].frequencies;
	}
	migration_table_free(&model->migrations);
	model->migrations = rest->migrations;
	block_io_table_free(&model->block_io);
	model->block_io = rest->block_io;
	uncore_reading_table_free(&model->uncore_readings);
	model->uncore_readings = rest->uncore_readings;
	event_table_free(&model->events);
	string_table_free(model->events.texts);
	model->events = rest->events;
	slice_count_table_free(&model->slice_counts);
	model->slice_counts = rest->slice_counts;
	free(rest->threads);
	free(rest->cpus);
	*rest = (struct model){ 0 };
}

static void finish_window(struct model *model, struct window_thread *window_threads,
			  struct model_windows *windows)
{
	cut_window(model, window_threads, windows, model->duration_ns, true,
		   model->slice_counts.nr);
	move_rest(model, &windows->rest);
}

void windows_finish(struct model_builder *builder)
{
	finish_window(builder->model, builder->window_threads, builder->windows);
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
}
