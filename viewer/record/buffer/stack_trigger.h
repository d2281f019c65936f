/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ftrace's trigger that puts the kernel's stack of a thread behind the sched_switch with which it falls asleep.
 */
#ifndef ANNOT_RECORD_BUFFER_STACK_TRIGGER_H
#define ANNOT_RECORD_BUFFER_STACK_TRIGGER_H

struct tracefs_instance;

/* Returns 0, or -1 after one line on stderr. */
int stack_trigger_set(struct tracefs_instance *instance);

/* Does nothing if it is not set. An instance that is removed loses its triggers by itself. */
void stack_trigger_remove(struct tracefs_instance *instance);

#endif /* ANNOT_RECORD_BUFFER_STACK_TRIGGER_H */
