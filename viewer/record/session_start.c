// SPDX-License-Identifier: GPL-2.0
#include "record/session_start.h"

#include "util/diag.h"

#define START_POLL_S 0.01
#define COUNTERS_TIMEOUT_S 10.0

/*
 * Misses before the counters run would be missing. If samples are limited, the counters may have
 * stopped before this check.
 */
static int begin_measurement(struct session *session)
{
	double deadline_s = session_now_s() + COUNTERS_TIMEOUT_S;
	siginfo_t info;

	if (measure_start(&session->measure, &session->plan->measure))
		return EXIT_BAD_INPUT;
	if (session->plan->measure.max_samples)
		return EXIT_OK;
	while (!measure_runs(&session->measure)) {
		int signal_number = session_wait_signal(session, START_POLL_S, &info);

		if (signal_number && signal_number != SIGCHLD)
			return 128 + signal_number;
		if (session_now_s() > deadline_s) {
			diag_warn(
				"record: not every CPU has a counter for every event: the others are measured (see annot_pmu_state in the trace)");
			break;
		}
	}
	return EXIT_OK;
}

static enum events_annot annot_events(const struct session *session)
{
	if (!session->with_module)
		return EVENTS_ANNOT_NONE;
	if (!tracing_has_event("annot/annot_batch"))
		return EVENTS_ANNOT_ALL;
	return session->plan->readable ? EVENTS_ANNOT_ONE_BY_ONE : EVENTS_ANNOT_BATCHED;
}

/* Where the module tells the system call, the stack tells more only of those that wait for the kernel itself. */
static enum stack_trigger stacks_of_sleep(const struct session_plan *plan, bool is_told_by_module)
{
	if (!plan->why)
		return STACK_TRIGGER_NONE;
	return is_told_by_module ? STACK_TRIGGER_UNINTERRUPTIBLE : STACK_TRIGGER_ASLEEP;
}

int session_start_recording(struct session *session)
{
	const struct session_plan *plan = session->plan;
	const bool is_told_by_module = plan->why && session->with_module &&
				       tracing_has_event("annot/annot_blocked");
	const struct recording_plan recording = {
		.output = plan->output,
		.clock = plan->clock,
		.compression = plan->compression,
		.version = plan->version,
		.buffer_kb = plan->buffer_kb,
		.annot = annot_events(session),
		.samples = session->measure.samples,
		.counts = session->measure.counts,
		.call_stacks = plan->measure.stacks &&
			       (session->measure.samples || is_told_by_module),
		.blocked = is_told_by_module,
		.wakers = is_told_by_module && plan->measure.stacks &&
			  tracing_has_event("annot/annot_waking"),
		.stacks = stacks_of_sleep(plan, is_told_by_module),
		.extra_events = plan->extra_events,
	};

	if (recording_open(&session->recording, &recording) ||
	    recorder_start(&session->recorder, &session->recording))
		return EXIT_BAD_INPUT;
	recording_begin(&session->recording);
	session->start_s = session_now_s();
	session_call_outside(session);
	return begin_measurement(session);
}
