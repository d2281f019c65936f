// SPDX-License-Identifier: GPL-2.0
#include "model/sched_events.h"

#include "model/builder_state.h"
#include "model/kernel/blocked.h"
#include "model/kernel/interrupts.h"
#include "model/kernel/power.h"
#include "model/table_rows.h"
#include "model/threads/threads.h"

void sched_feed_switch(struct model_builder *builder, const struct trace_event *event)
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

void sched_feed_waking(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t wakee = thread_get(builder, event->wakeup.wakee_tid), waker;

	builder->model->has_wakings = true;
	if (wakee == MODEL_NO_THREAD)
		return;
	waker = waker_of(builder, event);
	builder->threads[wakee].waker = waker;
	builder->threads[wakee].waker_cpu = event->cpu;
	builder->threads[wakee].has_waker = true;
	builder->threads[wakee].waking_ns = builder->now_ns;
}

void sched_feed_wakeup(struct model_builder *builder, const struct trace_event *event)
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

void sched_feed_migrate(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = tid_table_get(&builder->tids, event->migrate.moved_tid);

	if (thread == MODEL_NO_THREAD)
		return;
	/* A running thread cannot be moved: a switch is missing. */
	if (builder->threads[thread].track.state == STATE_RUNNING)
		cpu_miss_switch(builder, builder->threads[thread].track.cpu);
	thread_queue_on(builder, thread, event->migrate.to_cpu);
}

void sched_feed_fork(struct model_builder *builder, const struct trace_event *event)
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

void sched_feed_rename(struct model_builder *builder, const struct trace_event *event)
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

void sched_feed_exit(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = thread_get(builder, event->tid);

	if (thread == MODEL_NO_THREAD)
		return;
	builder->threads[thread].exiting = true;
	spans_cut(&builder->threads[thread].spans, &builder->model->threads[thread],
		  builder->now_ns);
}
