/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Adds rows to tables. Columns double in size up to COLUMN_STEP rows, and then grow by so many, so the capacity
 * follows from the number of rows and is not stored.
 */
#ifndef ANNOT_MODEL_TABLE_ROWS_H
#define ANNOT_MODEL_TABLE_ROWS_H

#include <stdbool.h>

#include "model/tables.h"
#include "trace/trace.h"
#include "util/rare.h"

/* What a spill file is asked for is made at once: not much more than is needed. */
#define COLUMN_STEP ((size_t)65536)

/* How many rows a column has room for that has @nr. */
size_t column_capacity(size_t nr);

/* Whether an array of @nr elements, grown by column_grow(), has no room for one more. */
static inline bool column_is_full(size_t nr)
{
	return !(nr % COLUMN_STEP) || (nr >= 4 && !(nr & (nr - 1)));
}

/* Returns @array with room for more than its @nr elements. */
RARE void *column_grow(void *array, size_t nr, size_t element_bytes);

/* The same of a table's array, which need not be in memory (util/spill/spill.h). */
RARE void *table_grow_array(void *array, size_t nr, size_t element_bytes);

#define GROW(column, field)                                                \
	((column)->field = table_grow_array((column)->field, (column)->nr, \
					    sizeof(*(column)->field)))

void state_table_add(struct state_table *states, uint64_t start_ns, enum thread_state state,
		     int cpu, bool migrated);
/* Ends the last row at @end_ns. No row may be added afterwards. */
void state_table_close(struct state_table *states, uint64_t end_ns);
/* Returns the row's index. Its end is UINT64_MAX until it is set. */
size_t span_table_add(struct span_table *spans, uint64_t start_ns, uint64_t drained_ns,
		      const struct trace_event *begin, size_t depth);
/* Returns the row. */
size_t kernel_slice_table_add(struct kernel_slice_table *slices,
			      const struct kernel_slice_row *row);
/*
 * Removes all rows but @rows, which ascend, and keeps the arrays. After this, only kernel_slice_table_add() may add
 * rows.
 */
void kernel_slice_table_keep(struct kernel_slice_table *slices, const size_t *rows, size_t nr);

void mark_table_add(struct mark_table *marks, uint64_t time_ns, uint64_t drained_ns,
		    const struct trace_event *event);
void slice_table_add(struct slice_table *slices, const struct slice_row *row);
/* Removes all rows and keeps the arrays. After this, only slice_table_add() may add rows. */
void slice_table_empty(struct slice_table *slices);
void gap_table_add(struct gap_table *gaps, uint64_t start_ns, uint64_t end_ns, uint64_t nr_events,
		   enum gap_kind kind);
void interrupt_table_add(struct interrupt_table *interrupts, const struct interrupt_row *row);
void idle_table_add(struct idle_table *idle, const struct idle_row *row);
void frequency_table_add(struct frequency_table *frequencies, const struct frequency_row *row);
void block_io_table_add(struct block_io_table *block_io, const struct block_io_row *row);
void uncore_reading_table_add(struct uncore_reading_table *readings,
			      const struct uncore_reading_row *row);
void timed_sleep_table_add(struct timed_sleep_table *sleeps, const struct timed_sleep_row *row);
void migration_table_add(struct migration_table *migrations, uint64_t left_ns, uint64_t time_ns,
			 uint32_t thread, int from_cpu, int to_cpu);
void message_table_add(struct message_table *messages, const struct message_row *row);
void wakeup_table_add(struct wakeup_table *wakeups, uint64_t time_ns, uint32_t waker,
		      uint32_t wakee, int cpu);
/* Like slice_table_empty(), for wakeup_table_add(). */
void wakeup_table_empty(struct wakeup_table *wakeups);
/* Also adds the registers of @sample. */
void sample_table_add(struct sample_table *samples, uint64_t time_ns, uint32_t thread,
		      uint8_t pmu_event, const struct trace_event *sample);
/* Returns the counts of the new row, all 0 and marked invalid. */
uint64_t *slice_count_table_add(struct slice_count_table *counts, uint64_t start_ns,
				uint64_t end_ns, uint32_t thread, int cpu);
/* Adds a counter to each row; it is invalid in the rows that exist. */
void slice_count_table_widen(struct slice_count_table *counts);
void pmu_gap_table_add(struct pmu_gap_table *gaps, uint64_t start_ns, uint64_t end_ns, int cpu,
		       uint8_t pmu_event, uint8_t state);
/* Of the table's texts. */
void event_table_add(struct event_table *events, const struct event_row *row);
/* All other columns are as of what is not known. */
void cause_table_add(struct cause_table *causes, uint64_t start_ns, uint32_t cause,
		     uint32_t frames);
void stack_point_table_add(struct stack_point_table *points, const struct stack_point_row *row);
void waker_stack_table_add(struct waker_stack_table *stacks, uint64_t time_ns, uint32_t stack);
/* Returns the row. */
uint32_t frame_table_add(struct frame_table *frames, const struct frame_row *row);
/* The span is the row @span of @spans; SIZE_MAX: none. */
void data_object_table_add(struct data_object_table *objects, const struct data_object_row *row);
void note_table_add(struct note_table *notes, uint64_t time_ns, uint32_t thread,
		    const struct trace_event *mark, const struct span_table *spans, size_t span);
void page_reading_table_add(struct page_reading_table *readings,
			    const struct page_reading_row *row);
void mapping_table_add(struct mapping_table *mappings, uint64_t time_ns,
		       const struct trace_event *mapping);

#endif /* ANNOT_MODEL_TABLE_ROWS_H */
