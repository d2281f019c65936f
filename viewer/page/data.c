// SPDX-License-Identifier: GPL-2.0
#include "page/data.h"

#include <string.h>

#include "page/block.h"
#include "page/state_edits.h"
#include "util/json.h"

/* A block is closed once it is larger than this; a table is never split. */
#define BLOCK_BYTES (4u << 20)

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
};

#define MARK_IS_COUNTER 1u
#define MARK_HAS_VALUE 2u

static void put_head(struct block *block, enum table_kind kind, uint64_t owner, size_t nr)
{
	block_put_u8(block, kind);
	block_put_varint(block, owner);
	block_put_varint(block, nr);
}

static void put_times(struct block *block, const uint64_t *times_ns, size_t nr)
{
	uint64_t before_ns = 0;

	for (size_t i = 0; i < nr; i++) {
		block_put_zigzag(block, (int64_t)(times_ns[i] - before_ns));
		before_ns = times_ns[i];
	}
}

static void put_lengths(struct block *block, const uint64_t *from_ns, const uint64_t *to_ns,
			size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_put_varint(block, to_ns[i] - from_ns[i]);
}

static void put_numbers(struct block *block, const uint64_t *numbers, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_put_varint(block, numbers[i]);
}

/* 0: none. */
static void put_threads(struct block *block, const uint32_t *threads, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_put_varint(block,
				 threads[i] == MODEL_NO_THREAD ? 0 : (uint64_t)threads[i] + 1);
}

static void put_ids(struct block *block, const uint32_t *ids, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_put_varint(block, ids[i]);
}

static void put_bytes(struct block *block, const uint8_t *bytes, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_put_u8(block, bytes[i]);
}

static void put_cpus(struct block *block, const int16_t *cpus, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_put_zigzag(block, cpus[i]);
}

static void put_values(struct block *block, const int64_t *values, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		block_put_zigzag(block, values[i]);
}

static void put_slices(struct block *block, int cpu, const struct slice_column *slices)
{
	uint64_t before_ns = 0;

	put_head(block, TABLE_SLICES, (uint64_t)cpu, slices->nr);
	for (size_t i = 0; i < slices->nr; i++) {
		block_put_zigzag(block, (int64_t)(slices->start_ns[i] - before_ns));
		before_ns = slices->end_ns[i];
	}
	put_lengths(block, slices->start_ns, slices->end_ns, slices->nr);
	put_ids(block, slices->thread, slices->nr);
	put_bytes(block, slices->end_state, slices->nr);
}

static void put_gaps(struct block *block, int cpu, const struct gap_column *gaps)
{
	put_head(block, TABLE_GAPS, (uint64_t)cpu, gaps->nr);
	put_times(block, gaps->start_ns, gaps->nr);
	put_lengths(block, gaps->start_ns, gaps->end_ns, gaps->nr);
	put_numbers(block, gaps->nr_events, gaps->nr);
}

/* The rows that are not implied. */
static void put_states(struct block *block, size_t thread, const struct state_column *states,
		       const struct thread_edits *edits)
{
	uint64_t before_ns = 0;

	put_head(block, TABLE_STATES, thread, edits->nr_rows);
	for (size_t i = 0; i < edits->nr_rows; i++) {
		block_put_zigzag(block, (int64_t)(states->start_ns[edits->rows[i]] - before_ns));
		before_ns = states->start_ns[edits->rows[i]];
	}
	for (size_t i = 0; i < edits->nr_rows; i++)
		block_put_u8(block, states->state[edits->rows[i]]);
	for (size_t i = 0; i < edits->nr_rows; i++)
		block_put_zigzag(block, states->cpu[edits->rows[i]]);
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

static void put_wakeups(struct block *block, const struct wakeup_column *wakeups)
{
	put_head(block, TABLE_WAKEUPS, 0, wakeups->nr);
	put_times(block, wakeups->time_ns, wakeups->nr);
	put_threads(block, wakeups->waker, wakeups->nr);
	put_ids(block, wakeups->wakee, wakeups->nr);
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

static int write_if_full(struct block *block, FILE *out)
{
	return block->nr_bytes < BLOCK_BYTES ? 0 : block_write(block, out);
}

static int write_cpu(struct block *block, const struct model *model, int cpu, FILE *out)
{
	const struct cpu *c = &model->cpus[cpu];

	if (c->slices.nr)
		put_slices(block, cpu, &c->slices);
	if (c->gaps.nr)
		put_gaps(block, cpu, &c->gaps);
	return write_if_full(block, out);
}

static int write_thread(struct block *block, const struct model *model, size_t thread,
			const struct thread_edits *edits, FILE *out)
{
	const struct thread *t = &model->threads[thread];

	if (edits->nr_rows)
		put_states(block, thread, &t->states, edits);
	if (edits->nr)
		put_state_edits(block, thread, edits);
	if (t->spans.nr)
		put_spans(block, thread, &t->spans);
	if (t->marks.nr)
		put_marks(block, thread, &t->marks);
	put_drains(block, TABLE_SPAN_DRAINS, thread, t->spans.start_ns, t->spans.drained_ns,
		   t->spans.nr);
	put_drains(block, TABLE_MARK_DRAINS, thread, t->marks.time_ns, t->marks.drained_ns,
		   t->marks.nr);
	return write_if_full(block, out);
}

static int write_pmu(struct block *block, const struct model *model, FILE *out)
{
	if (model->samples.nr)
		put_samples(block, &model->samples);
	if (model->slice_counts.nr)
		put_slice_counts(block, &model->slice_counts);
	if (model->pmu_gaps.nr)
		put_pmu_gaps(block, &model->pmu_gaps);
	return write_if_full(block, out);
}

static int write_blocks(const struct model *model, FILE *out)
{
	struct thread_edits *edits = state_edits_find(model);
	struct block block = { 0 };
	int status = 0;

	for (int cpu = 0; cpu < model->nr_cpus && !status; cpu++)
		status = write_cpu(&block, model, cpu, out);
	for (size_t thread = 0; thread < model->nr_threads && !status; thread++)
		status = write_thread(&block, model, thread, &edits[thread], out);
	if (!status)
		status = write_pmu(&block, model, out);
	if (model->migrations.nr)
		put_migrations(&block, &model->migrations);
	if (model->wakeups.nr)
		put_wakeups(&block, &model->wakeups);
	if (!status)
		status = block_write(&block, out);
	block_free(&block);
	state_edits_free(edits, model->nr_threads);
	return status;
}

static void write_trace(struct json *json, const struct model *model)
{
	const struct trace_info *info = trace_info(model->trace);
	char start_ns[24];

	snprintf(start_ns, sizeof(start_ns), "%llu", (unsigned long long)model->start_ns);
	json_key(json, "trace");
	json_begin_object(json);
	json_key(json, "file");
	json_string(json, info->path);
	json_key(json, "clock");
	json_string(json, info->clock);
	json_key(json, "start_ns");
	json_string(json, start_ns);
	json_key(json, "duration_ns");
	json_u64(json, model->duration_ns);
	json_key(json, "cpus");
	json_i64(json, model->nr_cpus);
	json_key(json, "events");
	json_u64(json, info->nr_events);
	json_key(json, "lost_events");
	json_u64(json, info->nr_lost_events);
	json_key(json, "lost_gaps");
	json_u64(json, info->nr_lost_gaps);
	json_key(json, "lost_annotations");
	json_u64(json, info->annotations.nr_lost);
	json_key(json, "altered_annotations");
	json_u64(json, info->annotations.nr_altered);
	json_key(json, "truncated");
	json_bool(json, info->truncated);
	json_key(json, "config");
	json_string(json, trace_string(model->trace, model->config_text));
	json_end_object(json);
}

static void write_strings(struct json *json, const struct trace *trace)
{
	uint32_t nr = trace_nr_strings(trace);

	json_key(json, "strings");
	json_begin_array(json);
	for (uint32_t id = 0; id < nr; id++)
		json_string(json, trace_string(trace, id));
	json_end_array(json);
}

static void write_pmu_event(struct json *json, const struct model *model,
			    const struct pmu_event *event)
{
	json_begin_object(json);
	json_key(json, "name");
	json_string(json, trace_string(model->trace, event->name));
	json_key(json, "counted");
	json_bool(json, event->is_counted);
	json_key(json, "user");
	json_bool(json, event->user);
	json_key(json, "kernel");
	json_bool(json, event->kernel);
	json_key(json, "asked");
	json_i64(json, event->precise_asked);
	json_key(json, "precise");
	json_i64(json, event->precise);
	json_key(json, "period");
	json_u64(json, event->period);
	json_key(json, "error");
	json_i64(json, event->error);
	json_key(json, "lost");
	json_u64(json, event->nr_lost);
	json_key(json, "counter");
	json_u64(json, event->counter);
	json_end_object(json);
}

static void write_pmu_events(struct json *json, const struct model *model)
{
	json_key(json, "pmu");
	json_begin_array(json);
	for (size_t i = 0; i < model->nr_pmu_events; i++)
		write_pmu_event(json, model, &model->pmu_events[i]);
	json_end_array(json);
}

enum thread_field {
	FIELD_TID,
	FIELD_TGID,
	FIELD_COMM,
	FIELD_PARENT,
	FIELD_SESSION,
	FIELD_UNMATCHED
};

static int64_t thread_field(const struct thread *thread, enum thread_field field)
{
	switch (field) {
	case FIELD_TID:
		return thread->tid;
	case FIELD_TGID:
		return thread->tgid;
	case FIELD_COMM:
		return thread->comm;
	case FIELD_PARENT:
		return thread->parent == MODEL_NO_THREAD ? -1 : (int64_t)thread->parent;
	case FIELD_SESSION:
		return thread->in_session;
	case FIELD_UNMATCHED:
		return (int64_t)thread->nr_unmatched_ends;
	}
	return 0;
}

static void write_threads(struct json *json, const struct model *model)
{
	static const char *const keys[] = {
		"tid", "tgid", "comm", "parent", "session", "unmatched"
	};

	json_key(json, "threads");
	json_begin_object(json);
	for (int field = FIELD_TID; field <= FIELD_UNMATCHED; field++) {
		json_key(json, keys[field]);
		json_begin_array(json);
		for (size_t i = 0; i < model->nr_threads; i++)
			json_i64(json, thread_field(&model->threads[i], field));
		json_end_array(json);
	}
	json_end_object(json);
}

static void write_head(const struct model *model, const char *title, FILE *out)
{
	struct json json;

	fputs("<script type=\"application/json\" id=\"annot-head\">", out);
	json_init(&json, out, JSON_COMPACT);
	json_begin_object(&json);
	json_key(&json, "format");
	json_i64(&json, PAGE_FORMAT_VERSION);
	json_key(&json, "version");
	json_string(&json, ANNOT_VERSION);
	json_key(&json, "title");
	json_string(&json, title);
	write_trace(&json, model);
	write_strings(&json, model->trace);
	write_threads(&json, model);
	json_key(&json, "cpus");
	json_begin_array(&json);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		json_i64(&json, model->cpus[cpu].seen);
	json_end_array(&json);
	write_pmu_events(&json, model);
	json_end_object(&json);
	fputs("</script>\n", out);
}

int page_data_write(const struct model *model, const char *title, FILE *out)
{
	write_head(model, title, out);
	return write_blocks(model, out);
}
