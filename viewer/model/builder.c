// SPDX-License-Identifier: GPL-2.0
#include "model/builder.h"

#include <stdlib.h>

#include "model/account.h"
#include "model/annotations.h"
#include "model/kernel/block_io.h"
#include "model/kernel/blocked.h"
#include "model/kernel/timers.h"
#include "model/builder_state.h"
#include "model/event_rows.h"
#include "model/kernel/interrupts.h"
#include "model/kernel/power.h"
#include "model/memory/page_readings.h"
#include "model/sched_events.h"
#include "model/table_rows.h"
#include "model/evidence.h"
#include "model/threads/session.h"
#include "model/threads/threads.h"
#include "model/pmu/group_counts.h"
#include "model/pmu/uncore.h"
#include "util/xalloc.h"

void model_builder_init(struct model_builder *builder, struct trace *trace)
{
	*builder = (struct model_builder){ .model = xcalloc(1, sizeof(*builder->model)) };
	builder->model->trace = trace;
}

void model_builder_use_windows(struct model_builder *builder, struct model_windows *windows)
{
	builder->windows = windows;
	if (windows->sink->events)
		builder->event_rows = event_rows_new(windows->sink->events);
	if (windows_log_states(windows))
		builder->window_threads = column_grow(NULL, 0, sizeof(*builder->window_threads));
}

/* The model's clock starts with the trace, and never runs back. */
static void advance_clock(struct model_builder *builder, const struct trace_event *event)
{
	struct model *model = builder->model;

	if (!builder->started) {
		builder->started = true;
		model->start_ns = event->time_ns;
		if (event->kind == TRACE_LOST && event->lost.since_ns < event->time_ns)
			model->start_ns = event->lost.since_ns;
	}
	if (event->time_ns > model->start_ns + builder->now_ns)
		builder->now_ns = event->time_ns - model->start_ns;
}

/* The trigger on sched_switch puts it behind the switch with which the thread fell asleep. */
static void feed_kernel_stack(struct model_builder *builder, const struct trace_event *event)
{
	stacks_feed(builder, event);
	if (!blocked_add_stack(builder, event))
		evidence_feed_other(builder, event);
}

static void feed_user_stack(struct model_builder *builder, const struct trace_event *event)
{
	const struct cpu_build *cpu = &builder->cpus[event->cpu];

	stacks_feed(builder, event);
	/* Behind a switch, it names who has left. */
	if (cpu->named_tid != event->tid || cpu->left_tid != event->tid)
		evidence_feed_other(builder, event);
}

static void feed_session(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = thread_get(builder, event->session.tid);

	if (thread == MODEL_NO_THREAD)
		return;
	builder->threads[thread].is_command = true;
	if (!builder->model->threads[thread].tgid)
		builder->model->threads[thread].tgid = event->session.tgid;
}

static void feed_lost(struct model_builder *builder, const struct trace_event *event)
{
	struct model *model = builder->model;
	uint64_t since_ns = 0;

	if (event->lost.since_ns > model->start_ns)
		since_ns = event->lost.since_ns - model->start_ns;
	if (since_ns > builder->now_ns)
		since_ns = builder->now_ns;
	builder->has_gaps = true;
	blocked_forget(builder, event->cpu);
	interrupts_forget_sends(builder, event->cpu);
	model->cpus[event->cpu].seen = true;
	cpu_end_missing(builder, event->cpu, since_ns);
	gap_table_add(&model->cpus[event->cpu].gaps, since_ns, builder->now_ns,
		      event->lost.nr_events, GAP_LOST);
	cpu_lose_runner(builder, event->cpu, since_ns);
	power_lose_frequencies(builder, event->cpu, since_ns);
	block_io_lose(builder);
	timers_lose(builder, event->cpu);
}

static void feed_others_mark(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = thread_get(builder, event->kernel.of_tid);

	if (thread != MODEL_NO_THREAD)
		kernel_slices_add_others_mark(&builder->threads[thread].kernel,
					      &builder->model->threads[thread], builder->now_ns,
					      event);
}

/* Of idle there are no rows. */
static void feed_kernel(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = thread_get(builder, event->tid);

	if (event->kernel.kind == TRACE_KERNEL_HOTPLUG)
		power_feed_hotplug(builder, event);
	if (event->kernel.of_tid && event->kernel.of_tid != event->tid) {
		feed_others_mark(builder, event);
		return;
	}
	if (thread == MODEL_NO_THREAD)
		return;
	/* Its begin may be among what is lost. */
	builder->threads[thread].kernel.is_started |= builder->has_gaps || builder->nr_dark;
	kernel_slices_feed(&builder->threads[thread].kernel, &builder->model->threads[thread],
			   builder->now_ns, event);
}

static bool is_interrupt(const struct trace_event *event)
{
	return event->kind == TRACE_INTERRUPT_BEGIN || event->kind == TRACE_INTERRUPT_END;
}

/* It belongs to the event before it. */
static bool is_stack(const struct trace_event *event)
{
	return event->kind == TRACE_KERNEL_STACK || event->kind == TRACE_USER_STACK;
}

/* The thread that they name is there by chance, and need not be known. */
static bool is_of_nobody(const struct trace_event *event)
{
	return event->kind == TRACE_OTHER || event->kind == TRACE_IPI_SEND || is_stack(event) ||
	       is_interrupt(event) || trace_event_is_of_block(event) ||
	       trace_event_is_of_timer(event);
}

/*
 * A lane of a device has requests, not each event of them; there are none of timers; and an interrupt that is sent need
 * not be seen where it comes.
 */
static bool is_tick(const struct trace_event *event)
{
	return event->kind == TRACE_OTHER || event->kind == TRACE_IPI_SEND ||
	       trace_event_is_of_block(event) || trace_event_is_of_timer(event);
}

/* Who runs is taken from it with care. */
static void feed_other(struct model_builder *builder, const struct trace_event *event)
{
	evidence_feed_other(builder, event);
	if (is_interrupt(event))
		interrupts_feed(builder, event);
	else if (trace_event_is_of_power(event))
		power_feed(builder, event);
	else if (trace_event_is_of_kernel(event))
		feed_kernel(builder, event);
	else if (trace_event_is_of_block(event))
		block_io_feed(builder, event);
	else if (event->kind == TRACE_IPI_SEND)
		interrupts_note_send(builder, event);
	else if (trace_event_is_of_timer(event))
		timers_feed(builder, event);
	if (builder->event_rows && is_tick(event))
		event_rows_feed(builder, event);
}

/* Notes whom the event names, for the stacks that may follow. */
static inline void name_thread(struct cpu_build *cpu, const struct model_builder *builder,
			       const struct trace_event *event)
{
	cpu->named_tid = event->tid;
	cpu->named_ns = builder->now_ns;
}

static void feed_unsure(struct model_builder *builder, const struct trace_event *event)
{
	if (event->kind == TRACE_USER_STACK) {
		feed_user_stack(builder, event);
	} else if (event->kind == TRACE_KERNEL_STACK) {
		feed_kernel_stack(builder, event);
	} else {
		name_thread(&builder->cpus[event->cpu], builder, event);
		feed_other(builder, event);
	}
}

/* Of a kind that is not most of a trace. */
static void feed_rarer(struct model_builder *builder, const struct trace_event *event)
{
	switch (event->kind) {
	case TRACE_MIGRATE:
		sched_feed_migrate(builder, event);
		break;
	case TRACE_FORK:
		sched_feed_fork(builder, event);
		break;
	case TRACE_RENAME:
		sched_feed_rename(builder, event);
		break;
	case TRACE_EXIT:
		sched_feed_exit(builder, event);
		break;
	case TRACE_SPAN_BEGIN:
	case TRACE_SPAN_END:
	case TRACE_MARK:
	case TRACE_COUNTER:
		annotations_feed(builder, event);
		break;
	case TRACE_CONFIG:
		builder->model->config_text = event->config.text;
		break;
	case TRACE_PMU_EVENT:
		if (event->pmu_event.group)
			group_counts_feed_event(builder, event);
		else
			feed_pmu_event(builder, event);
		break;
	case TRACE_GROUP_COUNTS:
		group_counts_feed_rows(builder, event);
		break;
	case TRACE_GROUP_GAP:
		group_counts_feed_gap(builder, event);
		break;
	case TRACE_SAMPLE:
		feed_sample(builder, event);
		stacks_feed_sample(builder, event);
		break;
	case TRACE_SLICE_COUNTS:
		feed_slice_counts(builder, event);
		break;
	case TRACE_PMU_STATE:
		feed_pmu_state(builder, event);
		break;
	case TRACE_BLOCKED:
		blocked_note(builder, event);
		break;
	case TRACE_WAKER_STACK:
		stacks_feed_waker(builder, event);
		break;
	case TRACE_MAPPING:
		feed_mapping(builder, event);
		break;
	case TRACE_PAGES:
		page_readings_feed(builder, event);
		break;
	case TRACE_CPU_TOPOLOGY:
		topology_add(&builder->model->topology, event);
		page_readings_note_recorder(builder, event);
		break;
	case TRACE_MACHINE:
		builder->model->is_virtual = true;
		builder->model->hypervisor = event->machine.hypervisor;
		break;
	case TRACE_UNCORE_EVENT:
		uncore_feed_event(builder, event);
		break;
	case TRACE_UNCORE_COUNTS:
		uncore_feed_counts(builder, event);
		break;
	case TRACE_SESSION:
		feed_session(builder, event);
		break;
	case TRACE_SWITCH:
	case TRACE_WAKEUP:
	case TRACE_WAKING:
	case TRACE_LOST:
	case TRACE_KERNEL_STACK:
	case TRACE_USER_STACK:
	case TRACE_KERNEL_BEGIN:
	case TRACE_KERNEL_END:
	case TRACE_KERNEL_MARK:
	case TRACE_INTERRUPT_BEGIN:
	case TRACE_INTERRUPT_END:
	case TRACE_IPI_SEND:
	case TRACE_CPU_IDLE:
	case TRACE_CPU_FREQUENCY:
	case TRACE_BLOCK_ISSUE:
	case TRACE_BLOCK_COMPLETE:
	case TRACE_BLOCK_MERGE:
	case TRACE_TIMER_START:
	case TRACE_TIMER_EXPIRE:
	case TRACE_TIMER_DONE:
	case TRACE_OTHER:
		break;
	}
}

void model_builder_feed(struct model_builder *builder, const struct trace_event *event)
{
	struct cpu_build *cpu;
	bool tells;

	/* Those at the start of the trace name no thread that is known yet. */
	if (!builder->started && is_of_nobody(event)) {
		if (builder->event_rows && is_tick(event))
			event_rows_note_early(builder, event);
		return;
	}
	if (!builder_need_cpu(builder, event->cpu))
		return;
	windows_cut_if_due(builder);
	advance_clock(builder, event);
	/*
	 * A loss does not name the running thread: it says that events since the last one are
	 * missing.
	 */
	if (event->kind == TRACE_LOST) {
		feed_lost(builder, event);
		return;
	}
	if (trace_event_is_unsure(event)) {
		feed_unsure(builder, event);
		return;
	}
	cpu = &builder->cpus[event->cpu];
	name_thread(cpu, builder, event);
	tells = evidence_take(builder, event);
	switch (event->kind) {
	case TRACE_SWITCH:
		sched_feed_switch(builder, event);
		group_counts_note_switch(builder, event);
		break;
	case TRACE_WAKEUP:
		timers_wake(builder, event);
		sched_feed_wakeup(builder, event);
		break;
	case TRACE_WAKING:
		timers_wake(builder, event);
		sched_feed_waking(builder, event);
		break;
	default:
		feed_rarer(builder, event);
	}
	if (tells)
		cpu->last_event_ns = builder->now_ns;
}

static void finish_states(struct model *model)
{
	account_prepare_all(model);
	for (size_t i = 0; i < model->nr_threads; i++) {
		struct state_table *states = &model->threads[i].states;

		if (states->nr)
			state_table_close(states, model->duration_ns);
	}
	stolen_prepare(model);
}

struct model *model_builder_finish(struct model_builder *builder)
{
	struct model *model = builder->model;

	model->duration_ns = builder->now_ns;
	interrupts_finish(builder);
	power_finish(builder);
	block_io_finish(builder);
	uncore_finish(builder);
	group_counts_finish(builder);
	threads_finish(builder);
	team_waits_finish(builder, builder->now_ns);
	session_find(builder);
	pmu_finish(builder);
	data_objects_finish(builder);
	mappings_finish(builder);
	stacks_finish(builder);
	for (size_t i = 0; i < model->nr_threads; i++) {
		span_stack_free(&builder->threads[i].spans);
		kernel_stack_free(&builder->threads[i].kernel);
	}
	if (builder->event_rows)
		event_rows_finish(builder);
	if (builder->windows)
		windows_finish(builder);
	if (!builder->windows || builder->windows->keeps)
		finish_states(model);
	tid_table_free(&builder->tids);
	free(builder->threads);
	free(builder->window_threads);
	event_rows_free(builder->event_rows);
	free(builder->cpus);
	return model;
}
