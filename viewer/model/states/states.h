/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state machine of one thread. It knows nothing of files, tables or other threads.
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
	int ran_on; /* CPU of its last slice; NO_CPU: it may have run elsewhere since */
	uint64_t left_ns; /* when it left ran_on */
};

/* A thread in unknown state. */
struct thread_track track_new(void);

/* The state after a switch-out for @reason. */
enum thread_state state_after_switch(enum trace_switch_reason reason);

/* Whether the thread waits in the queue of a CPU. */
static inline bool state_is_queued(enum thread_state state)
{
	return state == STATE_PREEMPTED || state == STATE_RUNNABLE;
}

/* Whether the thread needs a wakeup before it can run. */
static inline bool state_is_asleep(enum thread_state state)
{
	return state == STATE_SLEEPING || state == STATE_UNINTERRUPTIBLE || state == STATE_STOPPED;
}

/*
 * Wakes the thread on @cpu. Returns false if that changes nothing: it already runs or waits for a
 * CPU (the wakeup came before it slept), or it is dead.
 */
bool track_wake(struct thread_track *track, int cpu);

/* Moves the thread to the queue of @cpu. Returns false if it is not in a queue. */
bool track_queue_on(struct thread_track *track, int cpu);

/* Switches the thread in on @cpu. Returns true if it ran on another CPU before. */
bool track_run(struct thread_track *track, int cpu);

/* Switches the thread out. */
void track_leave(struct thread_track *track, enum trace_switch_reason reason, uint64_t time_ns);

/* Sets the state to unknown, after lost or contradictory events. */
void track_lose(struct thread_track *track);

#endif /* ANNOT_MODEL_STATES_H */
