// SPDX-License-Identifier: GPL-2.0
/*
 * The beginning of a recording: nothing the command does may come before it.
 */
#include <stdio.h>

#include "record/session_internal.h"
#include "util/diag.h"

#define START_TIMEOUT_S 60.0
#define START_POLL_S 0.01
#define COUNTERS_TIMEOUT_S 10.0

static int report_failed_start(struct session *session)
{
	char why[WHY_MAX_BYTES];

	if (recorder_succeeded(&session->recorder, why, sizeof(why)))
		snprintf(why, sizeof(why), "it ended at once");
	/* It may have got as far as enabling some. */
	tracing_disable_events();
	recorder_remove_leftovers(session->plan->output);
	diag_error("record: trace-cmd could not start: %s", why);
	return EXIT_BAD_INPUT;
}

static bool recording(const struct session *session)
{
	return tracing_is_on(&session->tracing) &&
	       recorder_is_ready(&session->recorder, session->plan->output);
}

/* Waits until trace-cmd has turned tracing on and reads what is traced. */
static int wait_for_start(struct session *session)
{
	double deadline_s = now_s() + START_TIMEOUT_S;
	siginfo_t info;

	while (!recording(session)) {
		int signal_number = wait_signal(session, START_POLL_S, &info);

		if (recorder_ended(&session->recorder))
			return report_failed_start(session);
		if (signal_number && signal_number != SIGCHLD)
			return 128 + signal_number;
		if (now_s() > deadline_s) {
			tracing_disable_events();
			diag_error("record: trace-cmd did not start recording within %.0f s",
				   START_TIMEOUT_S);
			return EXIT_BAD_INPUT;
		}
	}
	session->start_s = now_s();
	return EXIT_OK;
}

/* Short of memory, trace-cmd records with the buffers that are there. */
static void check_buffer(const struct session *session)
{
	long buffer_kb = tracing_buffer_kb();

	if (buffer_kb > 0 && buffer_kb < session->plan->buffer_kb)
		diag_warn("record: no memory for buffers of %ld kB per CPU; recording with %ld kB",
			  session->plan->buffer_kb, buffer_kb);
}

/*
 * What the command does before its misses are counted would be missing. Where only so many samples
 * are wanted, the counters may have stopped before anybody looks.
 */
static int begin_measurement(const struct session *session)
{
	double deadline_s = now_s() + COUNTERS_TIMEOUT_S;
	siginfo_t info;

	if (measure_start(&session->measure, &session->plan->measure))
		return EXIT_BAD_INPUT;
	if (session->plan->measure.max_samples)
		return EXIT_OK;
	while (!measure_runs(&session->measure)) {
		int signal_number = wait_signal(session, START_POLL_S, &info);

		if (signal_number && signal_number != SIGCHLD)
			return 128 + signal_number;
		if (now_s() > deadline_s) {
			diag_warn("record: not every CPU has a counter for every event: the rest "
				  "is measured (annot_pmu_state in the trace tells)");
			break;
		}
	}
	return EXIT_OK;
}

static enum recorder_annot annot_events(const struct session *session)
{
	if (!session->with_module)
		return RECORDER_ANNOT_NONE;
	if (!tracing_has_event("annot/annot_batch"))
		return RECORDER_ANNOT_ALL;
	return session->plan->readable ? RECORDER_ANNOT_ONE_BY_ONE : RECORDER_ANNOT_BATCHED;
}

int start_recording(struct session *session)
{
	const struct session_plan *plan = session->plan;
	const struct recorder_options options = {
		.output = plan->output,
		.clock = plan->clock,
		.buffer_kb = plan->buffer_kb,
		.extra_events = plan->extra_events,
		.annot = annot_events(session),
		.samples = session->measure.samples,
		.counts = session->measure.counts,
	};
	int status;

	/* What is there from before would look as if trace-cmd had begun. */
	tracing_off(&session->tracing);
	recorder_remove_leftovers(plan->output);
	if (recorder_start(&session->recorder, &options))
		return EXIT_BAD_INPUT;
	status = wait_for_start(session);
	if (status)
		return status;
	check_buffer(session);
	return begin_measurement(session);
}
