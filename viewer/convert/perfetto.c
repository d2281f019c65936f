// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>

#include "convert/perfetto.h"
#include "convert/counters.h"
#include "convert/flows.h"
#include "convert/lane.h"
#include "convert/chrome_event.h"
#include "convert/uncore_tracks.h"
#include "model/kernel/kernel_slices.h"
#include "model/states/gaps.h"
#include "util/text/json.h"

/* From top to bottom in the UI. */
enum process_place {
	PLACE_CPUS,
	PLACE_SESSION,
	PLACE_OTHERS,
	PLACE_STRAYS,
};

/* A number that may be greater than what a double can hold. */
static void write_exactly(struct json *json, const char *key, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	json_key_string(json, key, text);
}

/* What holds for the trace as a whole. */
static void write_other_data(struct json *json, const struct model *model)
{
	const struct trace_info *info = trace_info(model->trace);

	json_key(json, "otherData");
	json_begin_object(json);
	json_key_string(json, "tool", "annot " ANNOT_VERSION);
	json_key_string(json, "file", info->path);
	json_key_string(json, "clock", info->clock);
	write_exactly(json, "start_ns", model->start_ns);
	write_exactly(json, "duration_ns", model->duration_ns);
	json_key_u64(json, "lost_events", info->nr_lost_events);
	json_key_u64(json, "lost_gaps", info->nr_lost_gaps);
	json_key_u64(json, "missing_switches", model_missing_switches(model));
	json_key_u64(json, "lost_annotations", info->annotations.nr_lost);
	json_key_bool(json, "truncated", info->truncated);
	if (model->nr_pmu_events)
		json_key_u64(json, "bin_ns", counters_bin_ns(model));
	json_end_object(json);
}

static void write_name(struct json *json, const char *what, struct lane lane, const char *name)
{
	chrome_event_begin(json, "M", lane, "__metadata", what, 0);
	chrome_event_begin_args(json);
	json_key_string(json, "name", name);
	chrome_event_end_args(json);
	chrome_event_end(json);
}

static void write_place(struct json *json, const char *what, struct lane lane, uint64_t place)
{
	chrome_event_begin(json, "M", lane, "__metadata", what, 0);
	chrome_event_begin_args(json);
	json_key_u64(json, "sort_index", place);
	chrome_event_end_args(json);
	chrome_event_end(json);
}

static void write_lane(struct json *json, struct lane lane, const char *name, uint64_t place)
{
	write_name(json, "thread_name", lane, name);
	write_place(json, "thread_sort_index", lane, place);
}

static void write_process(struct json *json, struct lane lane, const char *name,
			  enum process_place place)
{
	write_name(json, "process_name", lane, name);
	write_place(json, "process_sort_index", lane, place);
}

static void write_cpu_lanes(struct json *json, const struct model *model)
{
	write_process(json, lane_of_cpu(0), "CPUs", PLACE_CPUS);
	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		char name[16];

		snprintf(name, sizeof(name), "CPU %d", cpu);
		write_lane(json, lane_of_cpu(cpu), name, (uint64_t)cpu);
	}
}

static void write_thread_lanes(struct json *json, const struct model *model, uint32_t at)
{
	const struct thread *thread = &model->threads[at];
	const char *comm = trace_string(model->trace, thread->comm);
	char label[LANE_LABEL_BYTES], name[LANE_LABEL_BYTES + 8];

	lane_label(model, at, label);
	snprintf(name, sizeof(name), "%s states", label);
	write_lane(json, lane_of_thread(thread), comm, 3 * (uint64_t)at);
	write_lane(json, lane_of_states(thread), name, 3 * (uint64_t)at + 1);
	if (!thread->kernel_slices.nr)
		return;
	snprintf(name, sizeof(name), "%s kernel", label);
	write_lane(json, lane_of_kernel(thread), name, 3 * (uint64_t)at + 2);
}

static void write_process_of(struct json *json, const struct model *model, uint32_t at)
{
	const struct thread *thread = &model->threads[at];

	if (!thread->tgid)
		write_process(json, lane_of_thread(thread), "process not known", PLACE_STRAYS);
	else
		write_process(json, lane_of_thread(thread),
			      trace_string(model->trace, thread->comm),
			      thread->in_session ? PLACE_SESSION : PLACE_OTHERS);
}

/* A process has the name of its first thread; of another one, if that is not in the trace: the last
 * that is told counts. */
static void write_processes(struct json *json, const struct model *model)
{
	for (int are_first = 0; are_first <= 1; are_first++) {
		for (uint32_t i = 0; i < model->nr_threads; i++) {
			const struct thread *thread = &model->threads[i];

			if ((thread->tid == thread->tgid) == are_first)
				write_process_of(json, model, i);
		}
	}
}

static void write_flow_end(struct json *json, const struct model *model, const struct flow_end *end,
			   uint64_t slice_start_ns)
{
	uint64_t time_ns = end->is_start ? model->wakeups.time_ns[end->wakeup] : slice_start_ns;

	chrome_event_with_id(json, end->is_start ? "s" : "f", lane_of_cpu(end->cpu), "wakeup",
			     "wakeup", time_ns, (uint64_t)end->wakeup + 1);
}

static void write_slice(struct json *json, const struct model *model, int cpu, size_t row)
{
	const struct slice_table *slices = &model->cpus[cpu].slices;
	const struct thread *thread = &model->threads[slices->thread[row]];
	char label[LANE_LABEL_BYTES];

	lane_label(model, slices->thread[row], label);
	chrome_event_begin_slice(json, lane_of_cpu(cpu), "cpu", label, slices->start_ns[row],
				 slices->end_ns[row]);
	chrome_event_begin_args(json);
	json_key(json, "tid");
	json_i64(json, thread->tid);
	if (thread->tgid) {
		json_key(json, "tgid");
		json_i64(json, thread->tgid);
	}
	json_key_string(json, "then", thread_state_name(slices->end_state[row]));
	chrome_event_end_args(json);
	chrome_event_end(json);
}

static void write_gaps(struct json *json, const struct model *model, int cpu)
{
	const struct gap_table *gaps = &model->cpus[cpu].gaps;

	for (size_t i = 0; i < gaps->nr; i++) {
		bool is_lost = gaps->kind[i] == GAP_LOST;

		chrome_event_begin_slice(json, lane_of_cpu(cpu), is_lost ? "lost" : "missing",
					 is_lost ? "EVENTS LOST" : "SWITCHES MISSING",
					 gaps->start_ns[i], gaps->end_ns[i]);
		chrome_event_begin_args(json);
		json_key_known_u64(json, is_lost ? "events" : "switches", gaps->nr_events[i],
				   gaps->nr_events[i]);
		chrome_event_end_args(json);
		chrome_event_end(json);
	}
}

/*
 * Readers sort by time, and keep the order of rows with equal times. So the end of a flow comes
 * after the row of its own slice, and before the row of a slice that begins at that moment.
 */
static void write_cpus(struct json *json, const struct model *model)
{
	struct flows flows = flows_find(model);
	const struct flow_end *end = flows.ends, *last = flows.ends + flows.nr;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct slice_table *slices = &model->cpus[cpu].slices;

		for (size_t row = 0; row < slices->nr; row++) {
			write_slice(json, model, cpu, row);
			for (; end < last && end->cpu == cpu && end->slice == row; end++)
				write_flow_end(json, model, end, slices->start_ns[row]);
		}
		write_gaps(json, model, cpu);
	}
	flows_free(&flows);
}

static void write_states(struct json *json, const struct model *model, const struct thread *thread)
{
	const struct state_table *states = &thread->states;

	for (size_t i = 0; i < states->nr; i++) {
		uint64_t end_ns = i + 1 < states->nr ? states->start_ns[i + 1] : model->duration_ns;

		if (states->state[i] == STATE_DEAD)
			continue;
		chrome_event_begin_slice(json, lane_of_states(thread), "state",
					 thread_state_name(states->state[i]), states->start_ns[i],
					 end_ns);
		if (states->cpu[i] >= 0) {
			chrome_event_begin_args(json);
			json_key_u64(json, "cpu", (uint64_t)states->cpu[i]);
			chrome_event_end_args(json);
		}
		chrome_event_end(json);
	}
}

static void write_spans(struct json *json, const struct model *model, const struct thread *thread)
{
	const struct span_table *spans = &thread->spans;

	for (size_t i = 0; i < spans->nr; i++) {
		chrome_event_begin_slice(json, lane_of_thread(thread),
					 spans->kind[i] == TRACE_SPAN_WAIT ? "wait" : "work",
					 trace_string(model->trace, spans->name[i]),
					 spans->start_ns[i], spans->end_ns[i]);
		chrome_event_begin_args(json);
		if (spans->flags[i] & SPAN_HAS_VALUE) {
			json_key(json, "value");
			json_i64(json, spans->value[i]);
		}
		if (spans->flags[i] & SPAN_OPEN_END)
			json_key_bool(json, "open_end", true);
		chrome_event_end_args(json);
		chrome_event_end(json);
	}
}

static void write_counter(struct json *json, const struct model *model, uint32_t at, size_t row)
{
	const struct mark_table *marks = &model->threads[at].marks;
	char label[LANE_LABEL_BYTES], name[512];

	lane_label(model, at, label);
	snprintf(name, sizeof(name), "%s, %s", trace_string(model->trace, marks->name[row]), label);
	chrome_event_begin(json, "C", lane_of_thread(&model->threads[at]), "counter", name,
			   marks->time_ns[row]);
	chrome_event_begin_args(json);
	json_key(json, "value");
	json_i64(json, marks->value[row]);
	chrome_event_end_args(json);
	chrome_event_end(json);
}

static void write_mark(struct json *json, const struct model *model, const struct thread *thread,
		       size_t row)
{
	const struct mark_table *marks = &thread->marks;

	chrome_event_begin(json, "i", lane_of_thread(thread), "mark",
			   trace_string(model->trace, marks->name[row]), marks->time_ns[row]);
	json_key_string(json, "s", "t");
	if (marks->has_value[row]) {
		chrome_event_begin_args(json);
		json_key(json, "value");
		json_i64(json, marks->value[row]);
		chrome_event_end_args(json);
	}
	chrome_event_end(json);
}

/* Addresses are text: a double does not hold them. */
static void write_kernel_value(struct json *json, uint8_t kind, int64_t value)
{
	char text[24];

	if (kind == TRACE_KERNEL_LOCK || kind == TRACE_KERNEL_FAULT) {
		snprintf(text, sizeof(text), "0x%" PRIx64, (uint64_t)value);
		json_key_string(json, "address", text);
		return;
	}
	json_key(json, "result");
	json_i64(json, value);
	if (kind == TRACE_KERNEL_SYSCALL && kernel_errno_name(value))
		json_key_string(json, "error", kernel_errno_name(value));
}

static void write_kernel_args(struct json *json, const struct model *model,
			      const struct kernel_slice_table *slices, size_t row)
{
	uint8_t flags = slices->flags[row];

	chrome_event_begin_args(json);
	if (slices->text[row])
		json_key_string(json, "text", trace_string(model->trace, slices->text[row]));
	if (flags & KERNEL_HAS_VALUE)
		write_kernel_value(json, slices->kind[row], slices->value[row]);
	if (flags & KERNEL_OPEN_BEGIN)
		json_key_bool(json, "open_begin", true);
	if (flags & KERNEL_OPEN_END)
		json_key_bool(json, "open_end", true);
	chrome_event_end_args(json);
}

static void write_kernel_slices(struct json *json, const struct model *model,
				const struct thread *thread)
{
	const struct kernel_slice_table *slices = &thread->kernel_slices;
	struct lane lane = lane_of_kernel(thread);

	for (size_t i = 0; i < slices->nr; i++) {
		const char *name = trace_string(model->trace, slices->name[i]);
		const char *kind = kernel_kind_name(slices->kind[i]);

		if (slices->flags[i] & KERNEL_MARK) {
			chrome_event_begin(json, "i", lane, kind, name, slices->start_ns[i]);
			json_key_string(json, "s", "t");
		} else {
			chrome_event_begin_slice(json, lane, kind, name, slices->start_ns[i],
						 slices->end_ns[i]);
		}
		write_kernel_args(json, model, slices, i);
		chrome_event_end(json);
	}
}

static void write_thread(struct json *json, const struct model *model, uint32_t at)
{
	const struct thread *thread = &model->threads[at];

	write_states(json, model, thread);
	write_spans(json, model, thread);
	write_kernel_slices(json, model, thread);
	for (size_t i = 0; i < thread->marks.nr; i++) {
		if (thread->marks.is_counter[i])
			write_counter(json, model, at, i);
		else
			write_mark(json, model, thread, i);
	}
}

/* They may overlap slices and each other. */
static void write_unmeasured(struct json *json, const struct model *model)
{
	const struct pmu_gap_table *gaps = &model->pmu_gaps;

	for (size_t i = 0; i < gaps->nr; i++) {
		struct lane lane = lane_of_cpu(gaps->cpu[i]);
		char name[256];

		snprintf(name, sizeof(name), "%.128s not measured, CPU %d",
			 trace_string(model->trace, model->pmu_events[gaps->event[i]].name),
			 gaps->cpu[i]);
		chrome_event_with_id(json, "b", lane, "unmeasured", name, gaps->start_ns[i], i);
		chrome_event_with_id(json, "e", lane, "unmeasured", name, gaps->end_ns[i], i);
	}
}

/* Numbers of flows are unique: those of wakeups come first. */
static void write_arrows(struct json *json, const struct model *model,
			 const struct convert_arrow *arrows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		uint64_t id = model->wakeups.nr + 1 + i;
		char name[64];

		snprintf(name, sizeof(name), "message, %" PRIu64 " bytes", arrows[i].bytes);
		chrome_event_with_id(json, "s", lane_of_thread(&model->threads[arrows[i].from]),
				     "message", name, arrows[i].from_ns, id);
		chrome_event_with_id(json, "f", lane_of_thread(&model->threads[arrows[i].to]),
				     "message", name, arrows[i].to_ns, id);
	}
}

void convert_perfetto(const struct model *model, const struct convert_arrow *arrows,
		      size_t nr_arrows, FILE *out)
{
	struct json json;

	json_init(&json, out, JSON_COMPACT);
	json_begin_object(&json);
	json_key_string(&json, "displayTimeUnit", "ns");
	write_other_data(&json, model);
	json_key(&json, "traceEvents");
	json_begin_array(&json);
	write_cpu_lanes(&json, model);
	for (uint32_t i = 0; i < model->nr_threads; i++)
		write_thread_lanes(&json, model, i);
	write_processes(&json, model);
	write_cpus(&json, model);
	for (uint32_t i = 0; i < model->nr_threads; i++)
		write_thread(&json, model, i);
	counters_write(&json, model);
	uncore_tracks_write(&json, model);
	write_unmeasured(&json, model);
	write_arrows(&json, model, arrows, nr_arrows);
	json_end_array(&json);
	json_end_object(&json);
	fputc('\n', out);
}
