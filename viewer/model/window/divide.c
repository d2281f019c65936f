// SPDX-License-Identifier: GPL-2.0
#include "model/window/divide.h"

#include <stdlib.h>

#include "model/account.h"
#include "model/event_rows.h"
#include "model/table_rows.h"
#include "model/window/table_copy.h"
#include "model/window/handed_rows.h"
#include "util/lower_bound.h"
#include "util/xalloc.h"

/* The first of the rows from @first on that does not come before @from_ns. */
static size_t first_from(const uint64_t *time_ns, size_t first, size_t nr, uint64_t from_ns)
{
	return LOWER_BOUND(row, first, nr, time_ns[row] < from_ns);
}

/* The first of the rows from @first on that comes after @until_ns. */
static size_t first_after(const uint64_t *time_ns, size_t first, size_t nr, uint64_t until_ns)
{
	return LOWER_BOUND(row, first, nr, time_ns[row] <= until_ns);
}

/* The rows before @nr are in the window or in the rest. */
#define HAND_OUT(division, name, table, handed, nr)           \
	do {                                                  \
		size_t nr_handed_ = (nr);                     \
		if (!(division)->keeps) {                     \
			name##_table_drop(table, nr_handed_); \
			nr_handed_ = 0;                       \
		}                                             \
		*(handed) = nr_handed_;                       \
	} while (0)

/* Takes @nr rows from @first on of thread or CPU @owner. */
typedef void (*take_rows)(const struct division *division, size_t owner, size_t first, size_t nr);

/* Those that were not complete at the cut before. */
static void take_waiting(const struct division *division, size_t owner, const uint64_t *end_ns,
			 struct waiting_rows *waiting, take_rows take)
{
	size_t nr_left = 0;

	for (size_t i = 0; i < waiting->nr; i++) {
		size_t row = waiting->rows[i];

		if (end_ns[row] <= division->until_ns)
			take(division, owner, row, 1);
		else
			waiting->rows[nr_left++] = row;
	}
	waiting->nr = nr_left;
}

static void wait_for_row(struct waiting_rows *waiting, size_t row)
{
	ARRAY_MAKE_ROOM(waiting->rows, waiting->nr, waiting->capacity);
	waiting->rows[waiting->nr++] = row;
}

/* Those from @first on to @nr, but for those that are not complete. */
static void take_complete(const struct division *division, size_t owner, const uint64_t *end_ns,
			  size_t first, size_t nr, struct waiting_rows *waiting, take_rows take)
{
	for (size_t i = first; i < nr; i++) {
		if (end_ns[i] <= division->until_ns)
			continue;
		take(division, owner, first, i - first);
		wait_for_row(waiting, i);
		first = i + 1;
	}
	take(division, owner, first, nr - first);
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
	size_t first = first_from(states->start_ns, 0, nr, division->from_ns);

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

/* Open spans, and those that end after the cut, wait. */
static void divide_spans(const struct division *division, size_t thread)
{
	struct span_table *spans = &division->from->threads[thread].spans;
	struct handed_thread *handed = &division->handed->threads[thread];
	struct waiting_rows *waiting = &handed->waiting_spans;
	struct span_table stay = { 0 };

	take_waiting(division, thread, spans->end_ns, waiting, take_spans);
	take_complete(division, thread, spans->end_ns, handed->spans, spans->nr, waiting,
		      take_spans);
	if (division->keeps) {
		handed->spans = spans->nr;
		return;
	}
	for (size_t i = 0; i < waiting->nr; i++)
		span_table_copy(&stay, spans, waiting->rows[i], 1);
	handed->spans = 0;
	waiting->nr = 0;
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

/* Whether rows from @first on to @nr lie in the window, and none behind them is complete. */
static bool lies_in_window(const struct division *division, const struct kernel_slice_table *slices,
			   size_t first, size_t nr)
{
	if (nr == first || slices->start_ns[first] < division->from_ns)
		return false;
	for (size_t i = nr; i < slices->nr; i++) {
		if (slices->end_ns[i] <= division->until_ns)
			return false;
	}
	return true;
}

/* Of nearly all threads: the window reads new rows where they are, until take_back_kernel_slices(). */
static bool lend_kernel_slices(const struct division *division, size_t thread)
{
	const struct kernel_slice_table *slices = &division->from->threads[thread].kernel_slices;
	struct kernel_slice_table *lent = &division->window->threads[thread].kernel_slices;
	struct handed_thread *handed = &division->handed->threads[thread];
	size_t first = handed->kernel_slices, nr = first;

	while (nr < slices->nr && slices->end_ns[nr] <= division->until_ns)
		nr++;
	if (lent->nr || !lies_in_window(division, slices, first, nr))
		return false;
	*lent = kernel_slice_table_view(slices, first, nr - first);
	for (; nr < slices->nr; nr++)
		wait_for_row(&handed->waiting_kernel_slices, nr);
	return true;
}

static void take_back_kernel_slices(const struct division *division, size_t thread)
{
	struct kernel_slice_table *slices = &division->from->threads[thread].kernel_slices;
	struct kernel_slice_table *lent = &division->window->threads[thread].kernel_slices;
	struct waiting_rows *waiting = &division->handed->threads[thread].waiting_kernel_slices;

	if (!lent->nr || lent->start_ns < slices->start_ns ||
	    lent->start_ns >= slices->start_ns + slices->nr)
		return;
	*lent = (struct kernel_slice_table){ 0 };
	if (division->keeps)
		return;
	kernel_slice_table_keep(slices, waiting->rows, waiting->nr);
	waiting->nr = 0;
}

/*
 * Open ones, and those that end after the cut, wait; if rows leave, in the same arrays: these have about the right size. A
 * thread that had none since the cut before needs none.
 */
static void keep_waiting_kernel_slices(struct kernel_slice_table *slices,
				       struct waiting_rows *waiting)
{
	if (slices->nr) {
		kernel_slice_table_keep(slices, waiting->rows, waiting->nr);
	} else {
		kernel_slice_table_free(slices);
		*slices = (struct kernel_slice_table){ 0 };
	}
	waiting->nr = 0;
}

static void divide_kernel_slices(const struct division *division, size_t thread)
{
	struct kernel_slice_table *slices = &division->from->threads[thread].kernel_slices;
	struct handed_thread *handed = &division->handed->threads[thread];
	struct waiting_rows *waiting = &handed->waiting_kernel_slices;
	bool is_lent;

	take_waiting(division, thread, slices->end_ns, waiting, take_kernel_slices);
	is_lent = lend_kernel_slices(division, thread);
	if (!is_lent)
		take_complete(division, thread, slices->end_ns, handed->kernel_slices, slices->nr,
			      waiting, take_kernel_slices);
	handed->kernel_slices = division->keeps ? slices->nr : 0;
	if (!division->keeps && !is_lent)
		keep_waiting_kernel_slices(slices, waiting);
}

static void divide_marks(const struct division *division, size_t thread)
{
	struct mark_table *marks = &division->from->threads[thread].marks;
	size_t *handed = &division->handed->threads[thread].marks;
	size_t nr = first_after(marks->time_ns, *handed, marks->nr, division->until_ns);
	size_t first = first_from(marks->time_ns, *handed, nr, division->from_ns);

	mark_table_copy(&division->rest->threads[thread].marks, marks, *handed, first - *handed);
	mark_table_copy(&division->window->threads[thread].marks, marks, first, nr - first);
	HAND_OUT(division, mark, marks, handed, nr);
}

static void divide_waker_stacks(const struct division *division, size_t thread)
{
	struct waker_stack_table *stacks = &division->from->threads[thread].waker_stacks;
	size_t *handed = &division->handed->threads[thread].waker_stacks;
	size_t nr = first_after(stacks->time_ns, *handed, stacks->nr, division->until_ns);
	size_t first = first_from(stacks->time_ns, *handed, nr, division->from_ns);

	waker_stack_table_copy(&division->rest->threads[thread].waker_stacks, stacks, *handed,
			       first - *handed);
	waker_stack_table_copy(&division->window->threads[thread].waker_stacks, stacks, first,
			       nr - first);
	HAND_OUT(division, waker_stack, stacks, handed, nr);
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
	size_t *handed = &division->handed->threads[thread].causes;
	size_t nr = first_from(causes->start_ns, *handed, causes->nr, crossing_ns);
	size_t first = first_from(causes->start_ns, *handed, nr, division->from_ns);

	cause_table_copy(&division->rest->threads[thread].causes, causes, *handed, first - *handed);
	cause_table_copy(&division->window->threads[thread].causes, causes, first, nr - first);
	HAND_OUT(division, cause, causes, handed, nr);
}

/* The last one stays: another stack of the same event may come. */
static void divide_stack_points(const struct division *division, size_t thread)
{
	struct stack_point_table *points = &division->from->threads[thread].stack_points;
	size_t *handed = &division->handed->threads[thread].stack_points;
	size_t nr = first_after(points->time_ns, *handed, points->nr, division->until_ns), first;

	if (nr > *handed && nr == points->nr && division->until_ns != UINT64_MAX)
		nr--;
	first = first_from(points->time_ns, *handed, nr, division->from_ns);
	stack_point_table_copy(&division->rest->threads[thread].stack_points, points, *handed,
			       first - *handed);
	stack_point_table_copy(&division->window->threads[thread].stack_points, points, first,
			       nr - first);
	HAND_OUT(division, stack_point, points, handed, nr);
}

static void divide_slices(const struct division *division, int cpu)
{
	struct slice_table *slices = &division->from->cpus[cpu].slices;
	struct slice_table *window = &division->window->cpus[cpu].slices;
	struct slice_table *rest = &division->rest->cpus[cpu].slices;
	size_t *handed = &division->handed->cpus[cpu].slices;
	size_t nr = first_after(slices->end_ns, *handed, slices->nr, division->until_ns);
	size_t first = first_from(slices->start_ns, *handed, nr, division->from_ns);

	if (division->keeps) {
		slice_table_copy(rest, slices, *handed, first - *handed);
		*window = slice_table_view(slices, first, nr - first);
		*handed = nr;
		return;
	}
	/* The usual: all of them, which come into the rest at once where they cross a cut. */
	if (!first && nr == slices->nr) {
		*window = *slices;
		*slices = (struct slice_table){ 0 };
		return;
	}
	slice_table_copy(rest, slices, *handed, first - *handed);
	slice_table_copy(window, slices, first, nr - first);
	HAND_OUT(division, slice, slices, handed, nr);
}

/* Those that began before the window came with one that crosses its begin. */
static void take_interrupts(const struct division *division, size_t cpu, size_t first, size_t nr)
{
	const struct interrupt_table *from = &division->from->cpus[cpu].interrupts;

	for (size_t i = first; i < first + nr; i++) {
		const struct model *to = from->start_ns[i] < division->from_ns ? division->rest :
										 division->window;

		interrupt_table_copy(&to->cpus[cpu].interrupts, from, i, 1);
	}
}

/* Those that end after the cut wait: some that stand behind them may end before it. */
static void divide_interrupts(const struct division *division, int cpu)
{
	struct interrupt_table *from = &division->from->cpus[cpu].interrupts;
	struct handed_cpu *handed = &division->handed->cpus[cpu];
	struct waiting_rows *waiting = &handed->waiting_interrupts;
	struct interrupt_table stay = { 0 };

	take_waiting(division, (size_t)cpu, from->end_ns, waiting, take_interrupts);
	take_complete(division, (size_t)cpu, from->end_ns, handed->interrupts, from->nr, waiting,
		      take_interrupts);
	if (division->keeps) {
		handed->interrupts = from->nr;
		return;
	}
	for (size_t i = 0; i < waiting->nr; i++)
		interrupt_table_copy(&stay, from, waiting->rows[i], 1);
	handed->interrupts = 0;
	waiting->nr = 0;
	interrupt_table_free(from);
	*from = stay;
}

/* They end in the order of their begins. Those that began before the window are in the rest. */
static void divide_idle(const struct division *division, int cpu)
{
	struct idle_table *idle = &division->from->cpus[cpu].idle;
	size_t *handed = &division->handed->cpus[cpu].idle;
	size_t nr = first_after(idle->end_ns, *handed, idle->nr, division->until_ns);
	size_t first = first_from(idle->start_ns, *handed, nr, division->from_ns);

	idle_table_copy(&division->rest->cpus[cpu].idle, idle, *handed, first - *handed);
	idle_table_copy(&division->window->cpus[cpu].idle, idle, first, nr - first);
	HAND_OUT(division, idle, idle, handed, nr);
}

static void divide_frequencies(const struct division *division, int cpu)
{
	struct frequency_table *frequencies = &division->from->cpus[cpu].frequencies;
	size_t *handed = &division->handed->cpus[cpu].frequencies;
	size_t nr = first_after(frequencies->end_ns, *handed, frequencies->nr, division->until_ns);
	size_t first = first_from(frequencies->start_ns, *handed, nr, division->from_ns);

	frequency_table_copy(&division->rest->cpus[cpu].frequencies, frequencies, *handed,
			     first - *handed);
	frequency_table_copy(&division->window->cpus[cpu].frequencies, frequencies, first,
			     nr - first);
	HAND_OUT(division, frequency, frequencies, handed, nr);
}

static void divide_migrations(const struct division *division)
{
	struct migration_table *migrations = &division->from->migrations;
	size_t *handed = &division->handed->migrations;
	size_t nr = first_after(migrations->time_ns, *handed, migrations->nr, division->until_ns);

	for (size_t i = *handed; i < nr; i++) {
		bool crosses = migrations->left_ns[i] < division->from_ns;

		migration_table_copy(crosses ? &division->rest->migrations :
					       &division->window->migrations,
				     migrations, i, 1);
	}
	HAND_OUT(division, migration, migrations, handed, nr);
}

static void divide_wakeups(const struct division *division)
{
	struct wakeup_table *wakeups = &division->from->wakeups;
	struct wakeup_table *window = &division->window->wakeups;
	size_t *handed = &division->handed->wakeups;
	size_t nr = first_after(wakeups->time_ns, *handed, wakeups->nr, division->until_ns);

	if (division->keeps) {
		*window = wakeup_table_view(wakeups, *handed, nr - *handed);
		*handed = nr;
		return;
	}
	if (!*handed && nr == wakeups->nr) {
		*window = *wakeups;
		*wakeups = (struct wakeup_table){ 0 };
		return;
	}
	wakeup_table_copy(window, wakeups, *handed, nr - *handed);
	HAND_OUT(division, wakeup, wakeups, handed, nr);
}

/* The usual: all of them, with their texts. They leave in any case: only pages have them. */
static void divide_events(const struct division *division)
{
	struct event_table *events = &division->from->events;
	size_t nr = first_after(events->time_ns, 0, events->nr, division->until_ns);
	size_t first = first_from(events->time_ns, 0, nr, division->from_ns);

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
	size_t *handed = &division->handed->block_io;
	size_t nr = first_after(block_io->end_ns, *handed, block_io->nr, division->until_ns);

	for (size_t i = *handed; i < nr; i++) {
		bool crosses = block_io->start_ns[i] < division->from_ns;

		block_io_table_copy(crosses ? &division->rest->block_io :
					      &division->window->block_io,
				    block_io, i, 1);
	}
	HAND_OUT(division, block_io, block_io, handed, nr);
}

/* They are in the order of their ends. */
static void divide_uncore_readings(const struct division *division)
{
	struct uncore_reading_table *readings = &division->from->uncore_readings;
	size_t *handed = &division->handed->uncore_readings;
	size_t nr = first_after(readings->end_ns, *handed, readings->nr, division->until_ns);

	for (size_t i = *handed; i < nr; i++) {
		bool crosses = readings->start_ns[i] < division->from_ns;

		uncore_reading_table_copy(crosses ? &division->rest->uncore_readings :
						    &division->window->uncore_readings,
					  readings, i, 1);
	}
	HAND_OUT(division, uncore_reading, readings, handed, nr);
}

/* No page has them: they are of the window in which they end. */
static void divide_timed_sleeps(const struct division *division)
{
	struct timed_sleep_table *sleeps = &division->from->timed_sleeps;
	size_t *handed = &division->handed->timed_sleeps;
	size_t nr = first_after(sleeps->end_ns, *handed, sleeps->nr, division->until_ns);

	timed_sleep_table_copy(&division->window->timed_sleeps, sleeps, *handed, nr - *handed);
	HAND_OUT(division, timed_sleep, sleeps, handed, nr);
}

/* They came with the window's events, whatever their times are. */
static void divide_notes(const struct division *division)
{
	struct note_table *notes = &division->from->notes;
	size_t *handed = &division->handed->notes;

	note_table_copy(&division->window->notes, notes, *handed, notes->nr - *handed);
	HAND_OUT(division, note, notes, handed, notes->nr);
}

static void divide_samples(const struct division *division)
{
	struct sample_table *samples = &division->from->samples;
	size_t *handed = &division->handed->samples;
	size_t nr = first_after(samples->time_ns, *handed, samples->nr, division->until_ns);

	sample_table_copy(&division->window->samples, samples, *handed, nr - *handed);
	HAND_OUT(division, sample, samples, handed, nr);
}

/* They are in the order of their ends. */
static void divide_slice_counts(const struct division *division)
{
	struct slice_count_table *counts = &division->from->slice_counts;
	size_t *handed = &division->handed->slice_counts;
	size_t most = division->most_counts > *handed ? division->most_counts : *handed;
	size_t nr = first_after(counts->end_ns, *handed, counts->nr, division->until_ns);

	nr = nr < most ? nr : most;
	for (size_t i = *handed; i < nr; i++) {
		bool crosses = counts->start_ns[i] < division->from_ns;

		slice_count_table_copy(crosses ? &division->rest->slice_counts :
						 &division->window->slice_counts,
				       counts, i, 1);
	}
	HAND_OUT(division, slice_count, counts, handed, nr);
}

void divide_rows(const struct division *division)
{
	const struct model *model = division->from;

	for (size_t i = 0; i < model->nr_threads; i++) {
		/* Deltas tell of those that are kept, too. */
		if (!division->keeps)
			divide_states(division, i);
		divide_spans(division, i);
		divide_kernel_slices(division, i);
		divide_marks(division, i);
		divide_causes(division, i);
		divide_stack_points(division, i);
		divide_waker_stacks(division, i);
	}
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		divide_slices(division, cpu);
		divide_interrupts(division, cpu);
		divide_idle(division, cpu);
		divide_frequencies(division, cpu);
	}
	divide_migrations(division);
	divide_wakeups(division);
	divide_events(division);
	divide_block_io(division);
	divide_uncore_readings(division);
	divide_timed_sleeps(division);
	divide_notes(division);
	divide_samples(division);
	divide_slice_counts(division);
}

/* It only looked at what stays in the model. */
static void take_back_views(const struct division *division)
{
	struct model *window = division->window;

	for (int cpu = 0; cpu < window->nr_cpus; cpu++)
		window->cpus[cpu].slices = (struct slice_table){ 0 };
	window->wakeups = (struct wakeup_table){ 0 };
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
	if (wakeups->time_ns)
		return;
	*wakeups = division->window->wakeups;
	division->window->wakeups = (struct wakeup_table){ 0 };
	wakeup_table_empty(wakeups);
}

void divide_take_back(const struct division *division)
{
	for (size_t i = 0; i < division->from->nr_threads; i++)
		take_back_kernel_slices(division, i);
	if (division->keeps)
		take_back_views(division);
	else
		take_back_arrays(division);
}

void handed_rows_free(struct handed_rows *handed)
{
	for (size_t i = 0; i < handed->nr_threads; i++) {
		free(handed->threads[i].waiting_spans.rows);
		free(handed->threads[i].waiting_kernel_slices.rows);
	}
	for (size_t i = 0; i < handed->nr_cpus; i++)
		free(handed->cpus[i].waiting_interrupts.rows);
	free(handed->threads);
	free(handed->cpus);
	*handed = (struct handed_rows){ 0 };
}
