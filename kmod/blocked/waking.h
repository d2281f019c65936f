/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where a thread is in its program when it wakes up another one: the event annot_waking.
 */
#ifndef ANNOT_KMOD_WAKING_H
#define ANNOT_KMOD_WAKING_H

struct task_struct;

/*
 * Emits annot_waking if the current thread wakes up @wakee, and the processes of both have ranges.
 * Context: the sched_waking tracepoint: any, with @wakee's locks held. Takes no lock and no
 * reference.
 */
void annot_waking_note(const struct task_struct *wakee);

#endif /* ANNOT_KMOD_WAKING_H */
