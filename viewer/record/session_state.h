/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The state of one recording, shared by its start and its end.
 */
#ifndef ANNOT_RECORD_SESSION_STATE_H
#define ANNOT_RECORD_SESSION_STATE_H

#include <signal.h>
#include <stdbool.h>

#include "record/groups/group_log.h"
#include "record/log/mmap_log.h"
#include "record/log/uncore_log.h"
#include "record/measure.h"
#include "record/program.h"
#include "record/recorder.h"
#include "record/session_plan.h"
#include "record/stacks.h"
#include "record/buffer/tracing.h"

struct session {
	const struct session_plan *plan;
	struct recording recording;
	struct recorder recorder;
	struct program program;
	struct measure measure;
	struct mmap_log *mmap_log; /* NULL: not needed, or it failed */
	struct stacks *stacks; /* NULL: not wanted */
	struct uncore_log *uncore_log; /* NULL: nothing to count */
	struct group_log *group_log; /* the same */
	int signal_fd; /* only for poll(): siginfo comes from sigtimedwait() */
	int target_fd; /* the process to follow; -1: none */
	sigset_t signals; /* signals that the session waits for */
	sigset_t mask_before;
	double start_s;
	double stop_s; /* 0: still recording */
	struct recorder_result result; /* valid once the trace is written */
	bool is_finished;
	bool was_taken; /* another program has used the buffer */
	int stopped_by; /* without a command: the signal that ended the recording */
	bool with_module;
	int nr_calls; /* number of calls of session_call_outside() so far */
	bool show_progress;
};

/* The number of calls of session_call_outside() in a recording. */
#define SESSION_CALL_INTERVAL_S 0.04

/* CLOCK_MONOTONIC. */
double session_now_s(void);

/*
 * Waits at most @timeout_s for a signal. Returns early when the target ends or a file was mapped.
 * Returns the signal, or 0.
 */
int session_wait_signal(const struct session *session, double timeout_s, siginfo_t *info);

/* Prints a line on stderr, unless -q was given. */
void session_inform(const struct session *session, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Lets programs that already run notice the recording. Does so twice, then nothing. */
void session_call_outside(struct session *session);
bool session_has_calls_left(const struct session *session);

#endif /* ANNOT_RECORD_SESSION_STATE_H */
