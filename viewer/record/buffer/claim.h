/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The buffer of a recording: an ftrace instance "annot-PID-N" or, if none can be made, the top
 * buffer. The claim lasts while a process has it open; fork() inherits it. Instances that no
 * process holds are removed when the next one is made.
 */
#ifndef ANNOT_RECORD_BUFFER_CLAIM_H
#define ANNOT_RECORD_BUFFER_CLAIM_H

#include <stdbool.h>

struct tracefs_instance;

/* The settings that the top buffer is restored to. */
struct claim_state {
	bool on;
	long buffer_kb; /* per CPU; 0: not known, or not the same on all */
	char *clock; /* NULL: not known */
};

struct claim {
	struct tracefs_instance *instance; /* NULL: the top buffer */
	char *dir; /* directory of the buffer */
	int lock_fd; /* -1: nothing is claimed */
	struct claim_state before; /* settings of the top buffer, if that is claimed */
	int no_instance_error; /* why there is no instance; 0: it has others' markers, too */
};

#define CLAIM_NONE ((struct claim){ .lock_fd = -1 })

/*
 * Claims a buffer, with tracing off and no events enabled. Returns 0, or -1 after one line on
 * stderr.
 */
int claim_take(struct claim *claim);

/* Turns tracing on, and lets markers for the top buffer go into this one. */
void claim_turn_on(const struct claim *claim);
void claim_turn_off(const struct claim *claim);

/* Whether markers for the top buffer go into this one. */
bool claim_has_markers(const struct claim *claim);

/*
 * Whether another program has changed the buffer's settings or cleared it, as trace-cmd does with
 * the top buffer. Any part of the recording may then be missing. Call before turning it off.
 */
bool claim_was_taken(const struct claim *claim);

/*
 * Counts the instances that are held by any process, and removes the others. No process can make or
 * remove one until the returned descriptor is closed. Returns -1 if instances are not available.
 */
int claim_lock_others(int *nr_held);

/*
 * Turns tracing off and removes the instance, or restores the top buffer. An instance cannot be
 * removed while a process has one of its files open. Then this returns -1, and only its name and
 * little memory remain.
 */
int claim_release(struct claim *claim);

/*
 * Frees a claim that another process has released. Tries again to remove the instance if that
 * failed.
 */
void claim_forget(struct claim *claim);

#endif /* ANNOT_RECORD_BUFFER_CLAIM_H */
