/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The threads of a model under construction: who is who, and their states and CPUs over time.
 */
#ifndef ANNOT_MODEL_THREADS_H
#define ANNOT_MODEL_THREADS_H

#include "model/builder.h"
#include "util/rare.h"

/* As builder_need_cpu(), of one that the model has not, or that cannot be. */
RARE bool builder_add_cpus(struct model_builder *builder, int cpu);

/* Makes room for CPU @cpu in the model. False if its number is absurd. */
static inline bool builder_need_cpu(struct model_builder *builder, int cpu)
{
	if (cpu >= 0 && cpu < builder->model->nr_cpus)
		return true;
	return builder_add_cpus(builder, cpu);
}

/* A new thread, which from now on is what @tid means. */
RARE uint32_t thread_add(struct model_builder *builder, int32_t tid);

/* The thread that @tid means now, a new one if there is none; MODEL_NO_THREAD for idle. */
static inline uint32_t thread_get(struct model_builder *builder, int32_t tid)
{
	uint32_t thread = tid_table_get(&builder->tids, tid);

	if (thread == MODEL_NO_THREAD && tid_is_valid(tid))
		return thread_add(builder, tid);
	return thread;
}

/* As thread_get(), but whoever is dead is somebody else: the tid was given anew, unseen. */
static inline uint32_t thread_get_alive(struct model_builder *builder, int32_t tid)
{
	uint32_t thread = thread_get(builder, tid);

	if (thread == MODEL_NO_THREAD || builder->threads[thread].track.state != STATE_DEAD)
		return thread;
	return thread_add(builder, tid);
}

/* Whether @runner, of a CPU, is the thread that @tid means: who runs is alive, and has its own tid. */
static inline bool thread_runs_as(const struct model_builder *builder, uint32_t runner, int32_t tid)
{
	return runner < RUNNER_IDLE && builder->model->threads[runner].tid == tid;
}

/*
 * To be told each tid that an event names as running on @cpu, before anything is made of it: it may
 * show that the thread there exec'd, see thread_take_tid().
 */
void thread_note_exec(struct model_builder *builder, int cpu, int32_t tid);

/* A thread that @parent (or MODEL_NO_THREAD) just created. @tid is valid. */
uint32_t thread_create(struct model_builder *builder, int32_t tid, uint32_t parent,
		       const struct trace_event *fork);

/* An exec made @thread its process: it goes on under the tid of the process. */
void thread_take_tid(struct model_builder *builder, uint32_t thread, int32_t tid);

static inline void thread_set_comm(struct model_builder *builder, uint32_t thread, uint32_t comm)
{
	if (comm != TRACE_NO_STRING)
		builder->model->threads[thread].comm = comm;
}

/* It is switched in on @cpu, which nobody is known to use, with that priority (TRACE_PRIORITY_*). */
void thread_run(struct model_builder *builder, uint32_t thread, int cpu, uint8_t priority);

/* It turns out to run on @cpu, which nobody is known to use: its entry was not seen. */
void thread_appear(struct model_builder *builder, uint32_t thread, int cpu);

/* It is switched out on @cpu, where it is known to run. */
void thread_leave(struct model_builder *builder, uint32_t thread, int cpu,
		  enum trace_switch_reason reason);

/* Nobody runs on @cpu, which nobody is known to use. */
static inline void cpu_idle(struct model_builder *builder, int cpu)
{
	builder->cpus[cpu].runner = RUNNER_IDLE;
	builder->cpus[cpu].since_ns = builder->now_ns;
}

/* It is woken, for @cpu. False when that changes nothing. */
bool thread_wake(struct model_builder *builder, uint32_t thread, int cpu);

/* If it waits for a CPU, it does so in the queue of @cpu. False: it does not wait. */
bool thread_queue_on(struct model_builder *builder, uint32_t thread, int cpu);

/* Whoever is thought to run on @cpu did so until @until_ns; nothing is known of both since. */
RARE void cpu_lose_runner(struct model_builder *builder, int cpu, uint64_t until_ns);

/* Whoever is thought to run on @cpu does not: a switch is missing behind its last event. */
RARE void cpu_miss_switch(struct model_builder *builder, int cpu);

/* What follows a missing switch is known again from @until_ns on: it leaves a gap up to there. */
RARE void cpu_end_missing(struct model_builder *builder, int cpu, uint64_t until_ns);

/* Books what losses make of threads that wait, and the slices still open, at the trace's end. */
void threads_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_THREADS_H */
