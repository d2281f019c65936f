/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events that happen at each access to memory, by their names: ours, the CPU's and raw ones.
 */
#ifndef ANNOT_ACCESS_EVENTS_H
#define ANNOT_ACCESS_EVENTS_H

#include <stdbool.h>

/* At each load. */
bool access_event_is_loads(const char *name);

/* At each store. */
bool access_event_is_stores(const char *name);

#endif /* ANNOT_ACCESS_EVENTS_H */
