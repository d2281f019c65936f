// SPDX-License-Identifier: GPL-2.0
#include "model/columns.h"

#include <stdlib.h>

#include "util/xalloc.h"

void *column_grow(void *array, size_t nr, size_t element_bytes)
{
	return xrealloc_array(array, nr ? nr * 2 : 4, element_bytes);
}

void states_add(struct state_column *states, uint64_t start_ns, enum thread_state state, int cpu,
		bool migrated)
{
	size_t at = states->nr;

	if (column_is_full(at)) {
		GROW(states, start_ns);
		GROW(states, state);
		GROW(states, cpu);
		GROW(states, migrated);
	}
	states->start_ns[at] = start_ns;
	states->state[at] = (uint8_t)state;
	states->cpu[at] = (int16_t)cpu;
	states->migrated[at] = migrated;
	states->nr++;
}

void states_close(struct state_column *states, uint64_t end_ns)
{
	if (column_is_full(states->nr))
		GROW(states, start_ns);
	states->start_ns[states->nr] = end_ns;
}

size_t spans_add(struct span_column *spans, uint64_t start_ns, uint64_t drained_ns,
		 const struct trace_event *begin, size_t depth)
{
	size_t at = spans->nr;

	if (column_is_full(at)) {
		GROW(spans, start_ns);
		GROW(spans, end_ns);
		GROW(spans, name);
		GROW(spans, kind);
		GROW(spans, depth);
		GROW(spans, flags);
		GROW(spans, value);
		GROW(spans, drained_ns);
	}
	spans->start_ns[at] = start_ns;
	spans->end_ns[at] = UINT64_MAX;
	spans->name[at] = begin->annot.name;
	spans->kind[at] = (uint8_t)begin->annot.span_kind;
	spans->depth[at] = depth < UINT8_MAX ? (uint8_t)depth : UINT8_MAX;
	spans->flags[at] = begin->annot.has_value ? SPAN_HAS_VALUE : 0;
	spans->value[at] = begin->annot.has_value ? begin->annot.value : 0;
	spans->drained_ns[at] = drained_ns;
	spans->nr++;
	return at;
}

void marks_add(struct mark_column *marks, uint64_t time_ns, uint64_t drained_ns,
	       const struct trace_event *event)
{
	size_t at = marks->nr;

	if (column_is_full(at)) {
		GROW(marks, time_ns);
		GROW(marks, name);
		GROW(marks, is_counter);
		GROW(marks, has_value);
		GROW(marks, value);
		GROW(marks, drained_ns);
	}
	marks->time_ns[at] = time_ns;
	marks->name[at] = event->annot.name;
	marks->is_counter[at] = event->kind == TRACE_COUNTER;
	marks->has_value[at] = event->annot.has_value;
	marks->value[at] = event->annot.has_value ? event->annot.value : 0;
	marks->drained_ns[at] = drained_ns;
	marks->nr++;
}

void slices_add(struct slice_column *slices, uint64_t start_ns, uint64_t end_ns, uint32_t thread,
		enum thread_state end_state)
{
	size_t at = slices->nr;

	if (at >= slices->room && column_is_full(at)) {
		GROW(slices, start_ns);
		GROW(slices, end_ns);
		GROW(slices, thread);
		GROW(slices, end_state);
	}
	slices->start_ns[at] = start_ns;
	slices->end_ns[at] = end_ns;
	slices->thread[at] = thread;
	slices->end_state[at] = (uint8_t)end_state;
	slices->nr++;
}

void slices_empty(struct slice_column *slices)
{
	if (slices->nr > slices->room)
		slices->room = slices->nr;
	slices->nr = 0;
}

void gaps_add(struct gap_column *gaps, uint64_t start_ns, uint64_t end_ns, uint64_t nr_events,
	      enum gap_kind kind)
{
	size_t at = gaps->nr;

	if (column_is_full(at)) {
		GROW(gaps, start_ns);
		GROW(gaps, end_ns);
		GROW(gaps, nr_events);
		GROW(gaps, kind);
	}
	gaps->start_ns[at] = start_ns;
	gaps->end_ns[at] = end_ns;
	gaps->nr_events[at] = nr_events;
	gaps->kind[at] = (uint8_t)kind;
	gaps->nr++;
}

void migrations_add(struct migration_column *migrations, uint64_t left_ns, uint64_t time_ns,
		    uint32_t thread, int from_cpu, int to_cpu)
{
	size_t at = migrations->nr;

	if (column_is_full(at)) {
		GROW(migrations, time_ns);
		GROW(migrations, left_ns);
		GROW(migrations, thread);
		GROW(migrations, from_cpu);
		GROW(migrations, to_cpu);
	}
	migrations->time_ns[at] = time_ns;
	migrations->left_ns[at] = left_ns;
	migrations->thread[at] = thread;
	migrations->from_cpu[at] = (int16_t)from_cpu;
	migrations->to_cpu[at] = (int16_t)to_cpu;
	migrations->nr++;
}

void wakeups_add(struct wakeup_column *wakeups, uint64_t time_ns, uint32_t waker, uint32_t wakee,
		 int cpu)
{
	size_t at = wakeups->nr;

	if (at >= wakeups->room && column_is_full(at)) {
		GROW(wakeups, time_ns);
		GROW(wakeups, waker);
		GROW(wakeups, wakee);
		GROW(wakeups, cpu);
	}
	wakeups->time_ns[at] = time_ns;
	wakeups->waker[at] = waker;
	wakeups->wakee[at] = wakee;
	wakeups->cpu[at] = (int16_t)cpu;
	wakeups->nr++;
}

void wakeups_empty(struct wakeup_column *wakeups)
{
	if (wakeups->nr > wakeups->room)
		wakeups->room = wakeups->nr;
	wakeups->nr = 0;
}

void states_free(struct state_column *states)
{
	free(states->start_ns);
	free(states->state);
	free(states->cpu);
	free(states->migrated);
	free(states->checkpoints);
	free(states->end_ns);
}

void spans_free(struct span_column *spans)
{
	free(spans->start_ns);
	free(spans->end_ns);
	free(spans->name);
	free(spans->kind);
	free(spans->depth);
	free(spans->flags);
	free(spans->value);
	free(spans->drained_ns);
}

void marks_free(struct mark_column *marks)
{
	free(marks->time_ns);
	free(marks->name);
	free(marks->is_counter);
	free(marks->has_value);
	free(marks->value);
	free(marks->drained_ns);
}

void slices_free(struct slice_column *slices)
{
	free(slices->start_ns);
	free(slices->end_ns);
	free(slices->thread);
	free(slices->end_state);
}

void gaps_free(struct gap_column *gaps)
{
	free(gaps->start_ns);
	free(gaps->end_ns);
	free(gaps->nr_events);
	free(gaps->kind);
}

void migrations_free(struct migration_column *migrations)
{
	free(migrations->time_ns);
	free(migrations->left_ns);
	free(migrations->thread);
	free(migrations->from_cpu);
	free(migrations->to_cpu);
}

void wakeups_free(struct wakeup_column *wakeups)
{
	free(wakeups->time_ns);
	free(wakeups->waker);
	free(wakeups->wakee);
	free(wakeups->cpu);
}

size_t column_find(const uint64_t *start_ns, size_t nr, uint64_t time_ns)
{
	size_t low = 0, high = nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (start_ns[middle] <= time_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}
