// SPDX-License-Identifier: GPL-2.0
#include "page/tables.h"

#include <string.h>

#include "page/state_edits.h"
#include "page/wakeups.h"

enum table_kind {
	TABLE_SLICES = 1,
	TABLE_GAPS,
	TABLE_STATES,
	TABLE_SPANS,
	TABLE_MARKS,
	TABLE_MIGRATIONS,
	TABLE_WAKEUPS,
	TABLE_SPAN_DRAINS,
	TABLE_MARK_DRAINS,
	TABLE_SAMPLES,
	TABLE_SLICE_COUNTS,
	TABLE_PMU_GAPS,
	TABLE_STATE_EDITS,
	TABLE_LOOSE_STATES,
};

#define MARK_IS_COUNTER 1u
#define MARK_HAS_VALUE 2u

static void put_head(struct block *block, enum table_kind kind, uint64_t owner, size_t nr)
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

/* A column whose values' low bytes come first, then what is above them: these two are not alike. */
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

static void put_slices(struct block *block, int cpu, const struct slice_column *slices)
{
	const uint64_t *start_ns = slices->start_ns, *end_ns = slices->end_ns;
	size_t nr = slices->nr;

	put_head(block, TABLE_SLICES, (uint64_t)cpu, nr);
	PUT_COLUMN(block, nr, zigzag_put, (int64_t)(start_ns[i] - (i ? end_ns[i - 1] : 0)));
	block_cut(block);
	PUT_SPLIT(block, nr, end_ns[i] - start_ns[i]);
	put_ids(block, slices->thread, nr);
	block_cut(block);
	put_bytes(block, slices->end_state, nr);
	block_cut(block);
}

static void put_gaps(struct block *block, int cpu, const struct gap_column *gaps)
{
	put_head(block, TABLE_GAPS, (uint64_t)cpu, gaps->nr);
	put_times(block, gaps->start_ns, gaps->nr);
	put_lengths(block, gaps->start_ns, gaps->end_ns, gaps->nr);
	put_numbers(block, gaps->nr_events, gaps->nr);
	put_bytes(block, gaps->kind, gaps->nr);
}

static void put_states(struct block *block, size_t thread, const struct state_column *told)
{
	put_head(block, TABLE_STATES, thread, told->nr);
	put_times(block, told->start_ns, told->nr);
	put_bytes(block, told->state, told->nr);
	put_cpus(block, told->cpu, told->nr);
}

static void put_state_edits(struct block *block, size_t thread, const struct thread_edits *edits)
{
	put_head(block, TABLE_STATE_EDITS, thread, edits->nr);
	for (size_t i = 0; i < edits->nr; i++)
		block_put_varint(block, edits->edits[i].nr_put_in);
	for (size_t i = 0; i < edits->nr; i++)
		block_put_varint(block, edits->edits[i].nr_left_out);
	for (size_t i = 0; i < edits->nr; i++)
		block_put_varint(block, edits->edits[i].nr_kept);
}

static void put_loose_states(struct block *block, size_t thread, const struct state_column *states)
{
	put_head(block, TABLE_LOOSE_STATES, thread, states->nr);
	put_times(block, states->start_ns, states->nr);
	put_lengths(block, states->start_ns, states->end_ns, states->nr);
	put_bytes(block, states->state, states->nr);
	put_cpus(block, states->cpu, states->nr);
}

static void put_spans(struct block *block, size_t thread, const struct span_column *spans)
{
	put_head(block, TABLE_SPANS, thread, spans->nr);
	put_times(block, spans->start_ns, spans->nr);
	put_lengths(block, spans->start_ns, spans->end_ns, spans->nr);
	put_ids(block, spans->name, spans->nr);
	put_bytes(block, spans->kind, spans->nr);
	put_bytes(block, spans->depth, spans->nr);
	put_bytes(block, spans->flags, spans->nr);
	put_values(block, spans->value, spans->nr);
}

static void put_marks(struct block *block, size_t thread, const struct mark_column *marks)
{
	put_head(block, TABLE_MARKS, thread, marks->nr);
	put_times(block, marks->time_ns, marks->nr);
	put_ids(block, marks->name, marks->nr);
	for (size_t i = 0; i < marks->nr; i++)
		block_put_u8(block, (marks->is_counter[i] ? MARK_IS_COUNTER : 0) |
					    (marks->has_value[i] ? MARK_HAS_VALUE : 0));
	put_values(block, marks->value, marks->nr);
}

/* How long after each row its record was drained; left out where all came at once. */
static void put_drains(struct block *block, enum table_kind kind, size_t thread,
		       const uint64_t *time_ns, const uint64_t *drained_ns, size_t nr)
{
	if (!nr || !memcmp(time_ns, drained_ns, nr * sizeof(*time_ns)))
		return;
	put_head(block, kind, thread, nr);
	put_lengths(block, time_ns, drained_ns, nr);
}

static void put_migrations(struct block *block, const struct migration_column *migrations)
{
	put_head(block, TABLE_MIGRATIONS, 0, migrations->nr);
	put_times(block, migrations->time_ns, migrations->nr);
	put_lengths(block, migrations->left_ns, migrations->time_ns, migrations->nr);
	put_ids(block, migrations->thread, migrations->nr);
	put_cpus(block, migrations->from_cpu, migrations->nr);
	put_cpus(block, migrations->to_cpu, migrations->nr);
}

static void put_wakeups_of(struct block *block, int cpu, const struct coded_wakeups *coded)
{
	size_t first = coded->first[cpu], nr = coded->first[cpu + 1] - first;
	const uint64_t *since_ns = coded->since_ns + first;

	put_head(block, TABLE_WAKEUPS, (uint64_t)cpu, nr);
	put_ids(block, coded->steps + first, nr);
	block_cut(block);
	PUT_SPLIT(block, nr, since_ns[i]);
	put_ids(block, coded->wakers + first, nr);
	block_cut(block);
	put_ids(block, coded->wakees + first, nr);
	block_cut(block);
}

static void put_wakeups(struct block *block, const struct model *window)
{
	struct coded_wakeups coded = wakeups_code(window);

	for (int cpu = 0; cpu < window->nr_cpus; cpu++) {
		if (coded.first[cpu + 1] > coded.first[cpu])
			put_wakeups_of(block, cpu, &coded);
	}
	coded_wakeups_free(&coded);
}

static void put_samples(struct block *block, const struct sample_column *samples)
{
	put_head(block, TABLE_SAMPLES, 0, samples->nr);
	put_times(block, samples->time_ns, samples->nr);
	put_threads(block, samples->thread, samples->nr);
	put_cpus(block, samples->cpu, samples->nr);
	put_bytes(block, samples->event, samples->nr);
	put_bytes(block, samples->has, samples->nr);
	put_numbers(block, samples->period, samples->nr);
	put_numbers(block, samples->ip, samples->nr);
	put_numbers(block, samples->addr, samples->nr);
	put_numbers(block, samples->weight, samples->nr);
}

static void put_slice_counts(struct block *block, const struct slice_count_column *slices)
{
	put_head(block, TABLE_SLICE_COUNTS, slices->nr_counters, slices->nr);
	put_times(block, slices->start_ns, slices->nr);
	put_lengths(block, slices->start_ns, slices->end_ns, slices->nr);
	put_threads(block, slices->thread, slices->nr);
	put_cpus(block, slices->cpu, slices->nr);
	put_ids(block, slices->invalid, slices->nr);
	for (uint32_t counter = 0; counter < slices->nr_counters; counter++)
		for (size_t i = 0; i < slices->nr; i++)
			block_put_varint(block, slices->counts[i * slices->nr_counters + counter]);
}

static void put_pmu_gaps(struct block *block, const struct pmu_gap_column *gaps)
{
	put_head(block, TABLE_PMU_GAPS, 0, gaps->nr);
	put_times(block, gaps->start_ns, gaps->nr);
	put_lengths(block, gaps->start_ns, gaps->end_ns, gaps->nr);
	put_cpus(block, gaps->cpu, gaps->nr);
	put_bytes(block, gaps->event, gaps->nr);
	put_bytes(block, gaps->state, gaps->nr);
}

static void put_annotations(struct block *block, size_t thread, const struct thread *t)
{
	if (t->spans.nr)
		put_spans(block, thread, &t->spans);
	if (t->marks.nr)
		put_marks(block, thread, &t->marks);
	put_drains(block, TABLE_SPAN_DRAINS, thread, t->spans.start_ns, t->spans.drained_ns,
		   t->spans.nr);
	put_drains(block, TABLE_MARK_DRAINS, thread, t->marks.time_ns, t->marks.drained_ns,
		   t->marks.nr);
}

/* Tables that are of no one CPU or thread. */
static void put_whole_tables(struct block *block, const struct model *model)
{
	if (model->samples.nr)
		put_samples(block, &model->samples);
	if (model->slice_counts.nr)
		put_slice_counts(block, &model->slice_counts);
	if (model->migrations.nr)
		put_migrations(block, &model->migrations);
}

static void put_thread(struct block *block, size_t thread, const struct thread_edits *edits)
{
	if (edits->told.nr)
		put_states(block, thread, &edits->told);
	if (edits->nr)
		put_state_edits(block, thread, edits);
}

/* What is packed as columns of numbers comes first. */
void tables_put_window(struct block *block, const struct model *window)
{
	struct thread_edits *found = window->edits ? NULL : state_edits_find(window);
	const struct thread_edits *edits = found ? found : window->edits;

	for (int cpu = 0; cpu < window->nr_cpus; cpu++) {
		if (window->cpus[cpu].slices.nr)
			put_slices(block, cpu, &window->cpus[cpu].slices);
	}
	put_wakeups(block, window);
	for (size_t i = 0; i < window->nr_threads; i++) {
		put_thread(block, i, &edits[i]);
		put_annotations(block, i, &window->threads[i]);
	}
	put_whole_tables(block, window);
	if (found)
		state_edits_free(found, window->nr_threads);
}

void tables_put_rest(struct block *block, const struct model *rest)
{
	for (int cpu = 0; cpu < rest->nr_cpus; cpu++) {
		if (rest->cpus[cpu].slices.nr)
			put_slices(block, cpu, &rest->cpus[cpu].slices);
		if (rest->cpus[cpu].gaps.nr)
			put_gaps(block, cpu, &rest->cpus[cpu].gaps);
	}
	for (size_t i = 0; i < rest->nr_threads; i++) {
		if (rest->threads[i].states.nr)
			put_loose_states(block, i, &rest->threads[i].states);
		put_annotations(block, i, &rest->threads[i]);
	}
	if (rest->pmu_gaps.nr)
		put_pmu_gaps(block, &rest->pmu_gaps);
	put_whole_tables(block, rest);
}
