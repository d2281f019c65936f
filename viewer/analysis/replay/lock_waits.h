/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The waits for locks that a replay can leave out: wait spans of locks, but for those that are barriers, and sleeps on futexes
 * that are locks (lock_futexes.h), by the names that lock_contention.h gives them.
 */
#ifndef ANNOT_LOCK_WAITS_H
#define ANNOT_LOCK_WAITS_H

#include "analysis/regions/barriers.h"
#include "analysis/waits/lock_spans.h"

/* Those of the session's threads. Of each, name, thread and times are set. free() the rows. Cost: that of blocked_waits_find(). */
struct lock_spans lock_waits_find(const struct model *model, const struct barriers *barriers);

/* Keeps those of the name only. */
void lock_waits_choose(struct lock_spans *waits, uint32_t name);

#endif /* ANNOT_LOCK_WAITS_H */
