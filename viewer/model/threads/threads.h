/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The threads of a model during the build: which thread a tid means, their states and their CPUs.
 */
#ifndef ANNOT_MODEL_THREADS_H
#define ANNOT_MODEL_THREADS_H

#include "model/builder_state.h"
#include "util/rare.h"

/* builder_need_cpu() for a CPU that is not in the model, or is out of range. */
RARE bool builder_add_cpus(struct model_builder *builder, int cpu);

/* Makes room for CPU @cpu in the model. Returns false if the number is out of range. */
static inline bool builder_need_cpu(struct model_builder *builder, int cpu)
{
	if (cpu >= 0 && cpu < builder->model->nr_cpus)
		return true;
	return builder_add_cpus(builder, cpu);
}

/* Adds a new thread. From now on, @tid means this thread. */
RARE uint32_t thread_add(struct model_builder *builder, int32_t tid);

/* The thread that @tid means now. Adds one if there is none. MODEL_NO_THREAD for idle. */
static inline uint32_t thread_get(struct model_builder *builder, int32_t tid)
{
	uint32_t thread = tid_table_get(&builder->tids, tid);

	if (thread == MODEL_NO_THREAD && tid_is_valid(tid))
		return thread_add(builder, tid);
	return thread;
}

/* Like thread_get(), but if that thread is dead, adds a new one: the kernel has reused the tid. */
static inline uint32_t thread_get_alive(struct model_builder *builder, int32_t tid)
{
	uint32_t thread = thread_get(builder, tid);

	if (thread == MODEL_NO_THREAD || builder->threads[thread].track.state != STATE_DEAD)
		return thread;
	return thread_add(builder, tid);
}

/*
 * Whether the CPU's @runner is the thread that @tid means. A runner is alive and has its own tid.
 */
static inline bool thread_runs_as(const struct model_builder *builder, uint32_t runner, int32_t tid)
{
	return runner < RUNNER_IDLE && builder->model->threads[runner].tid == tid;
}

/*
 * Detects an exec of the thread on @cpu from the @tid that an event names as running there
 * (thread_take_tid()). Call before anything else uses the event.
 */
void thread_note_exec(struct model_builder *builder, int cpu, int32_t tid);

/* Adds a thread that @parent (or MODEL_NO_THREAD) just created. @tid is valid. */
uint32_t thread_create(struct model_builder *builder, int32_t tid, uint32_t parent,
		       const struct trace_event *fork);

/* @thread did an exec as a thread other than the leader: it now has the tid of its process. */
void thread_take_tid(struct model_builder *builder, uint32_t thread, int32_t tid);

static inline void thread_set_comm(struct model_builder *builder, uint32_t thread, uint32_t comm)
{
	if (comm != TRACE_NO_STRING)
		builder->model->threads[thread].comm = comm;
}

/* Switches the thread in on @cpu, which has no known runner, with @priority (TRACE_PRIORITY_*). */
void thread_run(struct model_builder *builder, uint32_t thread, int cpu, uint8_t priority);

/* The thread is seen on @cpu, which has no known runner. Its switch onto the CPU was not seen. */
void thread_appear(struct model_builder *builder, uint32_t thread, int cpu);

/* Switches the thread out on @cpu, where it is the known runner. */
void thread_leave(struct model_builder *builder, uint32_t thread, int cpu,
		  enum trace_switch_reason reason);

/* @cpu, which has no known runner, is idle. */
static inline void cpu_idle(struct model_builder *builder, int cpu)
{
	builder->cpus[cpu].runner = RUNNER_IDLE;
	builder->cpus[cpu].since_ns = builder->now_ns;
}

/* Wakes the thread on @cpu. Returns false if that changes nothing. */
bool thread_wake(struct model_builder *builder, uint32_t thread, int cpu);

/* Moves the thread to the queue of @cpu. Returns false if it does not wait for a CPU. */
bool thread_queue_on(struct model_builder *builder, uint32_t thread, int cpu);

/*
 * Ends the slice of the runner of @cpu at @until_ns. After that, the thread and the CPU are
 * unknown.
 */
RARE void cpu_lose_runner(struct model_builder *builder, int cpu, uint64_t until_ns);

/* The runner of @cpu is wrong: a switch is missing after the CPU's last event. */
RARE void cpu_miss_switch(struct model_builder *builder, int cpu);

/* Ends the gap of a missing switch at @until_ns. */
RARE void cpu_end_missing(struct model_builder *builder, int cpu, uint64_t until_ns);

/* At the end of the trace: adds the states of waiting threads after losses, and the open slices. */
void threads_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_THREADS_H */
