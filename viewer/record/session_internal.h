/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One recording while it is made: what session.c and its parts share.
 */
#ifndef ANNOT_RECORD_SESSION_INTERNAL_H
#define ANNOT_RECORD_SESSION_INTERNAL_H

#include <signal.h>
#include <stdbool.h>

#include "record/mapper.h"
#include "record/measure.h"
#include "record/program.h"
#include "record/recorder.h"
#include "record/session.h"
#include "record/tracing.h"

#define WHY_MAX_BYTES 512

struct session {
	const struct session_plan *plan;
	struct tracing tracing;
	struct recorder recorder;
	struct program program;
	struct tracing_stats stats;
	struct measure measure;
	struct mapper *mapper; /* NULL: of no use, or not to be had */
	int signal_fd; /* only to wait for: siginfo comes from sigtimedwait() */
	int target_fd; /* the process to follow; -1: none */
	sigset_t signals; /* that the session waits for */
	sigset_t mask_before;
	double start_s;
	double stop_s; /* 0: still recording */
	int stopped_by; /* without a command: the signal that ended the recording */
	bool with_module;
	bool show_progress;
};

double now_s(void);

/*
 * The signal that came within @timeout_s, or 0: the time is over, or something else is to be seen
 * to sooner.
 */
int wait_signal(const struct session *session, double timeout_s, siginfo_t *info);

/* Starts trace-cmd, and waits until all that was asked for is recorded. Returns an exit status. */
int start_recording(struct session *session);

#endif /* ANNOT_RECORD_SESSION_INTERNAL_H */
