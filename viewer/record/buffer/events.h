/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The events of a recording, and enabling them.
 */
#ifndef ANNOT_RECORD_BUFFER_EVENTS_H
#define ANNOT_RECORD_BUFFER_EVENTS_H

#include <stdbool.h>

struct tracefs_instance;

/* Which of the module's events are recorded. */
enum events_annot {
	EVENTS_ANNOT_NONE, /* without the module */
	EVENTS_ANNOT_ALL, /* a module without batches */
	EVENTS_ANNOT_BATCHED,
	EVENTS_ANNOT_ONE_BY_ONE,
};

/* Lists of events as -e takes them; NULL: end. */
const char *const *events_of_scheduler(void);
const char *const *events_of_power(void);
const char *const *events_of_annot(enum events_annot annot);
const char *const *events_of_pmu(bool samples, bool counts);
const char *const *events_of_sleep(bool blocked);
const char *const *events_of_stacks(bool stacks);
const char *const *events_of_wakers(bool wakers);

/*
 * Enables each of @events in the buffer of @instance (NULL: the top one). Each is a system ("irq"),
 * a system and a name ("irq:irq_handler_entry"), or a name, with wildcards as in glob(7). Returns
 * 0, or -1 after one line on stderr.
 */
int events_enable(struct tracefs_instance *instance, const char *const *events);

/* The same; those that the kernel does not have are left out. */
int events_enable_present(struct tracefs_instance *instance, const char *const *events);

#endif /* ANNOT_RECORD_BUFFER_EVENTS_H */
