// SPDX-License-Identifier: GPL-2.0
#include "model/threads/threads.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/kernel/interrupts.h"
#include "model/kernel/power.h"
#include "model/table_rows.h"
#include "util/xalloc.h"

#define KTHREADD_TID 2 /* parent of all threads of the kernel */

bool builder_add_cpus(struct model_builder *builder, int cpu)
{
	struct model *model = builder->model;
	int nr = model->nr_cpus;

	if (cpu < 0 || cpu > INT16_MAX)
		return false;
	model->cpus = xrealloc_array(model->cpus, (size_t)cpu + 1, sizeof(*model->cpus));
	builder->cpus = xrealloc_array(builder->cpus, (size_t)cpu + 1, sizeof(*builder->cpus));
	memset(model->cpus + nr, 0, (size_t)(cpu + 1 - nr) * sizeof(*model->cpus));
	for (; nr <= cpu; nr++)
		builder->cpus[nr] = (struct cpu_build){ .runner = RUNNER_UNKNOWN };
	model->nr_cpus = cpu + 1;
	return true;
}

uint32_t thread_add(struct model_builder *builder, int32_t tid)
{
	struct model *model = builder->model;
	size_t at = model->nr_threads;

	if (column_is_full(at)) {
		model->threads = column_grow(model->threads, at, sizeof(*model->threads));
		builder->threads = column_grow(builder->threads, at, sizeof(*builder->threads));
		if (windows_log_states(builder->windows))
			builder->window_threads = column_grow(builder->window_threads, at,
							      sizeof(*builder->window_threads));
	}
	if (builder->window_threads)
		builder->window_threads[at] = (struct window_thread){ .log = state_log_new() };
	model->threads[at] = (struct thread){ .tid = tid, .parent = MODEL_NO_THREAD };
	builder->threads[at] = (struct thread_build){ .track = track_new(),
						      .row_to_end = SIZE_MAX,
						      .kernel.born_ns = builder->now_ns };
	model->nr_threads++;
	tid_table_set(&builder->tids, tid, (uint32_t)at);
	return (uint32_t)at;
}

/*
 * A thread other than the leader called exec. The kernel ended the others and gave it the leader's
 * tid. The event that says so comes only when the program is loaded. A switch before it names a
 * thread that has gone, on a CPU where another thread of the process ran.
 */
static bool is_exec_by_other(const struct model_builder *builder, uint32_t runner, int32_t tid)
{
	uint32_t leader = tid_table_get(&builder->tids, tid);
	const struct thread *row;

	if (runner >= RUNNER_IDLE || leader == runner || !tid_is_valid(tid))
		return false;
	row = &builder->model->threads[runner];
	if (leader == MODEL_NO_THREAD)
		return row->tgid == tid;
	/* A dead leader may have been replaced by a thread of unknown process. */
	if (builder->threads[leader].track.state == STATE_DEAD)
		return row->tgid == tid || !row->tgid;
	return builder->threads[leader].exiting && row->tgid == tid;
}

void thread_note_exec(struct model_builder *builder, int cpu, int32_t tid)
{
	uint32_t runner = builder->cpus[cpu].runner;

	if (is_exec_by_other(builder, runner, tid))
		thread_take_tid(builder, runner, tid);
}

static void add_state(struct model_builder *builder, uint32_t thread, uint64_t time_ns,
		      bool migrated)
{
	struct thread_build *build = &builder->threads[thread];
	const struct thread_track *track = &build->track;

	build->since_ns = time_ns;
	build->has_state = true;
	if (builder->window_threads)
		windows_add_state(builder, thread,
				  &(struct state_row){ time_ns, (uint8_t)track->state,
						       (int16_t)track->cpu, migrated });
	if (model_builder_keeps_states(builder))
		state_table_add(&builder->model->threads[thread].states, time_ns, track->state,
				track->cpu, migrated);
}

/* When events were first lost, of whatever CPU, in a gap that ends after @since_ns. */
static uint64_t first_loss_ns(const struct model *model, uint64_t since_ns)
{
	uint64_t first_ns = UINT64_MAX;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		const struct gap_table *gaps = &model->cpus[cpu].gaps;
		size_t gap = column_find(gaps->end_ns, gaps->nr, since_ns) + 1;

		while (gap < gaps->nr && gaps->kind[gap] != GAP_LOST)
			gap++;
		if (gap < gaps->nr && gaps->start_ns[gap] < first_ns)
			first_ns = gaps->start_ns[gap];
	}
	return first_ns;
}

static void cut_kernel(struct model_builder *builder, uint32_t thread, uint64_t time_ns)
{
	kernel_slices_cut(&builder->threads[thread].kernel, &builder->model->threads[thread],
			  time_ns);
}

/*
 * What the thread did in the kernel is among what was lost, if anything was. A switch that is missing says
 * nothing of that: a clock that differs between CPUs makes switches seem to be missing.
 */
static void lose_kernel(struct model_builder *builder, uint32_t thread, uint64_t time_ns)
{
	const struct kernel_stack *stack = &builder->threads[thread].kernel;

	if (stack->nr &&
	    (builder->nr_dark || first_loss_ns(builder->model, stack->last_ns) != UINT64_MAX))
		cut_kernel(builder, thread, time_ns);
}

static void lose_thread(struct model_builder *builder, uint32_t thread, uint64_t time_ns)
{
	track_lose(&builder->threads[thread].track);
	lose_kernel(builder, thread, time_ns);
	add_state(builder, thread, time_ns, false);
}

/*
 * A thread that waited in the queue of a CPU while its events were lost may have run there. Call
 * before adding what ends the wait.
 */
static void settle_long_wait(struct model_builder *builder, uint32_t thread)
{
	const struct thread_build *build = &builder->threads[thread];
	const struct thread_track *track = &build->track;
	const struct gap_table *gaps;
	uint64_t since_ns = build->since_ns;
	size_t gap;

	if (track->cpu < 0 || track->cpu >= builder->model->nr_cpus)
		return;
	if (builder->cpus[track->cpu].is_dark && build->has_state) {
		lose_thread(builder, thread, since_ns);
		return;
	}
	gaps = &builder->model->cpus[track->cpu].gaps;
	if (!gaps->nr || !build->has_state)
		return;
	if (gaps->end_ns[gaps->nr - 1] <= since_ns)
		return;
	/* The first gap that ends after the start of the wait. */
	gap = column_find(gaps->end_ns, gaps->nr, since_ns) + 1;
	lose_thread(builder, thread,
		    gaps->start_ns[gap] > since_ns ? gaps->start_ns[gap] : since_ns);
}

static inline void settle_wait(struct model_builder *builder, uint32_t thread)
{
	if ((builder->has_gaps || builder->nr_dark) &&
	    state_is_queued(builder->threads[thread].track.state))
		settle_long_wait(builder, thread);
}

/*
 * The thread runs on @cpu, and its entry was not seen. It may have entered since the CPU's last
 * event.
 */
static void settle_entry(struct model_builder *builder, uint32_t thread, int cpu)
{
	const struct thread_build *build = &builder->threads[thread];
	uint64_t since_ns = builder->cpus[cpu].last_event_ns;

	if (build->track.state == STATE_UNKNOWN)
		return;
	if (since_ns < build->since_ns)
		since_ns = build->since_ns;
	lose_thread(builder, thread, since_ns);
}

/* It cannot be on the CPU where it was thought to be. */
static void lose_if_running(struct model_builder *builder, uint32_t thread)
{
	const struct thread_track *track = &builder->threads[thread].track;

	if (track->state == STATE_RUNNING)
		cpu_miss_switch(builder, track->cpu);
}

static void close_slice(struct model_builder *builder, int cpu, uint64_t end_ns,
			enum thread_state end_state)
{
	const struct cpu_build *on = &builder->cpus[cpu];
	bool is_loose = builder->windows && on->since_ns < builder->windows->from_ns;
	const struct slice_row row = {
		.start_ns = on->since_ns,
		.end_ns = end_ns,
		.thread = on->runner,
		.end_state = (uint8_t)end_state,
		.priority = on->priority,
	};

	if (end_ns <= on->since_ns)
		return;
	if (is_loose && !builder->windows->keeps) {
		windows_add_loose_slice(builder, cpu, &row);
		return;
	}
	slice_table_add(&builder->model->cpus[cpu].slices, &row);
	if (builder->window_threads && !is_loose)
		state_log_slice(&builder->window_threads[on->runner].log, on->since_ns, end_ns,
				(int16_t)cpu, end_state);
}

void cpu_lose_runner(struct model_builder *builder, int cpu, uint64_t until_ns)
{
	struct cpu_build *on = &builder->cpus[cpu];

	interrupts_cut(builder, cpu);
	if (on->runner < RUNNER_IDLE) {
		if (until_ns < on->since_ns)
			until_ns = on->since_ns;
		close_slice(builder, cpu, until_ns, STATE_UNKNOWN);
		lose_thread(builder, on->runner, until_ns);
	}
	if (on->power.is_idle)
		power_cut_idle(builder, cpu, until_ns);
	on->power.awake_ns = builder->now_ns;
	on->runner = RUNNER_UNKNOWN;
}

void cpu_miss_switch(struct model_builder *builder, int cpu)
{
	struct cpu_build *on = &builder->cpus[cpu];

	on->misses_switch = true;
	on->missing_ns = on->last_event_ns > on->since_ns ? on->last_event_ns : on->since_ns;
	cpu_lose_runner(builder, cpu, on->missing_ns);
}

void cpu_end_missing(struct model_builder *builder, int cpu, uint64_t until_ns)
{
	struct cpu_build *on = &builder->cpus[cpu];

	if (!on->misses_switch)
		return;
	on->misses_switch = false;
	builder->has_gaps = true;
	gap_table_add(&builder->model->cpus[cpu].gaps, on->missing_ns,
		      until_ns > on->missing_ns ? until_ns : on->missing_ns, 1, GAP_MISSING);
}

/* A thread that did not run on a visible CPU may have run on a dark one. */
static RARE void settle_in_the_dark(struct model_builder *builder, uint32_t thread)
{
	const struct thread_build *build = &builder->threads[thread];
	enum thread_state state = build->track.state;

	if (build->has_state && (state_is_queued(state) || state_is_asleep(state)))
		lose_thread(builder, thread, build->since_ns);
}

/*
 * A sleeping thread now runs, and its wakeup was not seen. If a waking event was seen, the thread
 * slept up to then.
 */
static RARE void settle_sleep(struct model_builder *builder, uint32_t thread)
{
	const struct thread_build *build = &builder->threads[thread];
	uint64_t until_ns = build->since_ns, loss_ns;

	if (!builder->has_wakeups || !build->has_state)
		return;
	loss_ns = first_loss_ns(builder->model, until_ns);
	if (build->has_waker && build->waking_ns > until_ns)
		until_ns = build->waking_ns;
	else if (loss_ns != UINT64_MAX && loss_ns > until_ns)
		until_ns = loss_ns;
	lose_thread(builder, thread, until_ns);
}

/* To be called before it is booked that it runs. */
static inline void settle_rest(struct model_builder *builder, uint32_t thread)
{
	settle_wait(builder, thread);
	if (builder->nr_dark)
		settle_in_the_dark(builder, thread);
	if (state_is_asleep(builder->threads[thread].track.state))
		settle_sleep(builder, thread);
}

void thread_appear(struct model_builder *builder, uint32_t thread, int cpu)
{
	lose_if_running(builder, thread);
	settle_rest(builder, thread);
	settle_entry(builder, thread, cpu);
	thread_run(builder, thread, cpu, TRACE_PRIORITY_UNKNOWN);
}

void thread_run(struct model_builder *builder, uint32_t thread, int cpu, uint8_t priority)
{
	struct thread_track *track = &builder->threads[thread].track;
	struct cpu_build *on = &builder->cpus[cpu];
	int from_cpu;
	bool migrated;

	lose_if_running(builder, thread);
	settle_rest(builder, thread);
	from_cpu = track->ran_on;
	migrated = track_run(track, cpu);
	if (migrated)
		migration_table_add(&builder->model->migrations, track->left_ns, builder->now_ns,
				    thread, from_cpu, cpu);
	add_state(builder, thread, builder->now_ns, migrated);
	on->runner = thread;
	on->since_ns = builder->now_ns;
	on->priority = priority;
}

void thread_leave(struct model_builder *builder, uint32_t thread, int cpu,
		  enum trace_switch_reason reason)
{
	struct thread_build *build = &builder->threads[thread];
	struct cpu_build *on = &builder->cpus[cpu];

	close_slice(builder, cpu, builder->now_ns, state_after_switch(reason));
	on->runner = RUNNER_UNKNOWN;
	track_leave(&build->track, reason, builder->now_ns);
	add_state(builder, thread, builder->now_ns, false);
	if (reason == TRACE_OUT_DEAD) {
		spans_cut(&build->spans, &builder->model->threads[thread], builder->now_ns);
		cut_kernel(builder, thread, builder->now_ns);
	}
}

bool thread_wake(struct model_builder *builder, uint32_t thread, int cpu)
{
	settle_wait(builder, thread);
	if (builder->nr_dark)
		settle_in_the_dark(builder, thread);
	if (!track_wake(&builder->threads[thread].track, cpu))
		return false;
	add_state(builder, thread, builder->now_ns, false);
	return true;
}

bool thread_queue_on(struct model_builder *builder, uint32_t thread, int cpu)
{
	struct thread_track *track = &builder->threads[thread].track;
	struct state_table *states = &builder->model->threads[thread].states;

	/* Losses in the queue where it waited so far must be booked before that is forgotten. */
	settle_wait(builder, thread);
	if (!track_queue_on(track, cpu))
		return false;
	if (builder->window_threads)
		state_log_move(&builder->window_threads[thread].log, (int16_t)cpu);
	if (model_builder_keeps_states(builder))
		states->cpu[states->nr - 1] = (int16_t)cpu;
	return true;
}

/* The tid is reused: its previous thread has ended, seen or not. */
static void end_thread(struct model_builder *builder, uint32_t thread)
{
	struct thread_build *build = &builder->threads[thread];

	if (build->track.state == STATE_DEAD)
		return;
	lose_if_running(builder, thread);
	if (build->track.state != STATE_UNKNOWN)
		lose_thread(builder, thread, builder->now_ns);
	spans_cut(&build->spans, &builder->model->threads[thread], builder->now_ns);
	cut_kernel(builder, thread, builder->now_ns);
}

uint32_t thread_create(struct model_builder *builder, int32_t tid, uint32_t parent,
		       const struct trace_event *fork)
{
	uint32_t thread = tid_table_get(&builder->tids, tid);
	struct thread_build *build;
	struct thread *row;

	if (thread != MODEL_NO_THREAD)
		end_thread(builder, thread);
	thread = thread_add(builder, tid);
	build = &builder->threads[thread];
	row = &builder->model->threads[thread];
	build->kernel.is_new = true;
	row->parent = parent;
	row->comm = fork->fork.comm;
	build->created = parent == MODEL_NO_THREAD ||
			 builder->model->threads[parent].tid != KTHREADD_TID;
	build->is_thread = fork->fork.thread_known && fork->fork.is_thread;
	if (fork->fork.thread_known && !fork->fork.is_thread)
		row->tgid = tid;
	/* It waits for a CPU from the start. Its wakeup, microseconds later, names the CPU. */
	track_wake(&build->track, NO_CPU);
	add_state(builder, thread, builder->now_ns, false);
	return thread;
}

void thread_take_tid(struct model_builder *builder, uint32_t thread, int32_t tid)
{
	struct thread *row = &builder->model->threads[thread];
	uint32_t leader = tid_table_get(&builder->tids, tid);

	if (leader == thread)
		return;
	if (leader != MODEL_NO_THREAD)
		end_thread(builder, leader);
	if (tid_table_get(&builder->tids, row->tid) == thread)
		tid_table_set(&builder->tids, row->tid, MODEL_NO_THREAD);
	tid_table_set(&builder->tids, tid, thread);
	row->tid = tid;
	row->tgid = tid;
}

static uint32_t kind_of_comm(struct trace *trace, uint32_t comm)
{
	const char *text = trace_string(trace, comm);
	size_t bytes = strcspn(text, "/");
	char kind[32];

	if (!text[bytes] || !bytes || bytes >= sizeof(kind))
		return TRACE_NO_STRING;
	memcpy(kind, text, bytes);
	kind[bytes] = '\0';
	return trace_intern(trace, kind);
}

/* Here, as analyses run at once, and may not intern anything. */
static void set_kind(const struct model *model, struct thread *thread)
{
	if (!thread->tgid && model->trace)
		thread->kind = kind_of_comm(model->trace, thread->comm);
}

void threads_finish(struct model_builder *builder)
{
	struct model *model = builder->model;

	for (int cpu = 0; cpu < model->nr_cpus; cpu++) {
		/* The threads that were queued there must have been switched in. */
		builder->cpus[cpu].misses_switch |= builder->cpus[cpu].is_dark;
		cpu_end_missing(builder, cpu, builder->now_ns);
		if (builder->cpus[cpu].runner < RUNNER_IDLE)
			close_slice(builder, cpu, builder->now_ns, STATE_RUNNING);
	}
	for (size_t i = 0; i < model->nr_threads; i++) {
		settle_wait(builder, (uint32_t)i);
		if (builder->nr_dark)
			settle_in_the_dark(builder, (uint32_t)i);
		if (!builder->threads[i].has_state) /* only spoken of */
			add_state(builder, (uint32_t)i, 0, false);
		spans_cut(&builder->threads[i].spans, &model->threads[i], builder->now_ns);
		cut_kernel(builder, (uint32_t)i, builder->now_ns);
		set_kind(model, &model->threads[i]);
	}
}
