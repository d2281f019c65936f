// SPDX-License-Identifier: GPL-2.0
#include "model/states/states.h"

static const char *const state_names[NR_THREAD_STATES] = {
	[STATE_UNKNOWN] = "unknown",	 [STATE_RUNNING] = "running",
	[STATE_PREEMPTED] = "preempted", [STATE_RUNNABLE] = "runnable",
	[STATE_SLEEPING] = "sleeping",	 [STATE_UNINTERRUPTIBLE] = "uninterruptible",
	[STATE_STOPPED] = "stopped",	 [STATE_DEAD] = "dead",
};

const char *thread_state_name(enum thread_state state)
{
	return (unsigned int)state < NR_THREAD_STATES ? state_names[state] : "";
}

struct thread_track track_new(void)
{
	return (struct thread_track){ .state = STATE_UNKNOWN, .cpu = NO_CPU, .ran_on = NO_CPU };
}

enum thread_state state_after_switch(enum trace_switch_reason reason)
{
	switch (reason) {
	case TRACE_OUT_RUNNABLE:
		return STATE_PREEMPTED;
	case TRACE_OUT_SLEEPING:
		return STATE_SLEEPING;
	case TRACE_OUT_UNINTERRUPTIBLE:
		return STATE_UNINTERRUPTIBLE;
	case TRACE_OUT_STOPPED:
		return STATE_STOPPED;
	case TRACE_OUT_DEAD:
		return STATE_DEAD;
	}
	return STATE_UNKNOWN;
}

bool track_wake(struct thread_track *track, int cpu)
{
	switch (track->state) {
	case STATE_RUNNING:
	case STATE_PREEMPTED:
	case STATE_RUNNABLE:
	case STATE_DEAD:
		return false;
	default:
		track->state = STATE_RUNNABLE;
		track->cpu = cpu;
		return true;
	}
}

bool track_queue_on(struct thread_track *track, int cpu)
{
	if (!state_is_queued(track->state))
		return false;
	track->cpu = cpu;
	return true;
}

bool track_run(struct thread_track *track, int cpu)
{
	bool migrated = track->ran_on != NO_CPU && track->ran_on != cpu;

	track->state = STATE_RUNNING;
	track->cpu = cpu;
	track->ran_on = cpu;
	return migrated;
}

void track_leave(struct thread_track *track, enum trace_switch_reason reason, uint64_t time_ns)
{
	track->state = state_after_switch(reason);
	track->left_ns = time_ns;
}

void track_lose(struct thread_track *track)
{
	track->state = STATE_UNKNOWN;
	track->ran_on = NO_CPU;
}
