// SPDX-License-Identifier: GPL-2.0
#include "model/evidence.h"

/* An exec by another thread than its process's leader: from here on that has the leader's tid. */
static bool is_own_exec(const struct model_builder *builder, const struct trace_event *event)
{
	return event->kind == TRACE_RENAME && event->rename.is_exec &&
	       event->rename.subject_tid == event->tid &&
	       thread_runs_as(builder, builder->cpus[event->cpu].runner,
			      event->rename.exec_old_tid);
}

/* What cannot be masked comes in the middle of a switch, too. */
static bool may_be_in_switch(const struct trace_event *event)
{
	if (trace_event_is_unsure(event))
		return event->other.may_be_in_switch;
	return event->kind == TRACE_SAMPLE || event->kind == TRACE_PMU_STATE;
}

/*
 * The switch was recorded already, but its thread is still the kernel's current one. On a virtual
 * CPU there is no bound on this time. Only unsure events can come during it.
 */
static bool is_within_switch(const struct model_builder *builder, const struct trace_event *event)
{
	const struct cpu_build *on = &builder->cpus[event->cpu];

	return may_be_in_switch(event) && on->runner != RUNNER_UNKNOWN &&
	       event->tid == on->left_tid && on->last_event_ns <= on->since_ns;
}

static bool names_runner(const struct model_builder *builder, const struct trace_event *event)
{
	uint32_t runner = builder->cpus[event->cpu].runner;

	return thread_runs_as(builder, runner, event->tid) ||
	       (runner == RUNNER_IDLE && !tid_is_valid(event->tid));
}

static void learn_runner(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t thread = thread_get_alive(builder, event->tid);

	builder->model->cpus[event->cpu].seen = true;
	if (thread == MODEL_NO_THREAD)
		cpu_idle(builder, event->cpu);
	else
		thread_appear(builder, thread, event->cpu);
}

bool evidence_weigh(struct model_builder *builder, const struct trace_event *event)
{
	int cpu = event->cpu;

	if (is_within_switch(builder, event))
		return false;
	thread_note_exec(builder, cpu, event->tid);
	if (names_runner(builder, event) || is_own_exec(builder, event))
		return true;
	if (builder->cpus[cpu].runner != RUNNER_UNKNOWN)
		cpu_miss_switch(builder, cpu);
	cpu_end_missing(builder, cpu, builder->now_ns);
	learn_runner(builder, event);
	return true;
}

/*
 * The named thread was on the CPU just now, and may be leaving. So the event only proves that the
 * thread's entry was not seen.
 */
static void weigh_unsure(struct model_builder *builder, const struct trace_event *event)
{
	int cpu = event->cpu;

	if (builder->cpus[cpu].runner == RUNNER_UNKNOWN || names_runner(builder, event) ||
	    is_within_switch(builder, event))
		return;
	thread_note_exec(builder, cpu, event->tid);
	if (!names_runner(builder, event))
		cpu_miss_switch(builder, cpu);
}

void evidence_feed_other(struct model_builder *builder, const struct trace_event *event)
{
	if (may_be_in_switch(event))
		weigh_unsure(builder, event);
	else if (evidence_take(builder, event))
		builder->cpus[event->cpu].last_event_ns = builder->now_ns;
}
