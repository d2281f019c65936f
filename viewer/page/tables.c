// SPDX-License-Identifier: GPL-2.0
#include "page/tables.h"

#include <stdlib.h>
#include <string.h>

#include "page/state_deltas.h"
#include "page/wakeups.h"
#include "util/string_table.h"
#include "util/xalloc.h"

#define MARK_IS_COUNTER 1u
#define MARK_HAS_VALUE 2u

/* What kinds 8 and 9 are written from. */
struct drain_rows {
	size_t nr;
	const uint64_t *start_ns;
	const uint64_t *drained_ns;
};

static void put_head(struct block *block, uint8_t kind, uint64_t owner, size_t nr)
{
	block_put_u8(block, kind);
	block_put_varint(block, owner);
	block_put_varint(block, nr);
}

/* A column: @nr values, row i's is @value, an expression of i. */
#define PUT_COLUMN(block, nr, put, value)                                     \
	do {                                                                  \
		uint8_t *at_ = block_begin((block), (nr)*BLOCK_VARINT_BYTES); \
                                                                              \
		for (size_t i = 0; at_ && i < (nr); i++)                      \
			at_ = put(at_, (value));                              \
		if (at_)                                                      \
			block_end((block), at_);                              \
	} while (0)

static void put_times(struct block *block, const uint64_t *times_ns, size_t nr)
{
	PUT_COLUMN(block, nr, zigzag_put, (int64_t)(times_ns[i] - (i ? times_ns[i - 1] : 0)));
}

static void put_lengths(struct block *block, const uint64_t *from_ns, const uint64_t *to_ns,
			size_t nr)
{
	PUT_COLUMN(block, nr, varint_put, to_ns[i] - from_ns[i]);
}

/*
 * A column with the low bytes of all values first, then the upper parts: they have different
 * statistics.
 */
#define PUT_SPLIT(block, nr, value)                                  \
	do {                                                         \
		uint8_t *low_ = block_begin((block), (nr));          \
                                                                     \
		for (size_t i = 0; low_ && i < (nr); i++)            \
			low_[i] = (uint8_t)(value);                  \
		if (low_)                                            \
			block_end((block), low_ + (nr));             \
		block_cut(block);                                    \
		PUT_COLUMN((block), (nr), varint_put, (value) >> 8); \
		block_cut(block);                                    \
	} while (0)

static void put_numbers(struct block *block, const uint64_t *numbers, size_t nr)
{
	PUT_COLUMN(block, nr, varint_put, numbers[i]);
}

/* 0: none. */
static void put_threads(struct block *block, const uint32_t *threads, size_t nr)
{
	PUT_COLUMN(block, nr, varint_put,
		   threads[i] == MODEL_NO_THREAD ? 0 : (uint64_t)threads[i] + 1);
}

/* Nearly all are small, a byte each: so many at once are put as what they are then. */
#define IDS_AT_ONCE 32

static uint8_t *put_some_ids(uint8_t *at, const uint32_t *ids)
{
	uint32_t all = 0;

	for (int i = 0; i < IDS_AT_ONCE; i++)
		all |= ids[i];
	if (all < 0x80) {
		for (int i = 0; i < IDS_AT_ONCE; i++)
			at[i] = (uint8_t)ids[i];
		return at + IDS_AT_ONCE;
	}
	for (int i = 0; i < IDS_AT_ONCE; i++)
		at = varint_put(at, ids[i]);
	return at;
}

static void put_ids(struct block *block, const uint32_t *ids, size_t nr)
{
	uint8_t *at = block_begin(block, nr * BLOCK_VARINT_BYTES);
	size_t i = 0;

	if (!at)
		return;
	for (; nr - i >= IDS_AT_ONCE; i += IDS_AT_ONCE)
		at = put_some_ids(at, ids + i);
	for (; i < nr; i++)
		at = varint_put(at, ids[i]);
	block_end(block, at);
}

static void put_bytes(struct block *block, const uint8_t *bytes, size_t nr)
{
	uint8_t *at = block_begin(block, nr);

	if (!at)
		return;
	memcpy(at, bytes, nr);
	block_end(block, at + nr);
}

static void put_cpus(struct block *block, const int16_t *cpus, size_t nr)
{
	PUT_COLUMN(block, nr, zigzag_put, cpus[i]);
}

static void put_values(struct block *block, const int64_t *values, size_t nr)
{
	PUT_COLUMN(block, nr, zigzag_put, values[i]);
}

static void put_idle(struct block *block, const uint64_t *start_ns, const uint64_t *end_ns,
		     size_t nr)
{
	PUT_COLUMN(block, nr, zigzag_put, (int64_t)(start_ns[i] - (i ? end_ns[i - 1] : 0)));
}

static void put_busy(struct block *block, const uint64_t *start_ns, const uint64_t *end_ns,
		     size_t nr)
{
	PUT_SPLIT(block, nr, end_ns[i] - start_ns[i]);
}

static void put_split(struct block *block, const uint64_t *numbers, size_t nr)
{
	PUT_SPLIT(block, nr, numbers[i]);
}

static void put_flags(struct block *block, const struct mark_table *marks)
{
	for (size_t i = 0; i < marks->nr; i++)
		block_put_u8(block, (marks->is_counter[i] ? MARK_IS_COUNTER : 0) |
					    (marks->has_value[i] ? MARK_HAS_VALUE : 0));
}

/* Nearly all are 0 where threads keep what they have. */
static void put_steady(struct block *block, const uint8_t *values, const uint32_t *threads,
		       size_t nr)
{
	uint8_t *at = block_begin(block, nr), *before;
	size_t nr_threads = 0;

	if (!at)
		return;
	for (size_t i = 0; i < nr; i++)
		nr_threads = threads[i] < nr_threads ? nr_threads : (size_t)threads[i] + 1;
	before = xcalloc(nr_threads, sizeof(*before));
	for (size_t i = 0; i < nr; i++) {
		*at++ = (uint8_t)(values[i] - before[threads[i]]);
		before[threads[i]] = values[i];
	}
	free(before);
	block_end(block, at);
}

/* The place of each text among those of the table, in the order in which they come: first_row[place] has it first. */
static size_t put_text_places(struct block *block, const struct event_table *table,
			      size_t *first_row)
{
	uint32_t *place = xcalloc(string_table_count(table->texts), sizeof(*place));
	size_t nr = 0;

	for (size_t i = 0; i < table->nr; i++) {
		uint32_t *own = &place[table->text[i]];

		if (!*own) {
			first_row[nr] = i;
			*own = (uint32_t)++nr;
		}
		block_put_varint(block, *own - 1);
	}
	free(place);
	return nr;
}

static void put_texts(struct block *block, const struct event_table *table)
{
	size_t *first_row = xcalloc(table->nr + 1, sizeof(*first_row));
	size_t nr = put_text_places(block, table, first_row);

	for (size_t i = 0; i < nr; i++)
		block_put_varint(block,
				 strlen(string_table_get(table->texts, table->text[first_row[i]])));
	for (size_t i = 0; i < nr; i++) {
		const char *text = string_table_get(table->texts, table->text[first_row[i]]);

		put_bytes(block, (const uint8_t *)text, strlen(text));
	}
	free(first_row);
}

static void put_counts(struct block *block, const struct slice_count_table *table)
{
	for (uint32_t counter = 0; counter < table->nr_counters; counter++)
		for (size_t i = 0; i < table->nr; i++)
			block_put_varint(block, table->counts[i * table->nr_counters + counter]);
}

/* How the column @field of table @t is written: one of these for each ENCODING() of tables.def. */
#define PUT_none(block, t, field)
#define PUT_u8(block, t, field) put_bytes(block, (t)->field, (t)->nr)
#define PUT_id(block, t, field) put_ids(block, (t)->field, (t)->nr)
#define PUT_thread(block, t, field) put_threads(block, (t)->field, (t)->nr)
#define PUT_count(block, t, field) put_numbers(block, (t)->field, (t)->nr)
#define PUT_address(block, t, field) put_numbers(block, (t)->field, (t)->nr)
#define PUT_cpu(block, t, field) put_cpus(block, (t)->field, (t)->nr)
#define PUT_value(block, t, field) put_values(block, (t)->field, (t)->nr)
#define PUT_time(block, t, field) put_times(block, (t)->field, (t)->nr)
#define PUT_length(block, t, field) put_lengths(block, (t)->start_ns, (t)->field, (t)->nr)
#define PUT_lag(block, t, field) put_lengths(block, (t)->start_ns, (t)->field, (t)->nr)
#define PUT_waited(block, t, field) put_lengths(block, (t)->field, (t)->time_ns, (t)->nr)
#define PUT_idle(block, t, field) put_idle(block, (t)->field, (t)->end_ns, (t)->nr)
#define PUT_busy(block, t, field) put_busy(block, (t)->start_ns, (t)->field, (t)->nr)
#define PUT_split(block, t, field) put_split(block, (t)->field, (t)->nr)
#define PUT_flags(block, t, field) put_flags(block, t)
#define PUT_edit(block, t, field) PUT_COLUMN(block, (t)->nr, varint_put, (t)->edits[i].field)
#define PUT_steady(block, t, field) put_steady(block, (t)->field, (t)->thread, (t)->nr)
#define PUT_text(block, t, field) put_texts(block, t)
#define PUT_counts(block, t, field) put_counts(block, t)

/* Whether each column is packed on its own. */
#define CUTS_columns true
#define CUTS_table false

#define PUT(encoding, field)                         \
	do {                                         \
		PUT_##encoding(block, table, field); \
		if (cuts)                            \
			block_cut(block);            \
	} while (0);

#define PUT_BEGIN(name, source, number, packing)                           \
	static inline void put_##name(struct block *block, uint64_t owner, \
				      const struct source *table)          \
	{                                                                  \
		const bool cuts = CUTS_##packing;                          \
                                                                           \
		put_head(block, number, owner, table->nr);

/* put_state_table() ... write the tables of the model, put_state_edits() ... those of the page. */
#define TABLE(name, kind, number, js, owner_is, packing, ...) \
	PUT_BEGIN(name##_table, name##_table, number, packing)
#define COLUMN(name, field, type, what, encoding, ...) PUT(encoding, field)
#define WIDE_COLUMN(name, field, type, width, encoding, ...) PUT(encoding, field)
#define TABLE_END(name) }
#define PAGE_TABLE(name, source, kind, number, js, owner_is, packing, ...) \
	PUT_BEGIN(name, source, number, packing)
#define PAGE_COLUMN(field, encoding, ...) PUT(encoding, field)
#define PAGE_TABLE_END() }
#include "model/tables.def"

/* Left out where all came at once. */
static bool has_drains(const struct drain_rows *rows)
{
	return rows->nr && memcmp(rows->start_ns, rows->drained_ns, rows->nr * sizeof(uint64_t));
}

static void put_wakeups(struct block *block, const struct model *window)
{
	struct coded_wakeups coded = wakeups_code(window);

	for (int cpu = 0; cpu < window->nr_cpus; cpu++) {
		struct wakeup_codes own = coded_wakeups_of(&coded, cpu);

		if (own.nr)
			put_wakeup_codes(block, (uint64_t)cpu, &own);
	}
	coded_wakeups_free(&coded);
}

static void put_annotations(struct block *block, size_t thread, const struct thread *t)
{
	const struct drain_rows spans = { t->spans.nr, t->spans.start_ns, t->spans.drained_ns };
	const struct drain_rows marks = { t->marks.nr, t->marks.time_ns, t->marks.drained_ns };

	if (t->spans.nr)
		put_span_table(block, thread, &t->spans);
	if (t->kernel_slices.nr)
		put_kernel_slice_table(block, thread, &t->kernel_slices);
	if (t->marks.nr)
		put_mark_table(block, thread, &t->marks);
	if (t->causes.nr)
		put_cause_table(block, thread, &t->causes);
	if (t->stack_points.nr)
		put_stack_point_table(block, thread, &t->stack_points);
	if (t->waker_stacks.nr)
		put_waker_stack_table(block, thread, &t->waker_stacks);
	if (has_drains(&spans))
		put_span_drains(block, thread, &spans);
	if (has_drains(&marks))
		put_mark_drains(block, thread, &marks);
}

/* Tables that are of no one CPU or thread. */
static void put_whole_tables(struct block *block, const struct model *model)
{
	if (model->samples.nr)
		put_sample_table(block, 0, &model->samples);
	if (model->slice_counts.nr)
		put_slice_count_table(block, model->slice_counts.nr_counters, &model->slice_counts);
	if (model->events.nr)
		put_event_table(block, 0, &model->events);
	if (model->migrations.nr)
		put_migration_table(block, 0, &model->migrations);
	if (model->block_io.nr)
		put_block_io_table(block, 0, &model->block_io);
	if (model->uncore_readings.nr)
		put_uncore_reading_table(block, 0, &model->uncore_readings);
}

static void put_interrupts(struct block *block, const struct model *model)
{
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		if (model->cpus[cpu].interrupts.nr)
			put_interrupt_table(block, (uint64_t)cpu, &model->cpus[cpu].interrupts);
	}
}

static void put_power(struct block *block, const struct model *model)
{
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		if (model->cpus[cpu].idle.nr)
			put_idle_table(block, (uint64_t)cpu, &model->cpus[cpu].idle);
		if (model->cpus[cpu].frequencies.nr)
			put_frequency_table(block, (uint64_t)cpu, &model->cpus[cpu].frequencies);
	}
}

static void put_thread(struct block *block, size_t thread, const struct state_delta *delta)
{
	if (delta->rows.nr)
		put_state_table(block, thread, &delta->rows);
	if (delta->nr)
		put_state_edits(block, thread, delta);
}

/* Tables that are packed as columns of numbers come first. */
void tables_put_window(struct block *block, const struct model *window)
{
	struct state_delta *found = window->state_deltas ? NULL : state_deltas_find(window);
	const struct state_delta *deltas = found ? found : window->state_deltas;

	for (int cpu = 0; cpu < window->nr_cpus; cpu++) {
		if (window->cpus[cpu].slices.nr)
			put_slice_table(block, (uint64_t)cpu, &window->cpus[cpu].slices);
	}
	put_wakeups(block, window);
	put_interrupts(block, window);
	put_power(block, window);
	for (size_t i = 0; i < window->nr_threads; i++) {
		put_thread(block, i, &deltas[i]);
		put_annotations(block, i, &window->threads[i]);
	}
	put_whole_tables(block, window);
	if (found)
		state_deltas_free(found, window->nr_threads);
}

void tables_put_rest(struct block *block, const struct model *rest)
{
	for (int cpu = 0; cpu < rest->nr_cpus; cpu++) {
		if (rest->cpus[cpu].slices.nr)
			put_slice_table(block, (uint64_t)cpu, &rest->cpus[cpu].slices);
		if (rest->cpus[cpu].gaps.nr)
			put_gap_table(block, (uint64_t)cpu, &rest->cpus[cpu].gaps);
	}
	put_interrupts(block, rest);
	put_power(block, rest);
	for (size_t i = 0; i < rest->nr_threads; i++) {
		if (rest->threads[i].states.nr)
			put_crossing_states(block, i, &rest->threads[i].states);
		put_annotations(block, i, &rest->threads[i]);
	}
	/* Row 0 is always there. */
	if (rest->frames.nr > 1)
		put_frame_table(block, 0, &rest->frames);
	if (rest->pmu_gaps.nr)
		put_pmu_gap_table(block, 0, &rest->pmu_gaps);
	put_whole_tables(block, rest);
}

void tables_put_messages(struct block *block, const struct message_table *messages)
{
	if (messages->nr)
		put_message_table(block, 0, messages);
}
