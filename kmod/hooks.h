/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When the module listens to the tracepoints of the scheduler.
 */
#ifndef ANNOT_KMOD_HOOKS_H
#define ANNOT_KMOD_HOOKS_H

#include <linux/types.h>

int annot_hooks_init(void);
void annot_hooks_exit(void);

/* From hold to release, rings are drained at each switch, even if batches are not recorded yet. */
int annot_hooks_hold(void);
void annot_hooks_release(void);

/*
 * From begin to end, counts are read at each switch, after the rings are drained. Context:
 * process, under the lock of pmu.c.
 */
int annot_hooks_begin_counting(void);
void annot_hooks_end_counting(void);

/*
 * From begin to end, threads that fall asleep are looked at, after their counts are read. Outside
 * of the module's init and exit, begin does nothing. Context: process, with the event mutex held.
 */
int annot_hooks_begin_blocked(void);
void annot_hooks_end_blocked(void);

/* Likewise, where threads are that wake up others is looked at. */
int annot_hooks_begin_wakings(void);
void annot_hooks_end_wakings(void);

/* Whether the scheduler tells of an exec() while the calling program still is there. */
bool annot_hooks_hear_of_exec(void);

#endif /* ANNOT_KMOD_HOOKS_H */
