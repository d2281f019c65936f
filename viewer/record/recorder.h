/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The recorder: a child process that reads the buffer and makes the trace. It is in a session of
 * its own, so signals of the terminal and of the program do not reach it. If this process is
 * killed, the recorder still finishes. If the recorder is killed, this process finishes.
 */
#ifndef ANNOT_RECORD_RECORDER_H
#define ANNOT_RECORD_RECORDER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/recording.h"

struct recorder_word;

struct recorder {
	pid_t pid; /* 0: ended and waited for */
	int status; /* as waitpid() gives it, once ended */
	int control_fd; /* closed: the recording has ended; -1: closed */
	struct recorder_word *word; /* what the child reports; shared memory; NULL: not started */
};

#define RECORDER_NONE ((struct recorder){ .control_fd = -1 })

/* Starts reading. Returns 0, or -1 after one line on stderr. */
int recorder_start(struct recorder *recorder, struct recording *recording);

/* Whether it has ended. Does not wait. */
bool recorder_ended(struct recorder *recorder);

/* Asks it to make the trace and to end. Call after recording_stop(); may be called twice. */
void recorder_ask_to_end(struct recorder *recorder);

/* How a recording ended. */
struct recorder_result {
	bool failed; /* the trace is incomplete; a line on stderr has said why */
	bool is_there; /* there is a trace, up to some point */
	uint64_t lost_events; /* by the kernel */
};

/*
 * Returns the result of the recording and closes it. Call after the recorder has ended. If it was
 * killed, this function finishes in its place and prints one line.
 */
struct recorder_result recorder_finish(struct recorder *recorder, struct recording *recording);

/* Kills the recorder, if it runs, and removes the recording. */
void recorder_destroy(struct recorder *recorder, struct recording *recording);

#endif /* ANNOT_RECORD_RECORDER_H */
