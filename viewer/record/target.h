/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that runs already, and that a recording is to follow until it ends.
 */
#ifndef ANNOT_RECORD_TARGET_H
#define ANNOT_RECORD_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

struct tracefs_instance;

/* A descriptor of process @pid that poll() finds readable once it has ended; or -1 after one line. */
int target_open(pid_t pid);

bool target_ended(int target_fd);

/* Leaves in the trace that all its threads are what is recorded. */
void target_mark_session(struct tracefs_instance *instance, pid_t pid);

#endif /* ANNOT_RECORD_TARGET_H */
