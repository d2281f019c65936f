// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "convert/csv.h"
#include "convert/flows.h"
#include "model/kernel/kernel_slices.h"
#include "uapi/annot.h"
#include "util/text/csv.h"

#define NUMBER_BYTES 24
#define NOT_TOLD (-1)

/* A line; what is 0, NULL or NOT_TOLD is left empty. */
struct row {
	const char *kind;
	uint64_t start_ns;
	uint64_t end_ns;
	bool has_no_end;
	int cpu;
	uint32_t thread; /* MODEL_NO_THREAD: none */
	const char *name;
	char value[NUMBER_BYTES];
	const char *state;
	int depth;
	int other_cpu;
	uint32_t other_thread;
	char ip[NUMBER_BYTES];
	char addr[NUMBER_BYTES];
	char weight[NUMBER_BYTES];
	const char *text;
};

static struct row row_new(const char *kind, uint64_t start_ns, uint64_t end_ns)
{
	return (struct row){ .kind = kind,
			     .start_ns = start_ns,
			     .end_ns = end_ns,
			     .cpu = NOT_TOLD,
			     .thread = MODEL_NO_THREAD,
			     .depth = NOT_TOLD,
			     .other_cpu = NOT_TOLD,
			     .other_thread = MODEL_NO_THREAD };
}

static void set_unsigned(char field[NUMBER_BYTES], uint64_t value)
{
	snprintf(field, NUMBER_BYTES, "%" PRIu64, value);
}

static void set_signed(char field[NUMBER_BYTES], int64_t value)
{
	snprintf(field, NUMBER_BYTES, "%" PRId64, value);
}

static void set_address(char field[NUMBER_BYTES], uint64_t value)
{
	snprintf(field, NUMBER_BYTES, "0x%" PRIx64, value);
}

static void write_text(const char *text, FILE *out)
{
	fputc(',', out);
	if (text)
		csv_field_utf8(text, out);
}

static void write_known(int number, FILE *out)
{
	fputc(',', out);
	if (number != NOT_TOLD)
		fprintf(out, "%d", number);
}

static void write_thread(const struct model *model, uint32_t at, FILE *out)
{
	const struct thread *thread;

	if (at == MODEL_NO_THREAD) {
		fputs(",,,,", out);
		return;
	}
	thread = &model->threads[at];
	fprintf(out, ",%" PRId32 ",", thread->tid);
	if (thread->tgid)
		fprintf(out, "%" PRId32, thread->tgid);
	write_text(trace_string(model->trace, thread->comm), out);
	fprintf(out, ",%d", thread->in_session);
}

static void write_row(const struct model *model, const struct row *row, FILE *out)
{
	fprintf(out, "%s,%" PRIu64 ",", row->kind, row->start_ns);
	if (!row->has_no_end)
		fprintf(out, "%" PRIu64, row->end_ns);
	write_known(row->cpu, out);
	write_thread(model, row->thread, out);
	write_text(row->name, out);
	write_text(row->value, out);
	write_text(row->state, out);
	write_known(row->depth, out);
	write_known(row->other_cpu, out);
	write_known(row->other_thread == MODEL_NO_THREAD ? NOT_TOLD :
							   model->threads[row->other_thread].tid,
		    out);
	write_text(row->ip, out);
	write_text(row->addr, out);
	write_text(row->weight, out);
	write_text(row->text, out);
	fputs("\r\n", out);
}

/* What holds for the trace as a whole. */
static void write_trace(const struct model *model, FILE *out)
{
	const struct trace_info *info = trace_info(model->trace);
	struct row row = row_new("trace", 0, model->duration_ns);

	row.name = info->path;
	row.state = info->clock;
	set_unsigned(row.value, model->start_ns);
	write_row(model, &row, out);
	if (!info->annotations.nr_lost)
		return;
	row = row_new("lost_annotations", 0, model->duration_ns);
	set_unsigned(row.value, info->annotations.nr_lost);
	write_row(model, &row, out);
}

static void write_cpu(const struct model *model, int cpu, FILE *out)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;
	const struct gap_table *gaps = &model->cpus[cpu].gaps;
	struct row row;

	for (size_t i = 0; i < slices->nr; i++) {
		row = row_new("slice", slices->start_ns[i], slices->end_ns[i]);
		row.cpu = cpu;
		row.thread = slices->thread[i];
		row.state = thread_state_name(slices->end_state[i]);
		write_row(model, &row, out);
	}
	for (size_t i = 0; i < gaps->nr; i++) {
		row = row_new(gaps->kind[i] == GAP_LOST ? "lost" : "missing", gaps->start_ns[i],
			      gaps->end_ns[i]);
		row.cpu = cpu;
		if (gaps->nr_events[i])
			set_unsigned(row.value, gaps->nr_events[i]);
		write_row(model, &row, out);
	}
}

static void write_states(const struct model *model, uint32_t thread, FILE *out)
{
	const struct state_table *states = &model->threads[thread].states;

	for (size_t i = 0; i < states->nr; i++) {
		struct row row = row_new("state", states->start_ns[i],
					 i + 1 < states->nr ? states->start_ns[i + 1] :
							      model->duration_ns);

		row.cpu = states->cpu[i];
		row.thread = thread;
		row.state = thread_state_name(states->state[i]);
		write_row(model, &row, out);
	}
}

static void write_spans(const struct model *model, uint32_t thread, FILE *out)
{
	const struct span_table *spans = &model->threads[thread].spans;

	for (size_t i = 0; i < spans->nr; i++) {
		bool is_open = spans->flags[i] & SPAN_OPEN_END;
		struct row row = row_new("span", spans->start_ns[i], spans->end_ns[i]);

		row.thread = thread;
		row.name = trace_string(model->trace, spans->name[i]);
		if (spans->flags[i] & SPAN_HAS_VALUE)
			set_signed(row.value, spans->value[i]);
		if (spans->kind[i] == TRACE_SPAN_WAIT)
			row.state = is_open ? "wait, no end" : "wait";
		else
			row.state = is_open ? "work, no end" : "work";
		row.depth = spans->depth[i];
		write_row(model, &row, out);
	}
}

static void write_marks(const struct model *model, uint32_t thread, FILE *out)
{
	const struct mark_table *marks = &model->threads[thread].marks;

	for (size_t i = 0; i < marks->nr; i++) {
		struct row row = row_new(marks->is_counter[i] ? "counter" : "mark",
					 marks->time_ns[i], marks->time_ns[i]);

		row.thread = thread;
		row.name = trace_string(model->trace, marks->name[i]);
		if (marks->has_value[i] || marks->is_counter[i])
			set_signed(row.value, marks->value[i]);
		write_row(model, &row, out);
	}
}

static bool value_is_address(uint8_t kind)
{
	return kind == TRACE_KERNEL_LOCK || kind == TRACE_KERNEL_FAULT;
}

static const char *open_ends(uint8_t flags)
{
	static const char *const words[] = { NULL, "no end", "no begin", "no begin, no end" };

	return words[(flags & KERNEL_OPEN_END ? 1 : 0) + (flags & KERNEL_OPEN_BEGIN ? 2 : 0)];
}

static void write_kernel_slices(const struct model *model, uint32_t thread, FILE *out)
{
	const struct kernel_slice_table *slices = &model->threads[thread].kernel_slices;

	for (size_t i = 0; i < slices->nr; i++) {
		struct row row = row_new(kernel_kind_name(slices->kind[i]), slices->start_ns[i],
					 slices->end_ns[i]);

		row.thread = thread;
		row.name = trace_string(model->trace, slices->name[i]);
		row.text = trace_string(model->trace, slices->text[i]);
		row.depth = slices->depth[i];
		row.state = open_ends(slices->flags[i]);
		if (slices->flags[i] & KERNEL_HAS_VALUE && value_is_address(slices->kind[i]))
			set_address(row.addr, (uint64_t)slices->value[i]);
		else if (slices->flags[i] & KERNEL_HAS_VALUE)
			set_signed(row.value, slices->value[i]);
		write_row(model, &row, out);
	}
}

/* Each lasts until the thread ran. */
static void write_wakeups(const struct model *model, FILE *out)
{
	const struct wakeup_table *wakeups = &model->wakeups;

	for (size_t i = 0; i < wakeups->nr; i++) {
		struct flow_target ran = flow_find_target(model, i);
		struct row row = row_new("wakeup", wakeups->time_ns[i], 0);

		row.has_no_end = ran.slice == FLOW_NO_SLICE;
		if (!row.has_no_end) {
			row.cpu = ran.cpu;
			row.end_ns = model->cpus[ran.cpu].slices.start_ns[ran.slice];
		}
		row.thread = wakeups->wakee[i];
		row.other_thread = wakeups->waker[i];
		write_row(model, &row, out);
	}
}

static void write_migrations(const struct model *model, FILE *out)
{
	const struct migration_table *migrations = &model->migrations;

	for (size_t i = 0; i < migrations->nr; i++) {
		struct row row = row_new("migration", migrations->left_ns[i],
					 migrations->time_ns[i]);

		row.cpu = migrations->to_cpu[i];
		row.other_cpu = migrations->from_cpu[i];
		row.thread = migrations->thread[i];
		write_row(model, &row, out);
	}
}

static const char *event_name(const struct model *model, size_t event)
{
	return trace_string(model->trace, model->pmu_events[event].name);
}

static void write_samples(const struct model *model, FILE *out)
{
	const struct sample_table *samples = &model->samples;

	for (size_t i = 0; i < samples->nr; i++) {
		struct row row = row_new("sample", samples->time_ns[i], samples->time_ns[i]);

		row.cpu = samples->cpu[i];
		row.thread = samples->thread[i];
		row.name = event_name(model, samples->event[i]);
		set_unsigned(row.value, samples->period[i]);
		row.state = samples->has[i] & ANNOT_SAMPLE_USER ? "user" : "kernel";
		if (!(samples->has[i] & ANNOT_SAMPLE_HIDDEN))
			set_address(row.ip, samples->ip[i]);
		if (samples->has[i] & ANNOT_SAMPLE_HAS_ADDR)
			set_address(row.addr, samples->addr[i]);
		if (samples->has[i] & ANNOT_SAMPLE_HAS_WEIGHT)
			set_unsigned(row.weight, samples->weight[i]);
		write_row(model, &row, out);
	}
}

/* Of one counted event. */
static void write_counts(const struct model *model, size_t event, FILE *out)
{
	const struct slice_count_table *slices = &model->slice_counts;
	uint32_t counter = model->pmu_events[event].counter;

	for (size_t i = 0; i < slices->nr; i++) {
		struct row row = row_new("count", slices->start_ns[i], slices->end_ns[i]);

		row.cpu = slices->cpu[i];
		row.thread = slices->thread[i];
		row.name = event_name(model, event);
		if (!(slices->invalid[i] & 1u << counter))
			set_unsigned(row.value, slices->counts[i * slices->nr_counters + counter]);
		write_row(model, &row, out);
	}
}

static void write_unmeasured(const struct model *model, FILE *out)
{
	const struct pmu_gap_table *gaps = &model->pmu_gaps;

	for (size_t i = 0; i < gaps->nr; i++) {
		struct row row = row_new("unmeasured", gaps->start_ns[i], gaps->end_ns[i]);

		row.cpu = gaps->cpu[i];
		row.name = event_name(model, gaps->event[i]);
		row.state = gaps->state[i] == ANNOT_PMU_THROTTLED ? "throttled" : "failed";
		write_row(model, &row, out);
	}
}

static void write_measured(const struct model *model, FILE *out)
{
	write_samples(model, out);
	for (size_t event = 0; event < model->nr_pmu_events; event++) {
		if (model->pmu_events[event].is_counted && !model->pmu_events[event].error)
			write_counts(model, event, out);
	}
	write_unmeasured(model, out);
}

void convert_csv(const struct model *model, FILE *out)
{
	fputs("kind,start_ns,end_ns,cpu,tid,tgid,comm,in_session,name,value,state,depth,"
	      "other_cpu,other_tid,ip,addr,weight,text\r\n",
	      out);
	write_trace(model, out);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++)
		write_cpu(model, cpu, out);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		write_states(model, i, out);
		write_spans(model, i, out);
		write_marks(model, i, out);
		write_kernel_slices(model, i, out);
	}
	write_wakeups(model, out);
	write_migrations(model, out);
	write_measured(model, out);
}
