/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The buffer that a recording has for itself: an ftrace instance "annot-PID-N", or where none can be
 * had, the top buffer. The claim holds as long as a process has it open, and is inherited by fork();
 * instances that nobody holds any more are removed when the next is made.
 */
#ifndef ANNOT_RECORD_BUFFER_CLAIM_H
#define ANNOT_RECORD_BUFFER_CLAIM_H

#include <stdbool.h>

struct tracefs_instance;

/* What the top buffer is set back to. */
struct claim_state {
	bool on;
	long buffer_kb; /* per CPU; 0: not known, or not the same on all */
	char *clock; /* NULL: not known */
};

struct claim {
	struct tracefs_instance *instance; /* NULL: the top buffer */
	char *dir; /* of the buffer */
	int lock_fd; /* -1: nothing is claimed */
	struct claim_state before; /* of the top buffer, if that is claimed */
	int no_instance_error; /* why the top buffer was claimed; 0: it has others' markers, too */
};

#define CLAIM_NONE ((struct claim){ .lock_fd = -1 })

/* Tracing in it is off, and nothing is enabled. Returns 0, or -1 after one line on stderr. */
int claim_take(struct claim *claim);

/* Tracing, and that markers which are written to the top buffer come into this one. */
void claim_turn_on(const struct claim *claim);
void claim_turn_off(const struct claim *claim);

/* Do markers that are written to the top buffer come into this one? */
bool claim_has_markers(const struct claim *claim);

/*
 * Before it is turned off: whether somebody else has set up the buffer for himself, or has it emptied, as
 * trace-cmd does with the top buffer. What was recorded may be gone, from any time on.
 */
bool claim_was_taken(const struct claim *claim);

/*
 * Tells how many instances are held, by this process or others, and removes the rest. Until the
 * descriptor that it returns is closed, nobody makes or removes one. -1: there are none to be had.
 */
int claim_lock_others(int *nr_held);

/*
 * Turns tracing off and removes the instance, or sets the top buffer back. Whoever still has a file
 * of the instance open keeps it there: then -1, and all but its name and little memory is gone.
 */
int claim_release(struct claim *claim);

/* Frees what another process has released: an instance that could not be removed then, maybe now. */
void claim_forget(struct claim *claim);

#endif /* ANNOT_RECORD_BUFFER_CLAIM_H */
