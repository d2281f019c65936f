/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A process that already runs, and is recorded until it ends.
 */
#ifndef ANNOT_RECORD_TARGET_H
#define ANNOT_RECORD_TARGET_H

#include <stdbool.h>
#include <sys/types.h>

struct tracefs_instance;

/*
 * Returns a descriptor of process @pid, which becomes readable when it ends; or -1 after one line
 * on stderr.
 */
int target_open(pid_t pid);

bool target_ended(int target_fd);

/* Writes into the trace that all threads of @pid are recorded. */
void target_mark_session(struct tracefs_instance *instance, pid_t pid);

#endif /* ANNOT_RECORD_TARGET_H */
