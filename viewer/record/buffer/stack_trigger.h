/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace's trigger that puts the kernel's stack of a thread behind the sched_switch with which it falls asleep.
 */
#ifndef ANNOT_RECORD_BUFFER_STACK_TRIGGER_H
#define ANNOT_RECORD_BUFFER_STACK_TRIGGER_H

struct tracefs_instance;

/* Of which threads. */
enum stack_trigger {
	STACK_TRIGGER_NONE,
	STACK_TRIGGER_ASLEEP, /* all that fall asleep */
	STACK_TRIGGER_UNINTERRUPTIBLE, /* those that no signal wakes up, of which there are few */
};

/* Returns 0, or -1 after one line on stderr. */
int stack_trigger_set(struct tracefs_instance *instance, enum stack_trigger trigger);

/* Does nothing if none is set. An instance that is removed loses its triggers by itself. */
void stack_trigger_remove(struct tracefs_instance *instance);

#endif /* ANNOT_RECORD_BUFFER_STACK_TRIGGER_H */
