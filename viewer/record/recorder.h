/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A child of ours that reads what is recorded and makes the trace of it, in a session of its own:
 * what the terminal or the program's signals do does not reach it. When this process is killed, it
 * finishes all the same; and when it is, this process does.
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
	struct recorder_word *word; /* what the child tells; shared with it; NULL: not started */
};

#define RECORDER_NONE ((struct recorder){ .control_fd = -1 })

/* Starts to read. Returns 0, or -1 after one line on stderr. */
int recorder_start(struct recorder *recorder, struct recording *recording);

/* Has it ended? Does not wait. */
bool recorder_ended(struct recorder *recorder);

/* Asks it, once recording_stop() was called, to make the trace and to end. May be said twice. */
void recorder_ask_to_end(struct recorder *recorder);

/* How a recording ended. */
struct recorder_result {
	bool failed; /* it is not whole: a line on stderr has told why */
	bool is_there; /* the trace, up to some point */
	uint64_t lost_events; /* by the kernel */
};

/*
 * Once it has ended: what became of the recording, which is closed then. If the recorder was killed,
 * this finishes in its place, and tells so in one line.
 */
struct recorder_result recorder_finish(struct recorder *recorder, struct recording *recording);

/* Kills it and removes the recording, of which nothing is wanted; or does nothing. */
void recorder_destroy(struct recorder *recorder, struct recording *recording);

#endif /* ANNOT_RECORD_RECORDER_H */
