/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a thread waits for that falls asleep: the event annot_blocked.
 */
#ifndef ANNOT_KMOD_BLOCKED_H
#define ANNOT_KMOD_BLOCKED_H

struct task_struct;

/*
 * Emits annot_blocked if @state says that @prev, the current task, falls asleep, and it is a
 * program's. Context: the sched_switch tracepoint. Takes no lock and no reference.
 */
void annot_blocked_note(struct task_struct *prev, unsigned int state);

#endif /* ANNOT_KMOD_BLOCKED_H */
