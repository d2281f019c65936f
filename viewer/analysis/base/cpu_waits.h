/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The times in which threads of the session could run and did not (preempted or runnable), and the threads that ran
 * meanwhile on the CPU in whose queue they waited.
 */
#ifndef ANNOT_CPU_WAITS_H
#define ANNOT_CPU_WAITS_H

#include "model/model.h"

struct cpu_wait {
	uint32_t thread;
	int cpu; /* -1: not known */
	enum thread_state state; /* STATE_PREEMPTED or STATE_RUNNABLE */
	bool is_first; /* it did not wait elsewhere just before */
	uint64_t start_ns;
	uint64_t end_ns;
};

/* Each wait that took any time, thread by thread, each thread's in order. */
void cpu_waits_each(const struct model *model,
		    void (*take)(void *context, const struct cpu_wait *wait), void *context);

/* The same, of waits that took @least_ns, which is not 0. */
void cpu_waits_each_long(const struct model *model, uint64_t least_ns,
			 void (*take)(void *context, const struct cpu_wait *wait), void *context);

/*
 * The first slice of the wait's CPU that ends after the wait began; their number if there is none. @near: where the search
 * begins. Any value does; the slice of the wait before is the best, and where to begin without one is 0.
 */
size_t cpu_wait_first_slice(const struct model *model, const struct cpu_wait *wait, size_t near);

/* Limit for one wait. In a fair queue, a thread waits for each other one once: more are not needed. */
#define CPU_WAIT_MAX_RUNNERS 64

/*
 * Calls back with each thread that ran on the wait's CPU meanwhile, in order. MODEL_NO_THREAD: the CPU was idle, or the
 * thread is unknown. The intervals fill the wait. @first_slice: cpu_wait_first_slice(). Time after the first CPU_WAIT_MAX_RUNNERS slices has no thread.
 */
void cpu_wait_runners(const struct model *model, const struct cpu_wait *wait, size_t first_slice,
		      void (*take)(void *context, const struct cpu_wait *wait, uint32_t by,
				   uint64_t from_ns, uint64_t to_ns),
		      void *context);

#endif /* ANNOT_CPU_WAITS_H */
