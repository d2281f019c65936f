/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One recording while it is made: what session.c and its parts share.
 */
#ifndef ANNOT_RECORD_SESSION_INTERNAL_H
#define ANNOT_RECORD_SESSION_INTERNAL_H

#include <signal.h>
#include <stdbool.h>

#include "record/log/mmap_log.h"
#include "record/measure.h"
#include "record/program.h"
#include "record/recorder.h"
#include "record/session.h"
#include "record/buffer/tracing.h"

struct session {
	const struct session_plan *plan;
	struct recording recording;
	struct recorder recorder;
	struct program program;
	struct measure measure;
	struct mapper *mapper; /* NULL: of no use, or not to be had */
	int signal_fd; /* only to wait for: siginfo comes from sigtimedwait() */
	int target_fd; /* the process to follow; -1: none */
	sigset_t signals; /* that the session waits for */
	sigset_t mask_before;
	double start_s;
	double stop_s; /* 0: still recording */
	struct recorder_result result; /* once the trace is written */
	bool is_finished;
	bool was_taken; /* somebody else has used the buffer */
	int stopped_by; /* without a command: the signal that ended the recording */
	bool with_module;
	int nr_calls; /* of call_outside() that were due */
	bool show_progress;
};

double now_s(void);

/*
 * The signal that came within @timeout_s, or 0: the time is over, or something else is to be seen
 * to sooner.
 */
int wait_signal(const struct session *session, double timeout_s, siginfo_t *info);

/* Unless the user wants it quiet. */
void inform(const struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Starts to record, and waits until all that was asked for is. Returns an exit status. */
int start_recording(struct session *session);

/* To be called again and again: tells programs that run already that they are recorded. */
void call_outside(struct session *session);

/* Takes what became of the recording, now that the recorder has ended. */
void take_result(struct session *session);

/* Ends what is recorded: from here on, its figures are final. */
void stop_recording(struct session *session);

/* Waits until the trace is written, and tells what there is. Returns an exit status. */
int finish_recording(struct session *session);

#endif /* ANNOT_RECORD_SESSION_INTERNAL_H */
