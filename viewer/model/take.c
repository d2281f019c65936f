// SPDX-License-Identifier: GPL-2.0
#include "model/take.h"

#include <stddef.h>
#include <string.h>

#include "model/columns.h"
#include "util/xalloc.h"

/* One array of a table. */
struct array_field {
	size_t offset;
	size_t element_bytes;
};

#define FIELD(table, field)                                                        \
	{                                                                          \
		offsetof(struct table, field), sizeof(*((struct table *)0)->field) \
	}
#define NR(fields) (sizeof(fields) / sizeof((fields)[0]))

static const struct array_field states_fields[] = {
	FIELD(state_column, start_ns),
	FIELD(state_column, state),
	FIELD(state_column, cpu),
	FIELD(state_column, migrated),
};

static const struct array_field spans_fields[] = {
	FIELD(span_column, start_ns), FIELD(span_column, end_ns),     FIELD(span_column, name),
	FIELD(span_column, kind),     FIELD(span_column, depth),      FIELD(span_column, flags),
	FIELD(span_column, value),    FIELD(span_column, drained_ns),
};

static const struct array_field marks_fields[] = {
	FIELD(mark_column, time_ns),   FIELD(mark_column, name),  FIELD(mark_column, is_counter),
	FIELD(mark_column, has_value), FIELD(mark_column, value), FIELD(mark_column, drained_ns),
};

static const struct array_field slices_fields[] = {
	FIELD(slice_column, start_ns),
	FIELD(slice_column, end_ns),
	FIELD(slice_column, thread),
	FIELD(slice_column, end_state),
};

static const struct array_field gaps_fields[] = {
	FIELD(gap_column, start_ns),
	FIELD(gap_column, end_ns),
	FIELD(gap_column, nr_events),
	FIELD(gap_column, kind),
};

static const struct array_field migrations_fields[] = {
	FIELD(migration_column, time_ns), FIELD(migration_column, left_ns),
	FIELD(migration_column, thread),  FIELD(migration_column, from_cpu),
	FIELD(migration_column, to_cpu),
};

static const struct array_field wakeups_fields[] = {
	FIELD(wakeup_column, time_ns),
	FIELD(wakeup_column, waker),
	FIELD(wakeup_column, wakee),
	FIELD(wakeup_column, cpu),
};

static const struct array_field samples_fields[] = {
	FIELD(sample_column, time_ns),	FIELD(sample_column, thread),
	FIELD(sample_column, cpu),	FIELD(sample_column, event),
	FIELD(sample_column, has),	FIELD(sample_column, precise),
	FIELD(sample_column, period),	FIELD(sample_column, ip),
	FIELD(sample_column, addr),	FIELD(sample_column, weight),
	FIELD(sample_column, data_src),
};

static const struct array_field slice_counts_fields[] = {
	FIELD(slice_count_column, start_ns), FIELD(slice_count_column, end_ns),
	FIELD(slice_count_column, thread),   FIELD(slice_count_column, cpu),
	FIELD(slice_count_column, invalid),
};

static const struct array_field pmu_gaps_fields[] = {
	FIELD(pmu_gap_column, start_ns), FIELD(pmu_gap_column, end_ns), FIELD(pmu_gap_column, cpu),
	FIELD(pmu_gap_column, event),	 FIELD(pmu_gap_column, state),
};

/* As columns grow by doubling, their capacity is the power of two that holds their rows. */
static size_t capacity_for(size_t nr)
{
	size_t capacity = 4;

	while (capacity < nr)
		capacity *= 2;
	return capacity;
}

static char *array_of(const void *table, const struct array_field *field)
{
	char *array;

	memcpy(&array, (const char *)table + field->offset, sizeof(array));
	return array;
}

static char *grow_array(void *table, const struct array_field *field, size_t capacity)
{
	char *array = xrealloc_array(array_of(table, field), capacity, field->element_bytes);

	memcpy((char *)table + field->offset, &array, sizeof(array));
	return array;
}

/* What a table does not have is 0. */
static void copy_rows(char *to, const char *from, const struct array_field *field, size_t first,
		      size_t nr)
{
	if (from)
		memcpy(to, from + first * field->element_bytes, nr * field->element_bytes);
	else
		memset(to, 0, nr * field->element_bytes);
}

/* Each table begins with its number of rows. */
static void take(void *to, const void *from, const struct array_field *fields, size_t nr_fields,
		 size_t first, size_t nr)
{
	size_t *nr_to = to, capacity = capacity_for(*nr_to + nr);
	bool is_full = !*nr_to || capacity != capacity_for(*nr_to);

	if (!nr)
		return;
	for (size_t i = 0; i < nr_fields; i++) {
		char *array = is_full ? grow_array(to, &fields[i], capacity) :
					array_of(to, &fields[i]);

		copy_rows(array + *nr_to * fields[i].element_bytes, array_of(from, &fields[i]),
			  &fields[i], first, nr);
	}
	*nr_to += nr;
}

static void drop(void *table, const struct array_field *fields, size_t nr_fields, size_t nr)
{
	size_t *nr_rows = table;

	if (!nr)
		return;
	*nr_rows -= nr;
	for (size_t i = 0; i < nr_fields; i++) {
		char *array = array_of(table, &fields[i]);

		if (*nr_rows && array)
			memmove(array, array + nr * fields[i].element_bytes,
				*nr_rows * fields[i].element_bytes);
	}
}

void states_take(struct state_column *to, const struct state_column *from, size_t first, size_t nr)
{
	take(to, from, states_fields, NR(states_fields), first, nr);
}

void states_drop(struct state_column *states, size_t nr)
{
	drop(states, states_fields, NR(states_fields), nr);
}

void spans_take(struct span_column *to, const struct span_column *from, size_t first, size_t nr)
{
	take(to, from, spans_fields, NR(spans_fields), first, nr);
}

void spans_drop(struct span_column *spans, size_t nr)
{
	drop(spans, spans_fields, NR(spans_fields), nr);
}

void marks_take(struct mark_column *to, const struct mark_column *from, size_t first, size_t nr)
{
	take(to, from, marks_fields, NR(marks_fields), first, nr);
}

void marks_drop(struct mark_column *marks, size_t nr)
{
	drop(marks, marks_fields, NR(marks_fields), nr);
}

void slices_take(struct slice_column *to, const struct slice_column *from, size_t first, size_t nr)
{
	take(to, from, slices_fields, NR(slices_fields), first, nr);
}

void slices_drop(struct slice_column *slices, size_t nr)
{
	drop(slices, slices_fields, NR(slices_fields), nr);
}

void gaps_take(struct gap_column *to, const struct gap_column *from, size_t first, size_t nr)
{
	take(to, from, gaps_fields, NR(gaps_fields), first, nr);
}

void migrations_take(struct migration_column *to, const struct migration_column *from, size_t first,
		     size_t nr)
{
	take(to, from, migrations_fields, NR(migrations_fields), first, nr);
}

void migrations_drop(struct migration_column *migrations, size_t nr)
{
	drop(migrations, migrations_fields, NR(migrations_fields), nr);
}

void wakeups_take(struct wakeup_column *to, const struct wakeup_column *from, size_t first,
		  size_t nr)
{
	take(to, from, wakeups_fields, NR(wakeups_fields), first, nr);
}

void wakeups_drop(struct wakeup_column *wakeups, size_t nr)
{
	drop(wakeups, wakeups_fields, NR(wakeups_fields), nr);
}

void samples_take(struct sample_column *to, const struct sample_column *from, size_t first,
		  size_t nr)
{
	take(to, from, samples_fields, NR(samples_fields), first, nr);
}

void samples_drop(struct sample_column *samples, size_t nr)
{
	drop(samples, samples_fields, NR(samples_fields), nr);
}

void pmu_gaps_take(struct pmu_gap_column *to, const struct pmu_gap_column *from, size_t first,
		   size_t nr)
{
	take(to, from, pmu_gaps_fields, NR(pmu_gaps_fields), first, nr);
}

/* @to has at least as many counters. */
static void copy_counts(struct slice_count_column *to, const struct slice_count_column *from,
			size_t first, size_t nr)
{
	uint64_t *row = to->counts + to->nr * to->nr_counters;

	for (size_t i = first; i < first + nr; i++, row += to->nr_counters) {
		memcpy(row, from->counts + i * from->nr_counters, from->nr_counters * sizeof(*row));
		memset(row + from->nr_counters, 0,
		       (to->nr_counters - from->nr_counters) * sizeof(*row));
	}
}

void slice_counts_take(struct slice_count_column *to, const struct slice_count_column *from,
		       size_t first, size_t nr)
{
	size_t capacity = capacity_for(to->nr + nr);

	while (to->nr_counters < from->nr_counters)
		slice_counts_widen(to);
	if (!nr)
		return;
	to->counts = xrealloc_array(to->counts, capacity, to->nr_counters * sizeof(*to->counts));
	copy_counts(to, from, first, nr);
	take(to, from, slice_counts_fields, NR(slice_counts_fields), first, nr);
}

void slice_counts_drop(struct slice_count_column *counts, size_t nr)
{
	drop(counts, slice_counts_fields, NR(slice_counts_fields), nr);
	if (nr && counts->nr)
		memmove(counts->counts, counts->counts + nr * counts->nr_counters,
			counts->nr * counts->nr_counters * sizeof(*counts->counts));
}
