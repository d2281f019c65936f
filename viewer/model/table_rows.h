/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adding rows to tables. Columns grow by doubling, so that the capacity follows from the number of
 * rows and needs no field of its own.
 */
#ifndef ANNOT_MODEL_TABLE_ROWS_H
#define ANNOT_MODEL_TABLE_ROWS_H

#include <stdbool.h>

#include "model/tables.h"
#include "trace/trace.h"
#include "util/rare.h"

/* Whether an array of @nr elements, grown by column_grow(), has no room for one more. */
static inline bool column_is_full(size_t nr)
{
	return nr == 0 || (nr >= 4 && !(nr & (nr - 1)));
}

/* @array with room for more than its @nr elements. */
RARE void *column_grow(void *array, size_t nr, size_t element_bytes);

#define GROW(column, field) \
	((column)->field = column_grow((column)->field, (column)->nr, sizeof(*(column)->field)))

void state_table_add(struct state_table *states, uint64_t start_ns, enum thread_state state,
		     int cpu, bool migrated);
/* The last row ends at @end_ns; none will be added any more. */
void state_table_close(struct state_table *states, uint64_t end_ns);
/* Returns the row's index; its end is UINT64_MAX until somebody sets it. */
size_t span_table_add(struct span_table *spans, uint64_t start_ns, uint64_t drained_ns,
		      const struct trace_event *begin, size_t depth);
void mark_table_add(struct mark_table *marks, uint64_t time_ns, uint64_t drained_ns,
		    const struct trace_event *event);
void slice_table_add(struct slice_table *slices, const struct slice_row *row);
/* Its rows go, its arrays stay: to be filled anew, by slice_table_add() alone. */
void slice_table_empty(struct slice_table *slices);
void gap_table_add(struct gap_table *gaps, uint64_t start_ns, uint64_t end_ns, uint64_t nr_events,
		   enum gap_kind kind);
void migration_table_add(struct migration_table *migrations, uint64_t left_ns, uint64_t time_ns,
			 uint32_t thread, int from_cpu, int to_cpu);
void wakeup_table_add(struct wakeup_table *wakeups, uint64_t time_ns, uint32_t waker,
		      uint32_t wakee, int cpu);
/* As slice_table_empty(). */
void wakeup_table_empty(struct wakeup_table *wakeups);
/* Its registers come with it. */
void sample_table_add(struct sample_table *samples, uint64_t time_ns, uint32_t thread,
		      uint8_t pmu_event, const struct trace_event *sample);
/* Returns the new row's counts, all of them 0 and invalid. */
uint64_t *slice_count_table_add(struct slice_count_table *counts, uint64_t start_ns,
				uint64_t end_ns, uint32_t thread, int cpu);
/* Rows have one counter more from now on; in those that are there, it is invalid. */
void slice_count_table_widen(struct slice_count_table *counts);
void pmu_gap_table_add(struct pmu_gap_table *gaps, uint64_t start_ns, uint64_t end_ns, int cpu,
		       uint8_t pmu_event, uint8_t state);
void mapping_table_add(struct mapping_table *mappings, uint64_t time_ns,
		       const struct trace_event *mapping);

#endif /* ANNOT_MODEL_TABLE_ROWS_H */
