// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/timers.h"

#include "model/table_rows.h"
#include "model/threads/threads.h"

/*
 * The last one may be the scheduler's: on the way to sleep, it starts a timer of its own (dl_task_timer) in the name
 * of the thread.
 */
static void feed_start(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = thread_get(builder, event->tid);

	if (thread == MODEL_NO_THREAD || event->timer.in_interrupt)
		return;
	builder->threads[thread].timer_before = builder->threads[thread].timer;
	builder->threads[thread].timer = (struct started_timer){
		.is_open = true,
		.id = event->timer.id,
		.nr_losses = builder->nr_timer_losses,
		.start_ns = builder->now_ns,
		.earliest_ns = event->timer.earliest_ns,
		.latest_ns = event->timer.latest_ns,
	};
}

void timers_feed(struct model_builder *builder, const struct trace_event *event)
{
	struct expired_timer *expired = &builder->cpus[event->cpu].timer;

	if (event->kind == TRACE_TIMER_START)
		feed_start(builder, event);
	else if (event->kind == TRACE_TIMER_EXPIRE)
		*expired = (struct expired_timer){
			.is_open = true,
			.id = event->timer.id,
			.now_ns = event->timer.now_ns,
			.end_ns = builder->now_ns,
		};
	else
		expired->is_open = false;
}

/* Of the last two that the thread started, that one; NULL: neither is. */
static struct started_timer *timer_of(struct thread_build *thread, uint64_t id)
{
	if (thread->timer.id == id)
		return &thread->timer;
	return thread->timer_before.id == id ? &thread->timer_before : NULL;
}

void timers_wake_by(struct model_builder *builder, const struct expired_timer *expired,
		    const struct trace_event *event)
{
	uint32_t thread = thread_get(builder, event->wakeup.wakee_tid);
	struct started_timer *started;

	if (thread == MODEL_NO_THREAD)
		return;
	started = timer_of(&builder->threads[thread], expired->id);
	if (!started || !started->is_open || started->nr_losses != builder->nr_timer_losses)
		return;
	started->is_open = false;
	if (expired->now_ns < started->earliest_ns || started->latest_ns < started->earliest_ns)
		return;
	timed_sleep_table_add(&builder->model->timed_sleeps,
			      &(struct timed_sleep_row){
				      .start_ns = started->start_ns,
				      .end_ns = expired->end_ns,
				      .thread = thread,
				      .late_ns = (uint64_t)(expired->now_ns - started->earliest_ns),
				      .slack_ns =
					      (uint64_t)(started->latest_ns - started->earliest_ns),
			      });
}

void timers_lose(struct model_builder *builder, int cpu)
{
	builder->nr_timer_losses++;
	builder->cpus[cpu].timer.is_open = false;
}
