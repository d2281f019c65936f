/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The threads of a model under construction: who is who, and their states and CPUs over time.
 */
#ifndef ANNOT_MODEL_THREADS_H
#define ANNOT_MODEL_THREADS_H

#include "model/builder.h"

/* Makes room for CPU @cpu in the model. False if its number is absurd. */
bool builder_need_cpu(struct model_builder *builder, int cpu);

/* The thread that @tid means now, a new one if there is none; MODEL_NO_THREAD for idle. */
uint32_t thread_get(struct model_builder *builder, int32_t tid);

/* As thread_get(), but whoever is dead is somebody else: the tid was given anew, unseen. */
uint32_t thread_get_alive(struct model_builder *builder, int32_t tid);

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

void thread_set_comm(struct model_builder *builder, uint32_t thread, uint32_t comm);

/* It is switched in on @cpu, which nobody is known to use. */
void thread_run(struct model_builder *builder, uint32_t thread, int cpu);

/* It turns out to run on @cpu, which nobody is known to use: its entry was not seen. */
void thread_appear(struct model_builder *builder, uint32_t thread, int cpu);

/* It is switched out on @cpu, where it was not necessarily known to run. */
void thread_leave(struct model_builder *builder, uint32_t thread, int cpu,
		  enum trace_switch_reason reason);

/* It is woken, for @cpu. False when that changes nothing. */
bool thread_wake(struct model_builder *builder, uint32_t thread, int cpu);

/* If it waits for a CPU, it does so in the queue of @cpu. */
void thread_queue_on(struct model_builder *builder, uint32_t thread, int cpu);

/* Whoever is thought to run on @cpu did so until @until_ns; nothing is known of both since. */
void cpu_lose_runner(struct model_builder *builder, int cpu, uint64_t until_ns);

/* Books what losses make of threads that wait, and the slices still open, at the trace's end. */
void threads_finish(struct model_builder *builder);

#endif /* ANNOT_MODEL_THREADS_H */
