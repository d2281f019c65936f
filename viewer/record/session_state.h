/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of one recording while it is made, and what its start and its end share.
 */
#ifndef ANNOT_RECORD_SESSION_STATE_H
#define ANNOT_RECORD_SESSION_STATE_H

#include <signal.h>
#include <stdbool.h>

#include "record/log/mmap_log.h"
#include "record/measure.h"
#include "record/program.h"
#include "record/recorder.h"
#include "record/session_plan.h"
#include "record/buffer/tracing.h"

struct session {
	const struct session_plan *plan;
	struct recording recording;
	struct recorder recorder;
	struct program program;
	struct measure measure;
	struct mmap_log *mmap_log; /* NULL: of no use, or not to be had */
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
	int nr_calls; /* of session_call_outside() that were due */
	bool show_progress;
};

/* How often session_call_outside() is to be called, while it has calls left. */
#define SESSION_CALL_INTERVAL_S 0.04

/* CLOCK_MONOTONIC. */
double session_now_s(void);

/*
 * Waits for a signal, for at most @timeout_s, and no longer than until the target has ended or a file
 * was mapped. Returns the signal, or 0.
 */
int session_wait_signal(const struct session *session, double timeout_s, siginfo_t *info);

/* Prints a line on stderr, unless the user asked for silence (-q). */
void session_inform(const struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Tells programs that run already that they are recorded. It does so twice, then nothing. */
void session_call_outside(struct session *session);
bool session_has_calls_left(const struct session *session);

#endif /* ANNOT_RECORD_SESSION_STATE_H */
