// SPDX-License-Identifier: GPL-2.0
#include "model/model.h"

#include <inttypes.h>
#include <stdlib.h>

#include "model/account.h"
#include "model/kernel/block_io.h"
#include "model/kernel/blocked.h"
#include "model/kernel/timers.h"
#include "model/builder.h"
#include "model/builder_state.h"
#include "model/event_rows.h"
#include "model/kernel/interrupts.h"
#include "model/kernel/power.h"
#include "model/page_readings.h"
#include "model/table_rows.h"
#include "model/evidence.h"
#include "model/states/silent.h"
#include "model/threads.h"
#include "model/uncore.h"
#include "model/window/rest.h"
#include "trace/limits.h"
#include "util/diag.h"
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

static void feed_switch(struct model_builder *builder, const struct trace_event *event)
{
	int cpu = event->cpu;
	/* evidence_take() has set the runner to the thread that leaves. */
	uint32_t prev = builder->cpus[cpu].runner, next;

	builder->model->nr_switches++;
	/* Nothing is switched within an interrupt. */
	interrupts_cut(builder, cpu);
	power_leave_idle(builder, cpu);
	if (prev != RUNNER_IDLE) {
		thread_leave(builder, prev, cpu, event->sw.reason);
		thread_set_comm(builder, prev, event->sw.prev_comm);
	}
	blocked_leave(builder, prev, event);
	next = thread_get_alive(builder, event->sw.next_tid);
	if (next == MODEL_NO_THREAD) {
		cpu_idle(builder, cpu);
	} else {
		thread_run(builder, next, cpu, event->sw.next_priority);
		thread_set_comm(builder, next, event->sw.next_comm);
	}
}

static inline uint32_t waker_of(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t runner = builder->cpus[event->cpu].runner;

	if (event->wakeup.in_interrupt)
		return MODEL_NO_THREAD;
	if (thread_runs_as(builder, runner, event->tid))
		return runner;
	return thread_get(builder, event->tid);
}

static void feed_waking(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t wakee = thread_get(builder, event->wakeup.wakee_tid), waker;

	if (wakee == MODEL_NO_THREAD)
		return;
	waker = waker_of(builder, event);
	builder->threads[wakee].waker = waker;
	builder->threads[wakee].waker_cpu = event->cpu;
	builder->threads[wakee].has_waker = true;
	builder->threads[wakee].waking_ns = builder->now_ns;
}

static void feed_wakeup(struct model_builder *builder, const struct trace_event *event)
{
	int cpu = event->wakeup.target_cpu;
	uint32_t waker, wakee;
	bool woken, has_waker;

	wakee = event->wakeup.is_new ? thread_get_alive(builder, event->wakeup.wakee_tid) :
				       thread_get(builder, event->wakeup.wakee_tid);
	if (wakee == MODEL_NO_THREAD)
		return;
	builder->has_wakeups |= !event->wakeup.is_new;
	has_waker = builder->threads[wakee].has_waker;
	builder->threads[wakee].has_waker = false;
	woken = thread_wake(builder, wakee, cpu);
	thread_set_comm(builder, wakee, event->wakeup.comm);
	/* A new thread has been waiting since it was created. */
	if (!woken && (!event->wakeup.is_new || !thread_queue_on(builder, wakee, cpu)))
		return;
	waker = has_waker ? builder->threads[wakee].waker : waker_of(builder, event);
	wakeup_table_add(&builder->model->wakeups, builder->now_ns, waker, wakee,
			 has_waker ? builder->threads[wakee].waker_cpu : event->cpu);
	if (builder->window_threads)
		state_log_wake(&builder->window_threads[wakee].log, builder->now_ns);
}

static void feed_migrate(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = tid_table_get(&builder->tids, event->migrate.moved_tid);

	if (thread == MODEL_NO_THREAD)
		return;
	/* A running thread cannot be moved: a switch is missing. */
	if (builder->threads[thread].track.state == STATE_RUNNING)
		cpu_miss_switch(builder, builder->threads[thread].track.cpu);
	thread_queue_on(builder, thread, event->migrate.to_cpu);
}

static void feed_fork(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t parent = thread_get(builder, event->tid), child;

	if (!tid_is_valid(event->fork.child_tid) || event->fork.child_tid == event->tid)
		return;
	child = thread_create(builder, event->fork.child_tid, parent, event);
	if (parent != MODEL_NO_THREAD && !builder->threads[child].is_thread)
		mappings_fork(&builder->mappings, builder->now_ns, child, parent);
}

/*
 * The event comes when the new program is loaded and its parts are mapped. The name changed
 * earlier: after the old program was gone.
 */
static void feed_exec_mappings(struct model_builder *builder, uint32_t thread, uint32_t comm)
{
	const struct thread_build *build = &builder->threads[thread];
	uint64_t gone_ns = builder->now_ns;

	if (comm != TRACE_NO_STRING && build->renamed_to == comm)
		gone_ns = build->renamed_ns;
	mappings_exec(&builder->mappings, gone_ns, thread);
}

/* The program that annotated is no more, and neither are its spans. */
static void feed_exec(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = tid_table_get(&builder->tids, event->rename.exec_old_tid);

	if (event->rename.exec_old_tid != event->rename.subject_tid &&
	    tid_is_valid(event->rename.subject_tid) && thread != MODEL_NO_THREAD)
		thread_take_tid(builder, thread, event->rename.subject_tid);
	thread = thread_get(builder, event->rename.subject_tid);
	if (thread == MODEL_NO_THREAD)
		return;
	builder->model->threads[thread].tgid = event->rename.subject_tid;
	builder->threads[thread].execed = true;
	feed_exec_mappings(builder, thread, event->rename.comm);
	spans_cut(&builder->threads[thread].spans, &builder->model->threads[thread],
		  builder->now_ns);
	thread_set_comm(builder, thread, event->rename.comm);
}

static void feed_rename(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread;

	if (event->rename.is_exec) {
		feed_exec(builder, event);
		return;
	}
	thread = tid_table_get(&builder->tids, event->rename.subject_tid);
	if (thread == MODEL_NO_THREAD)
		return;
	thread_set_comm(builder, thread, event->rename.comm);
	builder->threads[thread].renamed_ns = builder->now_ns;
	builder->threads[thread].renamed_to = event->rename.comm;
}

static void feed_exit(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = thread_get(builder, event->tid);

	if (thread == MODEL_NO_THREAD)
		return;
	builder->threads[thread].exiting = true;
	spans_cut(&builder->threads[thread].spans, &builder->model->threads[thread],
		  builder->now_ns);
}

/* When it was made, since the model's start, and in order within its thread. */
static uint64_t annotation_ns(struct model_builder *builder, struct span_stack *spans,
			      const struct trace_event *event)
{
	struct model *model = builder->model;
	uint64_t time_ns = 0;
	bool moved = event->annot.true_ns < model->start_ns;

	if (!moved)
		time_ns = event->annot.true_ns - model->start_ns;
	if (time_ns > builder->now_ns)
		time_ns = builder->now_ns;
	if (!span_stack_order(spans, &time_ns))
		moved = true;
	model->nr_reordered += moved;
	return time_ns;
}

static void feed_span_begin(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
			    const struct trace_event *event)
{
	const struct team_name *name = team_name_get(&builder->teams.names, builder->model->trace,
						     event->annot.name);

	if (name->kind == TEAM_NAME_WAIT && event->annot.span_kind == TRACE_SPAN_WAIT)
		team_wait_begin(builder, thread, time_ns, event, name);
	else
		span_begin(&builder->threads[thread].spans, &builder->model->threads[thread],
			   time_ns, builder->now_ns, event);
}

static void set_rank(struct thread *thread, int64_t rank)
{
	if (rank < 0 || rank > UINT32_MAX)
		return;
	thread->has_rank = true;
	thread->rank = (uint32_t)rank;
}

static void feed_mark(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		      const struct trace_event *event)
{
	const struct team_name *name = team_name_get(&builder->teams.names, builder->model->trace,
						     event->annot.name);
	struct thread *row = &builder->model->threads[thread];

	if (name->kind == TEAM_NAME_MARK)
		team_mark_made(builder, thread, time_ns, event);
	else if (name->kind == TEAM_NAME_RANK)
		set_rank(row, event->annot.value);
	else if (team_name_is_object(name->kind))
		data_objects_feed(builder, time_ns, thread, event, name);
	else if (name->kind == TEAM_NAME_NOTE)
		note_table_add(&builder->model->notes, time_ns, thread, event, &row->spans,
			       span_stack_top(&builder->threads[thread].spans));
	else
		mark_table_add(&row->marks, time_ns, builder->now_ns, event);
}

static void feed_annotation(struct model_builder *builder, const struct trace_event *event)
{
	int32_t tid = event->annot.owner_tid ? event->annot.owner_tid : event->tid;
	uint32_t at = thread_get(builder, tid);
	struct thread_build *build;
	struct thread *thread;
	uint64_t time_ns;

	if (at == MODEL_NO_THREAD)
		return;
	build = &builder->threads[at];
	thread = &builder->model->threads[at];
	build->annotated = true;
	time_ns = annotation_ns(builder, &build->spans, event);
	time_ns = pmu_cut_counts(builder, build, time_ns);
	build->spans.last_ns = time_ns;
	if (!thread->tgid)
		thread->tgid = event->annot.tgid;
	team_waits_bound(&build->spans.team_waits, time_ns);
	if (event->kind == TRACE_SPAN_BEGIN)
		feed_span_begin(builder, at, time_ns, event);
	else if (event->kind == TRACE_SPAN_END)
		span_end(&build->spans, thread, time_ns);
	else
		feed_mark(builder, at, time_ns, event);
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
		feed_migrate(builder, event);
		break;
	case TRACE_FORK:
		feed_fork(builder, event);
		break;
	case TRACE_RENAME:
		feed_rename(builder, event);
		break;
	case TRACE_EXIT:
		feed_exit(builder, event);
		break;
	case TRACE_SPAN_BEGIN:
	case TRACE_SPAN_END:
	case TRACE_MARK:
	case TRACE_COUNTER:
		feed_annotation(builder, event);
		break;
	case TRACE_CONFIG:
		builder->model->config_text = event->config.text;
		break;
	case TRACE_PMU_EVENT:
		feed_pmu_event(builder, event);
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
		feed_switch(builder, event);
		break;
	case TRACE_WAKEUP:
		timers_wake(builder, event);
		feed_wakeup(builder, event);
		break;
	case TRACE_WAKING:
		timers_wake(builder, event);
		feed_waking(builder, event);
		break;
	default:
		feed_rarer(builder, event);
	}
	if (tells)
		cpu->last_event_ns = builder->now_ns;
}

/* Rules to find the threads that the user traced, the best first. */
enum session_rule {
	SESSION_COMMAND,
	SESSION_ANNOTATED,
	SESSION_NEW,
};

static enum session_rule session_rule(const struct model_builder *builder)
{
	enum session_rule rule = SESSION_NEW;

	for (size_t i = 0; i < builder->model->nr_threads; i++) {
		if (builder->threads[i].is_command)
			return SESSION_COMMAND;
		if (builder->threads[i].annotated)
			rule = SESSION_ANNOTATED;
	}
	return rule;
}

/* A thread annotates for its whole process: the others of it are what the user traced as well. */
static void find_annotated_processes(const struct model_builder *builder,
				     struct tid_table *processes)
{
	for (uint32_t i = 0; i < builder->model->nr_threads; i++) {
		int32_t tgid = builder->model->threads[i].tgid;

		if (builder->threads[i].annotated && tid_is_valid(tgid))
			tid_table_set(processes, tgid, i);
	}
}

static bool begins_session(const struct model_builder *builder, uint32_t thread,
			   enum session_rule rule, const struct tid_table *annotated_processes)
{
	const struct thread_build *build = &builder->threads[thread];
	const struct thread *row = &builder->model->threads[thread];
	/* A thread of unknown process may be a leader. */
	int32_t tgid = row->tgid ? row->tgid : row->tid;

	switch (rule) {
	case SESSION_COMMAND:
		return build->is_command;
	case SESSION_ANNOTATED:
		return build->annotated ||
		       (tid_is_valid(tgid) &&
			tid_table_get(annotated_processes, tgid) != MODEL_NO_THREAD);
	case SESSION_NEW:
		break;
	}
	return build->execed || build->created;
}

static const struct thread *parent_of(const struct model *model, const struct thread *thread)
{
	return thread->parent == MODEL_NO_THREAD ? NULL : &model->threads[thread->parent];
}

/* Parents precede their children, so one pass propagates a property. */
static void relate_threads(struct model_builder *builder)
{
	struct model *model = builder->model;

	for (size_t i = 0; i < model->nr_threads; i++) {
		struct thread *thread = &model->threads[i];
		const struct thread *parent = parent_of(model, thread);

		if (!thread->tgid && parent && builder->threads[i].is_thread)
			thread->tgid = parent->tgid;
	}
}

/* Returns whether any thread is in it. */
static bool find_session(struct model_builder *builder)
{
	enum session_rule rule = session_rule(builder);
	struct tid_table annotated_processes = { 0 };
	struct model *model = builder->model;
	bool any = false;

	find_annotated_processes(builder, &annotated_processes);
	for (uint32_t i = 0; i < model->nr_threads; i++) {
		const struct thread *parent = parent_of(model, &model->threads[i]);

		model->threads[i].in_session = (parent && parent->in_session) ||
					       begins_session(builder, i, rule,
							      &annotated_processes);
		any |= model->threads[i].in_session;
	}
	tid_table_free(&annotated_processes);
	return any;
}

/* Without any such program in the trace, all threads are what the user traced. */
static void take_all_into_session(struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++)
		model->threads[i].in_session = true;
}

static void finish_states(struct model *model)
{
	for (size_t i = 0; i < model->nr_threads; i++) {
		struct thread *thread = &model->threads[i];

		account_prepare(thread, model->duration_ns);
		if (thread->states.nr)
			state_table_close(&thread->states, model->duration_ns);
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
	threads_finish(builder);
	team_waits_finish(builder, builder->now_ns);
	relate_threads(builder);
	if (!find_session(builder))
		take_all_into_session(model);
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

/* What there was to read is less than what was recorded. */
static void warn_of_limits(const struct trace_info *info)
{
	trace_limits_warn(info);
	if (info->annotations.nr_nameless)
		diag_warn("%s: has no names of %" PRIu64 " annotations", info->path,
			  info->annotations.nr_nameless);
}

static int no_switches(const struct trace_info *info)
{
	if (info->truncated)
		return diag_error("%s: the file is truncated: no sched_switch events are left",
				  info->path);
	return diag_error("%s: has no sched_switch events: record with -e sched_switch",
			  info->path);
}

/* Reads the trace a first time. Returns -1 after one line on stderr. */
static int look_ahead(struct model_builder *builder, const char *path)
{
	struct trace_event event = { 0 };
	struct trace *trace;
	int got;

	if (trace_open(path, &trace))
		return -1;
	while ((got = trace_next(trace, &event)) > 0)
		silent_note(builder, &event);
	silent_settle(builder, event.time_ns);
	trace_close(trace);
	return got;
}

static int find_silent_cpus(struct model_builder *builder, const struct trace *trace)
{
	int nr = trace_info(trace)->nr_cpus, nr_silent = 0;

	if (!builder_need_cpu(builder, nr - 1))
		return 0;
	for (int cpu = 0; cpu < nr; cpu++) {
		builder->cpus[cpu].is_silent = !trace_has_cpu(trace, cpu);
		nr_silent += builder->cpus[cpu].is_silent;
	}
	return nr_silent ? look_ahead(builder, trace_info(trace)->path) : 0;
}

/* What was fed. Returns -1 after one line on stderr if it was nothing, or @got says that reading failed. */
static int finish_model(struct model_builder *builder, struct trace *trace, int got,
			struct model **out)
{
	*out = model_builder_finish(builder);
	if (!got && !(*out)->nr_switches)
		got = no_switches(trace_info(trace));
	return got;
}

/* All that @trace has, through @builder: at most @most_events; see model_build_again(). */
static int build_model(struct model_builder *builder, struct trace *trace, uint64_t most_events,
		       struct model **out)
{
	struct trace_event event;
	int got;

	got = find_silent_cpus(builder, trace) ? -1 : 1;
	/* Events that only name the running thread are not counted: they leave no rows. */
	while (got > 0 && (got = trace_next(trace, &event)) > 0 &&
	       (event.kind == TRACE_OTHER || most_events--))
		model_builder_feed(builder, &event);
	got = finish_model(builder, trace, got, out);
	if (!got)
		return 0;
	model_free(*out);
	*out = NULL;
	return got > 0 ? 0 : -1;
}

int model_build_again(struct trace *trace, uint64_t most_events, uint64_t *read_ns,
		      struct model **out)
{
	struct model_builder builder;
	int status;

	model_builder_init(&builder, trace);
	status = build_model(&builder, trace, most_events, out);
	*read_ns = builder.now_ns;
	return status;
}

int model_build(struct trace *trace, struct model **out)
{
	uint64_t read_ns;

	if (model_build_again(trace, UINT64_MAX, &read_ns, out))
		return -1;
	warn_of_limits(trace_info(trace));
	return 0;
}

/* The same, but all: after @most_events, rows no longer stay. */
static int feed_and_keep(struct model_builder *builder, struct trace *trace, uint64_t most_events,
			 uint64_t *read_ns)
{
	struct trace_event event;
	int got = find_silent_cpus(builder, trace) ? -1 : 1;

	while (got > 0 && (got = trace_next(trace, &event)) > 0) {
		if (event.kind != TRACE_OTHER && !most_events--) {
			*read_ns = builder->now_ns;
			windows_keep_no_longer(builder->windows);
		}
		model_builder_feed(builder, &event);
	}
	return got;
}

int model_stream_kept(struct trace *trace, const struct model_sink *sink, uint64_t most_events,
		      struct kept_model *out)
{
	struct model_windows windows = {
		.sink = sink,
		.nr_events_each = WINDOW_EVENTS,
		.keeps = true,
	};
	struct model_builder builder;
	struct model *model;
	int got;

	*out = (struct kept_model){ 0 };
	model_builder_init(&builder, trace);
	model_builder_use_windows(&builder, &windows);
	got = feed_and_keep(&builder, trace, most_events, &out->read_ns);
	got = finish_model(&builder, trace, got, &model);
	out->whole = windows.kept_rest ? model : NULL;
	out->rest = windows.kept_rest ? windows.kept_rest : model;
	if (!got)
		warn_of_limits(trace_info(trace));
	else
		kept_model_free(out);
	return got;
}

void kept_model_free(struct kept_model *kept)
{
	if (kept->whole)
		rest_free(kept->rest);
	else
		model_free(kept->rest);
	model_free(kept->whole);
	*kept = (struct kept_model){ 0 };
}

int model_survey(struct trace *trace, const struct model_sink *sink, struct model **rest)
{
	struct model_windows windows = { .sink = sink, .nr_events_each = WINDOW_EVENTS };
	struct model_builder builder;

	model_builder_init(&builder, trace);
	model_builder_use_windows(&builder, &windows);
	return build_model(&builder, trace, UINT64_MAX, rest);
}

int model_stream(struct trace *trace, const struct model_sink *sink, struct model **rest)
{
	if (model_survey(trace, sink, rest))
		return -1;
	warn_of_limits(trace_info(trace));
	return 0;
}
