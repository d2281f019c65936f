// SPDX-License-Identifier: GPL-2.0
#include "record/session_end.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "util/progress.h"
#include "util/diag.h"

#define WRITING_TICK_S 0.5
#define LINE_MAX_BYTES 256

/* Tracing is turned off before the recorder is asked to end, so that the figures are final. */
void session_stop_recording(struct session *session)
{
	if (session->stop_s > 0)
		return;
	progress_clear();
	mmap_log_close(session->mmap_log);
	session->mmap_log = NULL;
	uncore_log_stop(session->uncore_log);
	group_log_stop(session->group_log);
	session->was_taken = claim_was_taken(&session->recording.claim);
	recording_stop(&session->recording);
	session->stop_s = session_now_s();
	recorder_ask_to_end(&session->recorder);
}

void session_take_result(struct session *session)
{
	bool is_early = session->stop_s <= 0;

	progress_clear();
	if (is_early)
		session_stop_recording(session);
	session->result = recorder_finish(&session->recorder, &session->recording);
	session->is_finished = true;
	if (is_early && session->program.pid)
		session_inform(session, "the command runs on unrecorded");
}

static void show_writing(const struct session *session)
{
	char line[LINE_MAX_BYTES];

	if (!session->show_progress || !progress_possible())
		return;
	snprintf(line, sizeof(line), "writing %s", session->plan->output);
	progress_show(line);
}

static void print_lost(const struct session *session)
{
	uint64_t lost_events = session->result.lost_events;
	long buffer_kb = session->plan->buffer_kb;

	if (!lost_events)
		return;
	if (!buffer_kb)
		buffer_kb = tracing_default_buffer_kb();
	diag_warn("%" PRIu64 " events LOST: the kernel's buffers overflowed; "
		  "record again with larger ones: -b %ld",
		  lost_events, 4 * buffer_kb);
}

static void print_throttled(const struct session *session)
{
	uint64_t throttled_ns = measure_throttled_ns(&session->measure);

	if (throttled_ns)
		diag_warn(
			"record: for %.3f s (CPUs and events added up) samples are missing: they came "
			"too often for the kernel; record again with a longer period (-c) or a lower -F",
			(double)throttled_ns / 1e9);
}

static const char *what_is_missing(const struct session *session)
{
	if (session->result.failed)
		return "not to its end";
	if (session->was_taken)
		return "not whole";
	return session->result.lost_events ? "with gaps" : "no event lost";
}

static int report_end(const struct session *session)
{
	const struct session_plan *plan = session->plan;
	struct stat status;
	char size[24];

	if (!session->result.is_there || stat(plan->output, &status))
		return EXIT_BAD_INPUT;
	progress_format_bytes((uint64_t)status.st_size, size, sizeof(size));
	session_inform(session, "recorded %.1f s in %s (%s), %s",
		       session->stop_s - session->start_s, plan->output, size,
		       what_is_missing(session));
	if (session->was_taken)
		diag_error("record: another program used the kernel's top buffer meanwhile: %s may "
			   "lack events",
			   plan->output);
	print_lost(session);
	print_throttled(session);
	session_inform(session, "next: annot html %s", plan->output);
	return session->result.failed || session->was_taken ? EXIT_BAD_INPUT : EXIT_OK;
}

int session_finish_recording(struct session *session)
{
	siginfo_t info;

	session_stop_recording(session);
	while (!session->is_finished) {
		if (recorder_ended(&session->recorder)) {
			session_take_result(session);
			break;
		}
		session_wait_signal(session, WRITING_TICK_S, &info);
		show_writing(session);
	}
	progress_clear();
	return report_end(session);
}
