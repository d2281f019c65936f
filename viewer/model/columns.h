/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adding rows to the model's columns. Columns grow by doubling, so that the capacity follows from
 * the number of rows and needs no field of its own.
 */
#ifndef ANNOT_MODEL_COLUMNS_H
#define ANNOT_MODEL_COLUMNS_H

#include "model/model.h"
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

void states_add(struct state_column *states, uint64_t start_ns, enum thread_state state, int cpu,
		bool migrated);
/* The last row ends at @end_ns; none will be added any more. */
void states_close(struct state_column *states, uint64_t end_ns);
/* Returns the row's index; its end is UINT64_MAX until somebody sets it. */
size_t spans_add(struct span_column *spans, uint64_t start_ns, uint64_t drained_ns,
		 const struct trace_event *begin, size_t depth);
void marks_add(struct mark_column *marks, uint64_t time_ns, uint64_t drained_ns,
	       const struct trace_event *event);
void slices_add(struct slice_column *slices, uint64_t start_ns, uint64_t end_ns, uint32_t thread,
		enum thread_state end_state);
/* Its rows go, its arrays stay: to be filled anew, by slices_add() alone. */
void slices_empty(struct slice_column *slices);
void gaps_add(struct gap_column *gaps, uint64_t start_ns, uint64_t end_ns, uint64_t nr_events,
	      enum gap_kind kind);
void migrations_add(struct migration_column *migrations, uint64_t left_ns, uint64_t time_ns,
		    uint32_t thread, int from_cpu, int to_cpu);
void wakeups_add(struct wakeup_column *wakeups, uint64_t time_ns, uint32_t waker, uint32_t wakee,
		 int cpu);
/* As slices_empty(). */
void wakeups_empty(struct wakeup_column *wakeups);
/* Its registers come with it. */
void samples_add(struct sample_column *samples, uint64_t time_ns, uint32_t thread,
		 uint8_t pmu_event, const struct trace_event *sample);
/* Returns the new row's counts, all of them 0 and invalid. */
uint64_t *slice_counts_add(struct slice_count_column *counts, uint64_t start_ns, uint64_t end_ns,
			   uint32_t thread, int cpu);
/* Rows have one counter more from now on; in those that are there, it is invalid. */
void slice_counts_widen(struct slice_count_column *counts);
void pmu_gaps_add(struct pmu_gap_column *gaps, uint64_t start_ns, uint64_t end_ns, int cpu,
		  uint8_t pmu_event, uint8_t state);
void mappings_add(struct mapping_column *mappings, uint64_t time_ns,
		  const struct trace_event *mapping);

void states_free(struct state_column *states);
void spans_free(struct span_column *spans);
void marks_free(struct mark_column *marks);
void slices_free(struct slice_column *slices);
void gaps_free(struct gap_column *gaps);
void migrations_free(struct migration_column *migrations);
void wakeups_free(struct wakeup_column *wakeups);
void samples_free(struct sample_column *samples);
void slice_counts_free(struct slice_count_column *counts);
void pmu_gaps_free(struct pmu_gap_column *gaps);
void mappings_free(struct mapping_column *mappings);

/* The last row that starts at or before @time_ns, or SIZE_MAX. */
size_t column_find(const uint64_t *start_ns, size_t nr, uint64_t time_ns);

#endif /* ANNOT_MODEL_COLUMNS_H */
