/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state machine of one thread, on its own: what is known of it, and what each thing that
 * happens to it makes of that. Knows nothing of files, columns or other threads.
 */
#ifndef ANNOT_MODEL_STATES_H
#define ANNOT_MODEL_STATES_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

enum thread_state {
	STATE_UNKNOWN, /* before it was first seen, or while events were lost */
	STATE_RUNNING, /* on a CPU */
	STATE_PREEMPTED, /* switched out while it still wanted to run */
	STATE_RUNNABLE, /* woken, not yet on a CPU: wakeup latency */
	STATE_SLEEPING, /* asleep: lock, timer, pipe, ... */
	STATE_UNINTERRUPTIBLE, /* uninterruptible sleep */
	STATE_STOPPED, /* stopped by a signal or a debugger */
	STATE_DEAD, /* after its last switch */
	NR_THREAD_STATES,
};

/* Names of the states as users read them: "running", "preempted", ... */
const char *thread_state_name(enum thread_state state);

#define NO_CPU (-1)

struct thread_track {
	enum thread_state state;
	int cpu; /* where it runs, waits, or last ran; NO_CPU: not known */
	int ran_on; /* where it certainly ran last; NO_CPU: it may have been elsewhere */
	uint64_t left_ns; /* when it left ran_on */
};

/* A thread of which nothing is known yet. */
struct thread_track track_new(void);

/* What a switch-out makes of a thread, by the reason the kernel gives. */
enum thread_state state_after_switch(enum trace_switch_reason reason);

/* Whether it waits for a CPU, in the queue of one. */
static inline bool state_is_queued(enum thread_state state)
{
	return state == STATE_PREEMPTED || state == STATE_RUNNABLE;
}

/* Whether it can run only once it was woken. */
static inline bool state_is_asleep(enum thread_state state)
{
	return state == STATE_SLEEPING || state == STATE_UNINTERRUPTIBLE || state == STATE_STOPPED;
}

/*
 * It is woken, for @cpu. False when that changes nothing: it runs or waits for a CPU already (its
 * wakeup came before it had gone to sleep), or it is dead.
 */
bool track_wake(struct thread_track *track, int cpu);

/* The scheduler moved it to the queue of @cpu. False when it waits in none. */
bool track_queue_on(struct thread_track *track, int cpu);

/* It runs on @cpu from now on. True when that is another one than it ran on before. */
bool track_run(struct thread_track *track, int cpu);

/* It left its CPU. */
void track_leave(struct thread_track *track, enum trace_switch_reason reason, uint64_t time_ns);

/* Events were lost or contradict each other: it may be doing anything, anywhere. */
void track_lose(struct thread_track *track);

#endif /* ANNOT_MODEL_STATES_H */
