/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which ftrace instance records annotations in which form. Each instance is a recording of its own.
 */
#ifndef ANNOT_KMOD_INSTANCES_H
#define ANNOT_KMOD_INSTANCES_H

#include <linux/types.h>

struct trace_event_file;

/* What a recording takes, by the event that it has enabled. */
enum annot_form {
	ANNOT_SINGLES, /* each of the four events of single annotations */
	ANNOT_BATCHES, /* annot_batch */
	ANNOT_COUNTS, /* annot_slice_counts */
};

/*
 * @file: of the instance that has enabled an event; NULL: perf has. Return: 0 or -ENOMEM.
 * Context: the events' own callbacks, under the lock of watch.c.
 */
int annot_instances_add(const struct trace_event_file *file, enum annot_form form);
void annot_instances_remove(const struct trace_event_file *file, enum annot_form form);

/* Forgets all of them: that they disable their events from now on is not heard. */
void annot_instances_forget(void);

/* Whether the instance takes batches, and whether it records counts. Under RCU. */
bool annot_instances_take_batches(const struct trace_event_file *file, bool *with_counts);

/* Whether every instance that has enabled annot_batch takes single annotations instead. */
bool annot_instances_shadow_batches(void);

/* Whether a recording of counts takes no batches. */
bool annot_instances_want_counts_apart(void);

#endif /* ANNOT_KMOD_INSTANCES_H */
