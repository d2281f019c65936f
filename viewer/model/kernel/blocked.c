// SPDX-License-Identifier: GPL-2.0
#include "model/kernel/blocked.h"

#include "model/kernel/stacks.h"
#include "model/table_rows.h"
#include "model/threads/threads.h"

/* Who @event says holds the lock that @waiter waits for. The program says it, so it may be wrong. */
static uint32_t holder_of(struct model_builder *builder, uint32_t waiter,
			  const struct trace_event *event)
{
	const struct thread *threads;
	uint32_t holder;

	if (waiter == MODEL_NO_THREAD || !tid_is_valid(event->blocked.holder_tid))
		return MODEL_NO_THREAD;
	holder = thread_get(builder, event->blocked.holder_tid);
	threads = builder->model->threads;
	if (holder == waiter)
		return MODEL_NO_THREAD;
	if (event->blocked.is_of_process && threads[holder].tgid && threads[waiter].tgid &&
	    threads[holder].tgid != threads[waiter].tgid)
		return MODEL_NO_THREAD;
	return holder;
}

void blocked_note(struct model_builder *builder, const struct trace_event *event)
{
	uint32_t waiter = thread_get(builder, event->tid);

	builder->cpus[event->cpu].blocked = (struct blocked_note){
		.tid = event->tid,
		.is_due = true,
		.system_call = event->blocked.system_call,
		.cause = event->blocked.cause,
		.cause_if_stopped = event->blocked.cause_if_stopped,
		.object = event->blocked.object,
		.object_id = event->blocked.object_id,
		.holder = holder_of(builder, waiter, event),
		.stack = event->blocked.stack,
	};
}

void blocked_forget(struct model_builder *builder, int cpu)
{
	builder->cpus[cpu].blocked.tid = 0;
}

static void add_row(struct cause_table *causes, uint64_t start_ns, const struct blocked_note *note)
{
	size_t row = causes->nr;

	cause_table_add(causes, start_ns, note->cause, TRACE_NO_STRING);
	causes->system_call[row] = note->system_call;
	causes->object[row] = note->object;
	causes->object_id[row] = note->object_id;
	causes->holder[row] = note->holder;
}

/* Of the thread that left last. */
static bool fell_asleep(const struct cpu_build *cpu)
{
	return cpu->left != RUNNER_IDLE && cpu->left_for != TRACE_OUT_RUNNABLE &&
	       cpu->left_for != TRACE_OUT_DEAD;
}

void blocked_leave_noted(struct model_builder *builder, const struct trace_event *event)
{
	struct cpu_build *cpu = &builder->cpus[event->cpu];
	uint64_t left_ns = builder->now_ns;

	if (!cpu->blocked.is_due || cpu->blocked.tid != event->tid)
		blocked_forget(builder, event->cpu);
	cpu->blocked.is_due = false;
	if (!cpu->blocked.tid || !fell_asleep(cpu))
		return;
	if (cpu->left_for == TRACE_OUT_STOPPED)
		cpu->blocked.cause = cpu->blocked.cause_if_stopped;
	add_row(&builder->model->threads[cpu->left].causes, left_ns, &cpu->blocked);
	stacks_add_user(builder, cpu->left, left_ns, cpu->blocked.stack);
}

static bool stack_knows_better(const struct cpu_build *cpu, const struct trace_event *stack)
{
	if (stack->stack.cause == TRACE_NO_STRING)
		return false;
	return cpu->left_for == TRACE_OUT_UNINTERRUPTIBLE ||
	       cpu->blocked.system_call == TRACE_NO_STRING;
}

/* Into the row that annot_blocked made, if there is one: it stays here as long as its state, which goes on. */
static void add_stack(const struct cpu_build *cpu, struct cause_table *causes, uint64_t start_ns,
		      const struct trace_event *stack)
{
	size_t row = causes->nr - 1;

	if (!cpu->blocked.tid || !causes->nr || causes->start_ns[row] != start_ns) {
		cause_table_add(causes, start_ns, stack->stack.cause, stack->stack.frames);
		return;
	}
	if (stack_knows_better(cpu, stack))
		causes->cause[row] = stack->stack.cause;
	causes->frames[row] = stack->stack.frames;
}

bool blocked_add_stack(struct model_builder *builder, const struct trace_event *event)
{
	struct cpu_build *cpu = &builder->cpus[event->cpu];

	if (!cpu->may_have_stack || cpu->left_tid != event->tid)
		return false;
	cpu->may_have_stack = false;
	if (fell_asleep(cpu))
		add_stack(cpu, &builder->model->threads[cpu->left].causes,
			  builder->threads[cpu->left].track.left_ns, event);
	return true;
}
